/** Quotes a value in a message, with 80 characters at most. */
export function quote(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'nothing';
	// An expression may also return what is not JSON, such as a function.
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value as unknown);
	return `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`;
}
