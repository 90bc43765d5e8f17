import { DownloadFailure, RateLimited, ServiceRejection } from '../failures/failures';
import { settle, unwrap } from '../failures/outcome';
import type { Run } from '../run';
import { download } from '../service/download';
import { submit } from '../service/submit';
import type { Delivery, Job, JobResult } from '../types';
import { paced, type PacedRules } from './paced';
import { mayBeCharged, namesJob, retryAfter, retryDecision } from './retryDecision';
import { NotStarted } from './runCapped';
import { withRetries, type RetryRules } from './withRetries';

/**
 * Buys a job, then downloads its image.
 * @param signal Aborted when the run ends; paid requests that have not started are not sent.
 */
export async function buyJob(run: Run, job: Job, signal: AbortSignal): Promise<Delivery> {
	const outcome = await settle(purchase(run, job, signal));
	// If n8n is killed now, this log line is the only record of the purchase.
	run.log.purchase(job, outcome);
	if ('value' in outcome || namesJob(outcome.failure)) run.tally.paid++;
	if ('value' in outcome || isFinal(outcome.failure, job)) run.memory.add(job, outcome);
	return await deliver(run, job, unwrap(outcome));
}

/** Downloads the image of a paid job, unless an earlier attempt did. */
export async function deliver(run: Run, job: Job, result: JobResult): Promise<Delivery> {
	return { result, image: await imageOf(run, job, result) };
}

/** Counts the paid request towards Max Images, and records it before it is sent. */
async function purchase(run: Run, job: Job, signal: AbortSignal): Promise<JobResult> {
	await run.limit.reserve(signal);
	const sent = await settle(run.purchases.send(job));
	// Writing to a Purchase Log takes a moment, in which the run may have ended.
	if ('failure' in sent || signal.aborted) {
		run.limit.settle(false);
		await unwrap(sent).notCharged();
		throw new NotStarted();
	}
	const receipt = sent.value;
	const outcome = await settle(submitWithRetries(run, job, signal));
	const isCharged = 'value' in outcome || mayBeCharged(outcome.failure);
	run.limit.settle(isCharged);
	if ('value' in outcome) await receipt.bought(outcome.value);
	else if (!isCharged) await receipt.notCharged();
	return unwrap(outcome);
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
		await paced(run.limiters.paid, async () => await submitOnce(run, job), pacedRules);
	return await withRetries(attempt, {
		...rules,
		shouldRetry: (failure) => {
			if (retryDecision(failure) !== 'unclear') return rules.shouldRetry(failure);
			// It may have been charged, so a retry may buy one more image.
			return retryUnclearOutcome && run.limit.reserveAnother();
		},
	});
}

/** Sends one paid request. */
async function submitOnce({ context, service, tally }: Run, job: Job): Promise<JobResult> {
	const { job: result, unusual } = await submit(context, service, job.request, job.options.timeout);
	if (unusual !== undefined) tally.unusual.push(unusual);
	return result;
}

async function imageOf(run: Run, job: Job, result: JobResult): Promise<Delivery['image']> {
	if (job.outputField === undefined) return undefined;
	const stored = run.memory.imageOf(job);
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
	run.memory.addImage(job, image);
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
