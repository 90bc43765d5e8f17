import { settle, type Outcome } from '../failures/outcome';
import { wait } from './wait';

/** How many run at once, and when no more are started. */
export interface Caps {
	/** How many run at the same time, 1 or more. */
	concurrency: number;
	/** The shortest time between two starts, in milliseconds. */
	requestInterval: number;
	/** Whether an item starts without that time in front of it. */
	isFree?: (index: number) => boolean;
	/** Whether nothing new starts after a failure. */
	stopOnFailure: boolean;
	/** Starts nothing new once it is aborted. */
	signal: AbortSignal | undefined;
}

/** What an index came to that was never started. */
export class NotStarted extends Error {
	constructor() {
		super('Not started, as the run was stopped before');
	}
}

/** What an item came to as long as it is not started. */
export const notStarted = { failure: new NotStarted() };

/**
 * Runs a task for each item, started in order, and waits for all that were started.
 * @param task Is told by `ends` that the run ends, and nothing more is to be paid for.
 * @returns what each came to, in order.
 */
export async function runCapped<Item, T>(
	items: readonly Item[],
	task: (item: Item, index: number, ends: readonly AbortSignal[]) => Promise<T>,
	{ concurrency, requestInterval, isFree = () => false, stopOnFailure, signal }: Caps,
): Promise<Array<Outcome<T>>> {
	const outcomes: Array<Outcome<T>> = items.map(() => notStarted);
	const queue = items.entries();
	const halt = new AbortController();
	const ends = signal === undefined ? [halt.signal] : [signal, halt.signal];
	let earliestStart = 0;

	async function spaced(): Promise<void> {
		const now = Date.now();
		const start = Math.max(now, earliestStart);
		earliestStart = start + requestInterval;
		await wait(start - now, ends);
	}

	async function worker(): Promise<void> {
		for (const [index, item] of queue) {
			// A stop or a failure ends this wait early; the check behind it then ends the worker.
			if (requestInterval > 0 && !isFree(index)) await settle(spaced());
			if (ends.some(({ aborted }) => aborted)) return;
			const outcome = await settle(task(item, index, ends));
			outcomes[index] = outcome;
			if (stopOnFailure && 'failure' in outcome) halt.abort();
		}
	}

	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
	return outcomes;
}
