/** Any value as an object whose properties can be read; what is not an object has none. */
export function asRecord(value: unknown): Record<string, unknown> {
	return Object(value) as Record<string, unknown>;
}
