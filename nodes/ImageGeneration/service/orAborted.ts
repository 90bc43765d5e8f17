/**
 * Waits for a promise, or rejects as soon as the signal is aborted.
 * @throws the signal's reason if it is aborted.
 */
export async function orAborted<T>(promise: Promise<T>, stop: AbortSignal | undefined): Promise<T> {
	const signal = AbortSignal.any(stop === undefined ? [] : [stop]);
	signal.throwIfAborted();
	let abort = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort);
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
