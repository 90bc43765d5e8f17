import { sleep } from 'n8n-workflow';

/**
 * Waits, or ends at once with any of the signals.
 * @param ms Milliseconds.
 * @throws the signal's reason when one is aborted.
 */
export async function wait(ms: number, ends: readonly AbortSignal[]): Promise<void> {
	// One for each wait: Node 20 warns of a signal that many listen to, and many items may wait.
	const signal = AbortSignal.any([...ends]);
	signal.throwIfAborted();
	const { promise: stopped, forget } = whenAborted(signal);
	try {
		// n8n-workflow of 2.40 takes the signal itself; that of 1.123 waits on without it.
		await Promise.race([sleep(ms, signal), stopped]);
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
