/** Quotes a value in a message, with 80 characters at most. */
export function quote(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'nothing';
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`;
}
