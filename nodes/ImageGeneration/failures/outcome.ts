import { Failed, toFailure, type Failure } from './failures';

/** The value of a step, or its failure. */
export type Outcome<T> = { value: T } | { failure: Failure };

/** The outcome of a job that never started. */
export const notStarted = { failure: { kind: 'not started' } } as const;

/** Waits for a promise and returns its outcome instead of throwing. */
export async function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
	try {
		return { value: await promise };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** Waits for all promises, even after one has failed. @throws the first failure. */
export async function waitForAll<T>(promises: ReadonlyArray<Promise<T>>): Promise<T[]> {
	const outcomes = await Promise.all(promises.map(settle));
	return outcomes.map((outcome) => unwrap(outcome));
}

/**
 * Returns the value of an outcome.
 * @throws Failed if it has none.
 */
export function unwrap<T>(outcome: Outcome<T>): T {
	if ('failure' in outcome) throw new Failed(outcome.failure);
	return outcome.value;
}
