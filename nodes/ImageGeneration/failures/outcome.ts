/** The value of a step, or its failure. */
export type Outcome<T> = { value: T } | { failure: unknown };

/** Waits for a promise and returns its outcome instead of throwing. */
export async function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
	try {
		return { value: await promise };
	} catch (failure) {
		return { failure };
	}
}

/**
 * Returns the value of an outcome.
 * @throws the failure, if it has one.
 */
export function unwrap<T>(outcome: Outcome<T>): T {
	if ('failure' in outcome) throw outcome.failure;
	return outcome.value;
}
