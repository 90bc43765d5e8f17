import { notStarted, settle, type Outcome } from '../failures/failures';
import type { Known } from '../recall/known';
import type { Job, JobOutcome, JobResult, PlannedJob } from '../types';
import { buyJob, type Buying } from './buyJob';
import { deliver, isGone, Lookout, payerOf } from './deliver';

/** The outcome of each job as far as it is known. One that is not has not started. */
export function outcomesOf(
	jobs: readonly PlannedJob[],
	outcomeOf: (job: Job) => Known['outcome'] | undefined = () => undefined,
): JobOutcome[] {
	return jobs.map((job) => {
		if ('problem' in job) return { job, outcome: { failure: job.problem } };
		const outcome = outcomeOf(payerOf(job)) ?? notStarted;
		return { job, outcome: 'failure' in outcome ? outcome : { value: { result: outcome.value } } };
	});
}

/**
 * Delivers the jobs that are known with limited concurrency, before anything is bought. An image that this execution
 * did not buy may be gone.
 * @param known What is known of jobs. Those whose image turns out to be gone are removed.
 */
export async function deliverKnown(
	attempt: Buying,
	outcomes: readonly JobOutcome[],
	known: Map<Job, Known>,
): Promise<void> {
	const lookout = new Lookout(attempt);
	await inTurn(attempt, outcomes, attempt.signal, async (each) => {
		const { job } = each;
		if ('problem' in job) return;
		const payer = payerOf(job);
		const found = known.get(payer);
		if (found === undefined || 'failure' in found.outcome) return;
		const result = found.outcome.value;
		const delivery = await settle(deliver(attempt, job, result));
		const isGoneNow =
			found.from !== 'this execution' &&
			('failure' in delivery ? isGone(delivery.failure) : await lookout.hasVanished(job, result));
		each.outcome = isGoneNow ? notStarted : delivery;
		if (isGoneNow && known.delete(payer)) {
			attempt.log.tally.gone++;
			attempt.memory.forget(payer);
			if (found.purchase !== undefined) attempt.purchases.markGone(found.purchase);
		}
	});
	// Rows that had it before it was found to be gone get the new one as well.
	for (const each of outcomes) {
		if (!('problem' in each.job) && !known.has(payerOf(each.job))) each.outcome = notStarted;
	}
}

/**
 * Buys the jobs that are not known with limited concurrency, started in order, and delivers them. Waits for all that
 * have started. After Stop, or a failure that stops the run, no further job starts and no paid request goes out.
 * @param outcomes Those of all jobs, in order. They are completed.
 */
export async function buyRest(
	attempt: Buying,
	outcomes: readonly JobOutcome[],
	known: ReadonlyMap<Job, Known>,
): Promise<void> {
	const halt = new AbortController();
	const ended = AbortSignal.any([attempt.signal, halt.signal]);
	const hasFailed = ({ outcome }: JobOutcome) => 'failure' in outcome;
	const isStarted = ({ job, outcome }: JobOutcome) =>
		'failure' in outcome && outcome.failure.kind !== 'not started' && !('problem' in job);
	if (attempt.stopsOnFail && outcomes.some(isStarted)) return;
	await inTurn(attempt, outcomes, ended, async ({ job }) => {
		if ('problem' in job || job.sameAs !== undefined || known.has(job)) return;
		const bought = await settle(buyJob(attempt, job, ended));
		for (const each of outcomes) {
			if ('problem' in each.job || payerOf(each.job) !== job) continue;
			each.outcome = await delivered(attempt, each.job, bought);
			if (attempt.stopsOnFail && hasFailed(each)) halt.abort();
		}
	});
}

/** What becomes of a job whose purchase has this outcome. */
async function delivered(
	attempt: Buying,
	job: Job,
	bought: Outcome<JobResult>,
): Promise<JobOutcome['outcome']> {
	return 'failure' in bought ? bought : await settle(deliver(attempt, job, bought.value));
}

/** Takes a step for each job, as many at once as the run allows, until the signal is aborted. */
async function inTurn(
	{ concurrency }: Buying,
	outcomes: readonly JobOutcome[],
	ended: AbortSignal,
	step: (each: JobOutcome) => Promise<void>,
): Promise<void> {
	const queue = outcomes.values();
	const worker = async (): Promise<void> => {
		for (const each of queue) {
			if (ended.aborted) return;
			await step(each);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
}
