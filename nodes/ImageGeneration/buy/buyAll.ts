import { Failed, type Failure } from '../failures/failures';
import { notStarted, settle, unwrap, type Outcome } from '../failures/outcome';
import type { Known } from '../recall/recall';
import type { FinishedJob, Job, PlannedJob } from '../types';
import { buyJob, deliver, type Buying } from './buyJob';

/**
 * Delivers all valid jobs with limited concurrency, and buys those that are not known.
 * @returns their outcomes, in order.
 */
export async function buyAll(
	run: Buying,
	jobs: readonly PlannedJob[],
	known: ReadonlyMap<PlannedJob, Known>,
	caps: Omit<Caps, 'signal'>,
): Promise<Array<Outcome<FinishedJob>>> {
	return await runCapped(
		jobs,
		async (job, _index, signal) => {
			if ('problem' in job) throw new Failed(job.problem);
			const before = known.get(job);
			return before === undefined
				? await buyJob(run, job, signal)
				: await deliverKnown(run, job, before, signal);
		},
		{ ...caps, signal: run.signal },
	);
}

/** Buys the job again if the service no longer has the image of an earlier run. */
async function deliverKnown(
	run: Buying,
	job: Job,
	{ outcome, from, entry }: Known,
	signal: AbortSignal,
): Promise<FinishedJob> {
	const delivery = await settle(deliver(run, job, unwrap(outcome)));
	const isReused = from === 'earlier run';
	if (!isReused || !('failure' in delivery) || !isGone(delivery.failure)) return unwrap(delivery);
	run.log.tally.gone++;
	run.memory.forget(job);
	if (entry !== undefined) await run.purchases.forget(entry);
	return await buyJob(run, job, signal);
}

/** Whether the service no longer has the image. A link that may lack the key does not tell. */
function isGone(failure: Failure): boolean {
	if ('mayLackKey' in failure && failure.mayLackKey) return false;
	return [404, 410].includes(failure.status ?? 0);
}

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
