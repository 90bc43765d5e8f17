import type { IBinaryData } from 'n8n-workflow';

import { Failed, type Failure } from '../failures/failures';
import { notStarted, settle, unwrap, type Outcome } from '../failures/outcome';
import type { Known } from '../recall/recall';
import { download } from '../service/download';
import { referenceTo } from '../service/jobResults';
import type { FinishedJob, Job, JobResult, PlannedJob } from '../types';
import { buyJob, requestLoop, type Buying } from './buyJob';

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
	const finish = async (job: PlannedJob, signal: AbortSignal): Promise<FinishedJob> => {
		if ('problem' in job) throw new Failed(job.problem);
		const before = known.get(job);
		if (before === undefined) return await deliver(run, job, await buyJob(run, job, signal));
		const delivery = await settle(deliver(run, job, unwrap(before.outcome)));
		const isLost = 'failure' in delivery && isGone(delivery.failure);
		if (!isLost || before.from !== 'earlier run') return unwrap(delivery);
		run.log.tally.gone++;
		run.memory.forget(job);
		if (before.entry !== undefined) await run.purchases.forget(before.entry);
		return await deliver(run, job, await buyJob(run, job, signal));
	};
	return await runCapped(jobs, finish, { ...caps, signal: run.signal });
}

/** Downloads the image of a paid job, unless an earlier attempt did. */
async function deliver(run: Buying, job: Job, result: JobResult): Promise<FinishedJob> {
	if (job.outputField === undefined) return { result, image: undefined };
	const image = run.memory.imageOf(job) ?? (await downloadImage(run, job, result));
	run.memory.addImage(job, image);
	return { result, image };
}

/** Continues if the run fails, because this image is paid for; only Stop ends it. */
async function downloadImage(run: Buying, job: Job, result: JobResult): Promise<IBinaryData> {
	const { context, service, limiters, log, signal } = run;
	const rules = { ...job.options, fileName: job.fileName };
	const send = async () => await download(context, service, result, rules);
	const outcome = await settle(
		requestLoop({ job, limiter: limiters.downloads, send, log, signal }),
	);
	if ('value' in outcome) return outcome.value;
	const { failure } = outcome;
	// The last refusal of any download, if this one was given up before it was sent.
	const own = failure.kind === 'rate limited' ? failure.refusal : failure;
	throw new Failed(own.kind === 'download' ? { ...own, job: referenceTo(result) } : own);
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
	signal: AbortSignal;
}

/**
 * Runs a task for each item, started in order, and waits for all started tasks.
 * @param task Its signal is aborted when the run ends; it must not start a paid request after that.
 * @returns the outcomes, in order.
 */
export async function runCapped<Item, T>(
	items: readonly Item[],
	task: (item: Item, signal: AbortSignal) => Promise<T>,
	{ concurrency, stopOnFailure, signal }: Caps,
): Promise<Array<Outcome<T>>> {
	const outcomes: Array<Outcome<T>> = items.map(() => notStarted);
	const queue = items.entries();
	const halt = new AbortController();
	const ended = AbortSignal.any([signal, halt.signal]);
	const worker = async (): Promise<void> => {
		for (const [index, item] of queue) {
			if (ended.aborted) return;
			const outcome = await settle(task(item, ended));
			outcomes[index] = outcome;
			if (stopOnFailure && 'failure' in outcome) halt.abort();
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return outcomes;
}
