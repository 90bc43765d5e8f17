import { runCapped } from '../buy/runCapped';
import type { Outcome } from '../failures/outcome';

/** Most of a check is waiting for n8n's storage, which may be on another machine. */
const AT_ONCE = 10;

/**
 * Runs a check for every item, a few at a time, and keeps what each came to, in order.
 * @param signal Starts no more once it is aborted.
 */
export async function planAll<T>(
	count: number,
	check: (index: number) => Promise<T>,
	signal: AbortSignal | undefined,
): Promise<Array<Outcome<T>>> {
	const indexes = Array.from({ length: count }, (_, index) => index);
	return await runCapped(indexes, check, {
		concurrency: AT_ONCE,
		requestInterval: 0,
		stopOnFailure: false,
		signal,
	});
}
