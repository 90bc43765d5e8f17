/** Longer side of a super_genius output in pixels; undefined for the other versions. */
export function longEdge(resolution: string | undefined): number | undefined {
	if (resolution === undefined) return undefined;
	return resolution === '4k' ? 4096 : 2048;
}
