import { sleep } from 'n8n-workflow';

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

/**
 * Waits, or rejects as soon as the signal is aborted.
 * @param ms Milliseconds.
 * @throws the signal's reason if it is aborted.
 */
export async function wait(ms: number, stop: AbortSignal | undefined): Promise<void> {
	// A new signal for each wait: Node 20 warns about many listeners on one signal.
	const signal = AbortSignal.any(stop === undefined ? [] : [stop]);
	signal.throwIfAborted();
	// n8n 2.40's `sleep` accepts the signal; that of 1.123 ignores it.
	await orAborted(sleep(ms, signal), signal);
}
