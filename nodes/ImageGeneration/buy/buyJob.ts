import { DownloadFailure } from '../failures/failures';
import { settle, unwrap, type Outcome } from '../failures/outcome';
import type { Run } from '../run';
import { download } from '../service/download';
import { submit } from '../service/submit';
import type { Delivery, Job, JobResult } from '../types';
import { mayBeCharged, namesJob, retryAfter, retryDecision } from './retryDecision';
import { withRetries, type RetryRules } from './withRetries';

/**
 * Buys the job unless an earlier attempt already did, then downloads its image.
 * @param signal Aborted when the run ends; paid calls that have not started are not made.
 * @throws what an earlier attempt came to, if the job may have been charged then.
 */
export async function buyJob(run: Run, job: Job, signal: AbortSignal): Promise<Delivery> {
	const { manualRuns, ledger, tally } = run;
	const manualKey = await manualRuns?.keyOf(job);
	const known = ledger.find(job);
	if (known !== undefined) {
		const result = unwrap(known);
		tally.takenOver++;
		return { result, image: await imageOf(run, job, result) };
	}
	const before = manualKey === undefined ? undefined : manualRuns?.find(manualKey);
	if (before !== undefined && manualRuns?.reuses === true) {
		tally.reused++;
		// Retry in the list of executions is no manual run, so the execution remembers the job as well.
		ledger.add(job, { value: before });
		return { result: before, image: await reusedImage(run, job, before) };
	}
	const result = unwrap(await purchase(run, job, signal));
	if (before !== undefined) tally.paidAgain++;
	if (manualKey !== undefined) manualRuns?.add(manualKey, result);
	return { result, image: await imageOf(run, job, result) };
}

async function purchase(run: Run, job: Job, signal: AbortSignal): Promise<Outcome<JobResult>> {
	const outcome = await settle(paidCall(run, job, signal));
	// If n8n is killed now, this log line is the only record of the purchase.
	run.log.purchase(job, outcome);
	if ('value' in outcome || namesJob(outcome.failure)) run.tally.paid++;
	if ('value' in outcome || isFinal(outcome.failure, job)) run.ledger.add(job, outcome);
	return outcome;
}

/** Whether a failure ends the job for all attempts, because the next one could pay for it again. */
function isFinal(failure: unknown, { options }: Job): boolean {
	if (retryDecision(failure) === 'unclear') return !options.retryUnclearOutcome;
	return mayBeCharged(failure);
}

async function paidCall(run: Run, job: Job, signal: AbortSignal): Promise<JobResult> {
	const { maxRetries, retryUnclearOutcome } = job.options;
	const rules = retryRules(run, job, { maxRetries, signal });
	return await withRetries(async () => await limitedCall(run, job), {
		...rules,
		shouldRetry: (failure) => {
			const isUnclear = retryDecision(failure) === 'unclear';
			// It may have been charged, so another call may be one image more.
			return isUnclear
				? retryUnclearOutcome && run.limit.hasRoomFor(1)
				: rules.shouldRetry(failure);
		},
	});
}

/** One paid call that counts towards Max Images, unless it was definitely not charged. */
async function limitedCall({ context, service, limit }: Run, job: Job): Promise<JobResult> {
	limit.reserve();
	const outcome = await settle(submit(context, service, job.request, job.options.timeout));
	if ('failure' in outcome && !mayBeCharged(outcome.failure)) limit.release();
	return unwrap(outcome);
}

async function reusedImage(run: Run, job: Job, result: JobResult): Promise<Delivery['image']> {
	const outcome = await settle(imageOf(run, job, result));
	if ('failure' in outcome && outcome.failure instanceof DownloadFailure) {
		const { message, facts } = outcome.failure;
		const advice = `${facts.advice} It comes from an earlier manual run: turn off 'Reuse in Manual Runs' to buy a new one.`;
		throw new DownloadFailure(message, result, { ...facts, advice });
	}
	return unwrap(outcome);
}

async function imageOf(run: Run, job: Job, result: JobResult): Promise<Delivery['image']> {
	if (job.outputField === undefined) return undefined;
	const rules = { ...job.options, fileName: job.fileName };
	return await withRetries(
		async () => await download(run.context, run.service, result, rules),
		// To the end even if the run ends on a failure, because this image is paid for.
		retryRules(run, job, { maxRetries: job.options.maxRetries, signal: run.signal }),
	);
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
