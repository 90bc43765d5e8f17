import { notStarted, settle, type Outcome } from '../failures/outcome';

/** How many tasks run at once, and when no more are started. */
export interface Caps {
	/** 1 or more. */
	concurrency: number;
	/** Whether no task starts after a failure. */
	stopOnFailure: boolean;
	/** No task starts after it is aborted. */
	signal: AbortSignal | undefined;
}

/**
 * Runs a task for each item, started in order, and waits for all started tasks.
 * @param task Its signal is aborted when the run ends; it must not start a paid request after that.
 * @returns the outcomes, in order.
 */
export async function runCapped<Item, T>(
	items: readonly Item[],
	task: (item: Item, index: number, signal: AbortSignal) => Promise<T>,
	{ concurrency, stopOnFailure, signal }: Caps,
): Promise<Array<Outcome<T>>> {
	const outcomes: Array<Outcome<T>> = items.map(() => notStarted);
	const queue = items.entries();
	const halt = new AbortController();
	const ended = AbortSignal.any(signal === undefined ? [halt.signal] : [signal, halt.signal]);

	async function worker(): Promise<void> {
		for (const [index, item] of queue) {
			if (ended.aborted) return;
			const outcome = await settle(task(item, index, ended));
			outcomes[index] = outcome;
			if (stopOnFailure && 'failure' in outcome) halt.abort();
		}
	}

	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
	return outcomes;
}
