/** Pixels of the longer side of a super_genius output; undefined for the other versions. */
export function longEdge(resolution: string | undefined): number | undefined {
	if (resolution === undefined) return undefined;
	return resolution === '4k' ? 4096 : 2048;
}
