import { DownloadFailure, RateLimited, ServiceRejection } from '../failures/failures';
import { settle, unwrap, type Outcome } from '../failures/outcome';
import type { Run } from '../run';
import { download } from '../service/download';
import { submit } from '../service/submit';
import type { Delivery, Job, JobResult } from '../types';
import { paced, type PacedRules } from './paced';
import { mayBeCharged, namesJob, retryAfter, retryDecision } from './retryDecision';
import { withRetries, type RetryRules } from './withRetries';

/**
 * Buys the job unless an earlier attempt already did, then downloads its image.
 * @param signal Aborted when the run ends; paid requests that have not started are not sent.
 * @throws the failure of an earlier attempt that may have been charged.
 */
export async function buyJob(run: Run, job: Job, signal: AbortSignal): Promise<Delivery> {
	const { earlierRuns, ledger, tally } = run;
	// Called for every job in order: equal requests differ only in their order.
	const before = await earlierRuns?.find(job);
	const known = ledger.find(job);
	if (known !== undefined) {
		const result = unwrap(known);
		tally.takenOver++;
		return { result, image: await imageOf(run, job, result) };
	}
	if (before?.wasStopped === true) {
		ledger.add(job, { value: before.result });
		tally.fromStopped++;
		return { result: before.result, image: await imageOf(run, job, before.result) };
	}
	if (before !== undefined && run.reuseInManualRuns) {
		tally.reused++;
		// Retry in the list of executions is not a manual run, so it needs the job in the execution.
		ledger.add(job, { value: before.result });
		return { result: before.result, image: await reusedImage(run, job, before.result) };
	}
	const result = unwrap(await purchase(run, job, signal));
	if (before !== undefined) tally.paidAgain++;
	await earlierRuns?.add(job, result);
	return { result, image: await imageOf(run, job, result) };
}

async function purchase(run: Run, job: Job, signal: AbortSignal): Promise<Outcome<JobResult>> {
	const outcome = await settle(submitWithRetries(run, job, signal));
	// If n8n is killed now, this log line is the only record of the purchase.
	run.log.purchase(job, outcome);
	if ('value' in outcome || namesJob(outcome.failure)) run.tally.paid++;
	if ('value' in outcome || isFinal(outcome.failure, job)) run.ledger.add(job, outcome);
	return outcome;
}

/** Whether no further attempt may buy the job, because it could pay a second time. */
function isFinal(failure: unknown, { options }: Job): boolean {
	if (retryDecision(failure) === 'unclear') return !options.retryUnclearOutcome;
	return mayBeCharged(failure);
}

async function submitWithRetries(run: Run, job: Job, signal: AbortSignal): Promise<JobResult> {
	const { maxRetries, retryUnclearOutcome } = job.options;
	const rules = retryRules(run, job, { maxRetries, signal });
	const patience = patienceOf(job);
	const pacedRules: PacedRules = {
		...rules,
		patience,
		isThrottled,
		giveUpFailure: (rejection, asked) =>
			rejection instanceof ServiceRejection
				? new RateLimited(rejection, asked, patience)
				: rejection,
	};
	const attempt = async () =>
		await paced(run.limiters.paid, async () => await submitWithinLimit(run, job), pacedRules);
	return await withRetries(attempt, {
		...rules,
		shouldRetry: (failure) => {
			const isUnclear = retryDecision(failure) === 'unclear';
			// It may have been charged, so a retry may buy one more image.
			return isUnclear
				? retryUnclearOutcome && run.limit.hasRoomFor(1)
				: rules.shouldRetry(failure);
		},
	});
}

/** Sends one paid request, which counts towards Max Images unless it was definitely not charged. */
async function submitWithinLimit(
	{ context, service, limit, tally }: Run,
	job: Job,
): Promise<JobResult> {
	limit.reserve();
	const outcome = await settle(submit(context, service, job.request, job.options.timeout));
	if ('failure' in outcome && !mayBeCharged(outcome.failure)) limit.release();
	const { job: result, unusual } = unwrap(outcome);
	if (unusual !== undefined) tally.unusual.push(unusual);
	return result;
}

async function reusedImage(run: Run, job: Job, result: JobResult): Promise<Delivery['image']> {
	const outcome = await settle(imageOf(run, job, result));
	if ('failure' in outcome && outcome.failure instanceof DownloadFailure) {
		const { message, details } = outcome.failure;
		const advice = `${details.advice} An earlier manual run bought this image: to buy a new one, turn off 'Reuse in Manual Runs'.`;
		throw new DownloadFailure(message, result, { ...details, advice });
	}
	return unwrap(outcome);
}

async function imageOf(run: Run, job: Job, result: JobResult): Promise<Delivery['image']> {
	if (job.outputField === undefined) return undefined;
	const stored = run.ledger.findImage(job);
	if (stored !== undefined) return stored;
	const fileRules = { ...job.options, fileName: job.fileName };
	// Continues if the run fails, because this image is paid for; only Stop ends it.
	const { maxRetries } = job.options;
	const rules = retryRules(run, job, { maxRetries, signal: run.signal });
	const pacedRules: PacedRules = {
		...rules,
		patience: patienceOf(job),
		isThrottled,
		giveUpFailure: (rejection) =>
			rejection instanceof DownloadFailure
				? new DownloadFailure(rejection.message, result, rejection.details)
				: rejection,
	};
	const attempt = async () =>
		await paced(
			run.limiters.downloads,
			async () => await download(run.context, run.service, result, fileRules),
			pacedRules,
		);
	const image = await withRetries(attempt, rules);
	run.ledger.addImage(job, image);
	return image;
}

function patienceOf({ options }: Job): number {
	return options.timeout * 1000;
}

function isThrottled(failure: unknown): boolean {
	return retryDecision(failure) === 'throttled';
}

function retryRules(
	{ log }: Run,
	job: Job,
	rules: Pick<RetryRules, 'maxRetries' | 'signal'>,
): RetryRules {
	return {
		...rules,
		shouldRetry: (failure) => retryDecision(failure) === 'retry',
		retryAfter: (failure) => retryAfter(failure, Date.now()),
		onRetry: (ms, failure) => {
			log.retry(job, ms, failure);
		},
	};
}
