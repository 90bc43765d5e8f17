/** A value that must be text, such as an id in a row. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new Error(`${JSON.stringify(value)} is no text`);
}
