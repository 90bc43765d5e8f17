import { Failed, notStarted, settle, unwrap, type Failure } from '../failures/failures';
import { IncompleteTries } from '../images/checkImage';
import type { Known } from '../recall/recall';
import { download, lookFor } from '../service/download';
import { referenceTo } from '../service/jobResults';
import type { FinishedJob, Job, JobOutcome, JobResult, PlannedJob } from '../types';
import { buyJob, requestLoop, type Buying } from './buyJob';

/** The outcome of each job as far as it is known. One that is not has not started. */
export function outcomesOf(
	jobs: readonly PlannedJob[],
	outcomeOf: (job: Job) => Known['outcome'] | undefined = () => undefined,
): JobOutcome[] {
	return jobs.map((job) => {
		if ('problem' in job) return { job, outcome: { failure: job.problem } };
		const outcome = outcomeOf(job) ?? notStarted;
		return { job, outcome: 'failure' in outcome ? outcome : { value: { result: outcome.value } } };
	});
}

/**
 * Delivers jobs with limited concurrency, started in order, and buys those that are not known. Waits for
 * all that have started. After Stop, or a failure that stops the run, no further job starts and no paid
 * request goes out.
 * @param known What is known of jobs. Those whose image turns out to be gone are removed.
 * @returns the outcomes of all jobs, in order.
 */
export async function buyAll(
	run: Buying,
	jobs: readonly PlannedJob[],
	known: Map<Job, Known>,
): Promise<JobOutcome[]> {
	const outcomes = outcomesOf(jobs, (job) => known.get(job)?.outcome);
	const queue = outcomes.values();
	const halt = new AbortController();
	const ended = AbortSignal.any([run.signal, halt.signal]);
	const worker = async (): Promise<void> => {
		for (const each of queue) {
			if (ended.aborted) return;
			if ('problem' in each.job) continue;
			each.outcome = await settle(finish(run, each.job, known, ended));
			if (run.stopsOnFail && 'failure' in each.outcome) halt.abort();
		}
	};
	await Promise.all(Array.from({ length: run.concurrency }, worker));
	return outcomes;
}

/** Delivers a job. Buys it unless it is known; an image that this execution did not buy may be gone. */
async function finish(
	run: Buying,
	job: Job,
	known: Map<Job, Known>,
	ended: AbortSignal,
): Promise<FinishedJob> {
	const found = known.get(job);
	if (found !== undefined) {
		const result = unwrap(found.outcome);
		const delivery = await settle(deliver(run, job, result));
		if (found.from === 'this execution') return unwrap(delivery);
		const isLost =
			'failure' in delivery ? isGone(delivery.failure) : await hasVanished(run, job, result);
		if (!isLost) return unwrap(delivery);
		known.delete(job);
		run.log.tally.gone++;
		run.memory.forget(job);
		if (found.purchase !== undefined) await run.purchases.markGone(found.purchase);
	}
	return await deliver(run, job, await buyJob(run, job, ended));
}

/**
 * Downloads the image of a paid job, unless an earlier attempt did. Continues if the run fails, because
 * this image is paid for; only Stop ends it.
 */
async function deliver(run: Buying, job: Job, result: JobResult): Promise<FinishedJob> {
	const { context, service, memory, limiters } = run;
	if (job.outputField === undefined) return { result };
	const known = memory.imageOf(job);
	if (known !== undefined) return { result, image: known };
	const tries = new IncompleteTries();
	const send = async () => await download(context, service, result, job, tries);
	const outcome = await requestLoop(run, job, limiters.downloads, send);
	if ('value' in outcome) {
		const { image, isWhole } = outcome.value;
		if (!isWhole) return { result, image, mayBeIncomplete: true };
		memory.addImage(job, image);
		return { result, image };
	}
	const { failure } = outcome;
	// After Stop, a download that has not begun leaves only the link.
	if (failure.kind === 'not started') return { result };
	// The last refusal of any download, if this one was given up before it was sent.
	const own = failure.kind === 'rate limited' ? failure.refusal : failure;
	throw new Failed(own.kind === 'download' ? { ...own, job: referenceTo(result) } : own);
}

/** Runs that looked for an image and got no clear answer, so that they look for no other one. */
const unclearRuns = new WeakSet<Buying>();

/** Whether the service no longer has the image of a job that is delivered without downloading it, as far as it says. */
async function hasVanished(run: Buying, job: Job, result: JobResult): Promise<boolean> {
	if (job.outputField !== undefined || unclearRuns.has(run)) return false;
	const looked = await settle(lookFor(run.context, run.service, result, job));
	if ('value' in looked) return false;
	const isClear = isGone(looked.failure);
	if (!isClear) unclearRuns.add(run);
	return isClear;
}

/** Whether the service no longer has the image. A link that may lack the key does not tell. */
function isGone(failure: Failure): boolean {
	return failure.kind === 'download' && failure.reason === 'gone' && !failure.mayLackKey;
}
