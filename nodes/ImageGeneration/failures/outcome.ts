/** How a step ended: with what it gives, or with a failure. */
export type Outcome<T> = { value: T } | { failure: unknown };

/** A promise's end as a value. */
export async function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
	try {
		return { value: await promise };
	} catch (failure) {
		return { failure };
	}
}

/** @throws the failure, if it is one. */
export function unwrap<T>(outcome: Outcome<T>): T {
	if ('failure' in outcome) throw outcome.failure;
	return outcome.value;
}
