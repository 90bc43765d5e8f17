import { settle, type Outcome } from '../failures/outcome';

/** How many run at once, and when no more are started. */
export interface Caps {
	/** How many run at the same time, 1 or more. */
	concurrency: number;
	/** Whether nothing new starts after a failure. */
	stopOnFailure: boolean;
	/** Starts nothing new once it is aborted. */
	signal: AbortSignal | undefined;
}

/** The failure of an item that was never started. */
export class NotStarted extends Error {
	constructor() {
		super('Not started because the run had already stopped');
	}
}

/** Result of an item that never started. */
export const notStarted = { failure: new NotStarted() };

/**
 * Runs a task for each item, started in order, and waits for all that were started.
 * @param task Its signal is aborted when the run ends; paid calls that have not started are not made.
 * @returns how each ended, in order.
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
