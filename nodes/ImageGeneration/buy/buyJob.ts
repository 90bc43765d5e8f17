import { settle, unwrap, type Outcome } from '../failures/outcome';
import type { Run } from '../run';
import { download } from '../service/download';
import { submit } from '../service/submit';
import type { Delivery, Job, JobResult } from '../types';
import { mayBeCharged, retryAfter, retryDecision, type RetryDecision } from './retryDecision';
import { withRetries, type RetryRules } from './withRetries';

/**
 * Buys the job unless an earlier attempt already did, then downloads its image.
 * @param signal Aborted when the run ends; paid calls that have not started are not made.
 * @throws what an earlier attempt came to, if the job may have been charged then.
 */
export async function buyJob(run: Run, job: Job, signal: AbortSignal): Promise<Delivery> {
	const result = unwrap(run.ledger.find(job) ?? (await purchase(run, job, signal)));
	return { result, image: await imageOf(run, job, result) };
}

async function purchase(run: Run, job: Job, signal: AbortSignal): Promise<Outcome<JobResult>> {
	const outcome = await settle(paidCall(run, job, signal));
	// If n8n is killed now, this log line is the only record of the purchase.
	run.log.purchase(job, outcome);
	if ('value' in outcome || isFinal(outcome.failure, job)) run.ledger.add(job, outcome);
	return outcome;
}

/** Whether a failure ends the job for all attempts, because the next one could pay for it again. */
function isFinal(failure: unknown, { options }: Job): boolean {
	if (retryDecision(failure) === 'unclear') return !options.retryUnclearOutcome;
	return mayBeCharged(failure);
}

async function paidCall(run: Run, job: Job, signal: AbortSignal): Promise<JobResult> {
	const { maxRetries, retryUnclearOutcome, timeout } = job.options;
	return await withRetries(
		async () => await submit(run.context, run.service, job.request, timeout),
		retryRules(run, job, {
			maxRetries,
			retried: retryUnclearOutcome ? ['retry', 'unclear'] : ['retry'],
			signal,
		}),
	);
}

async function imageOf(run: Run, job: Job, result: JobResult): Promise<Delivery['image']> {
	if (job.outputField === undefined) return undefined;
	const rules = { ...job.options, fileName: job.fileName };
	return await withRetries(
		async () => await download(run.context, run.service, result, rules),
		// To the end even if the run ends on a failure, because this image is paid for.
		retryRules(run, job, {
			maxRetries: job.options.maxRetries,
			retried: ['retry'],
			signal: run.signal,
		}),
	);
}

function retryRules(
	{ log }: Run,
	job: Job,
	{ retried, ...rules }: Pick<RetryRules, 'maxRetries' | 'signal'> & { retried: RetryDecision[] },
): RetryRules {
	return {
		...rules,
		shouldRetry: (failure) => retried.includes(retryDecision(failure)),
		retryAfter: (failure) => retryAfter(failure, Date.now()),
		onRetry: (ms, failure) => {
			log.retry(job, ms, failure);
		},
	};
}
