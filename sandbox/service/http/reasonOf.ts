/**
 * The message of an error, or of its cause if it has one (fetch puts the reason there).
 *
 * It does not use `instanceof`: in jest 30, errors from Node's modules are not instances of a
 * test's Error.
 */
export function reasonOf(error: unknown): string {
	if (typeof error !== 'object' || error === null) return String(error);
	if ('cause' in error && error.cause) return reasonOf(error.cause);
	return 'message' in error ? String(error.message) : 'unknown reason';
}
