/**
 * What an error says, of its cause where it has one (fetch puts the reason there). Not by
 * `instanceof`: in jest 30 errors of Node's own modules are no instances of the test's Error.
 */
export function reasonOf(error: unknown): string {
	if (typeof error !== 'object' || error === null) return String(error);
	if ('cause' in error && error.cause) return reasonOf(error.cause);
	return 'message' in error ? String(error.message) : 'unknown reason';
}
