/**
 * Runs a task with a signal that is aborted when its time is up, or when `stop` is.
 *
 * A timeout's signal that only `AbortSignal.any` knows is lost when memory is tidied up, and what
 * waits for it never ends (seen on Node 20.20; no more on 24). A listener keeps it.
 * @param seconds How long the task may take.
 */
export async function withTimeLimit<T>(
	seconds: number,
	stop: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const limit = AbortSignal.timeout(seconds * 1000);
	const keep = () => {};
	limit.addEventListener('abort', keep);
	try {
		return await task(stop === undefined ? limit : AbortSignal.any([stop, limit]));
	} finally {
		limit.removeEventListener('abort', keep);
	}
}
