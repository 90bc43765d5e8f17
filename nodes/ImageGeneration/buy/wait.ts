import { sleep } from 'n8n-workflow';

import { orAborted } from '../service/orAborted';

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
