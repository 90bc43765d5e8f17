/**
 * Waits for a promise, or rejects as soon as the signal is aborted.
 * @throws the signal's reason if it is aborted.
 */
export async function orAborted<T>(promise: Promise<T>, stop: AbortSignal | undefined): Promise<T> {
	const signal = AbortSignal.any(stop === undefined ? [] : [stop]);
	signal.throwIfAborted();
	const { promise: aborted, stopListening } = whenAborted(signal);
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		stopListening();
	}
}

function whenAborted(signal: AbortSignal): { promise: Promise<never>; stopListening: () => void } {
	let stopListening = () => {};
	const promise = new Promise<never>((_resolve, reject) => {
		const abort = () => {
			reject(signal.reason as Error);
		};
		signal.addEventListener('abort', abort);
		stopListening = () => {
			signal.removeEventListener('abort', abort);
		};
	});
	return { promise, stopListening };
}
