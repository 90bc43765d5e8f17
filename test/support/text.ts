/** A value that must be text, such as an output item's id. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new Error(`${JSON.stringify(value)} is no text`);
}
