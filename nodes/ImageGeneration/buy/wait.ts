import { sleep } from 'n8n-workflow';

/**
 * Waits, or ends at once with the signal.
 * @param ms Milliseconds.
 * @throws the signal's reason when it is aborted.
 */
export async function wait(ms: number, end: AbortSignal | undefined): Promise<void> {
	// One for each wait: Node 20 warns of a signal that many listen to, and many jobs may wait.
	const signal = AbortSignal.any(end === undefined ? [] : [end]);
	signal.throwIfAborted();
	// n8n-workflow of 2.40 takes the signal itself; that of 1.123 waits on without it.
	await orAborted(sleep(ms, signal), signal);
}

/**
 * What a promise resolves to, unless the signal is aborted first.
 * @throws the signal's reason when it is aborted.
 */
export async function orAborted<T>(promise: Promise<T>, end: AbortSignal | undefined): Promise<T> {
	const signal = AbortSignal.any(end === undefined ? [] : [end]);
	signal.throwIfAborted();
	const { promise: stopped, forget } = whenAborted(signal);
	try {
		return await Promise.race([promise, stopped]);
	} finally {
		forget();
	}
}

function whenAborted(signal: AbortSignal): { promise: Promise<never>; forget: () => void } {
	let forget = () => {};
	const promise = new Promise<never>((_resolve, reject) => {
		const abort = () => {
			reject(signal.reason as Error);
		};
		signal.addEventListener('abort', abort);
		forget = () => {
			signal.removeEventListener('abort', abort);
		};
	});
	return { promise, forget };
}
