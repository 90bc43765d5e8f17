import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { Failed, type Failure } from '../failures/failures';
import { notStarted, settle, unwrap } from '../failures/outcome';
import { mayBeCharged, retryDecision } from '../failures/retryDecision';
import type { ExecutionMemory } from '../recall/executionMemory';
import type { Purchases, Receipt } from '../recall/recordPurchases';
import { download } from '../service/download';
import { referenceTo } from '../service/jobResults';
import type { Service } from '../service/service';
import { submit } from '../service/submit';
import type { FinishedJob, ExecutionLog, Job, JobResult } from '../types';
import type { PurchaseLimit } from './purchaseLimit';
import type { RateLimiters } from './rateLimiter/joinRateLimiters';
import { requestLoop } from './requestLoop';

/** What all purchases of a run share. */
export interface Buying {
	context: IExecuteFunctions;
	service: Service;
	/** What this execution bought. */
	memory: ExecutionMemory;
	/** What the node bought in all executions. */
	purchases: Purchases;
	limit: PurchaseLimit;
	/** Decide when requests may go out. */
	limiters: RateLimiters;
	log: ExecutionLog;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
}

/**
 * Buys a job, then downloads its image.
 * @param signal Aborted when the run ends; paid requests that have not started are not sent.
 */
export async function buyJob(run: Buying, job: Job, signal: AbortSignal): Promise<FinishedJob> {
	const outcome = await settle(purchase(run, job, signal));
	// If n8n is killed now, this log line is the only record of the purchase.
	run.log.purchase(job, outcome);
	if ('value' in outcome || isFinal(outcome.failure, job)) run.memory.add(job, outcome);
	return await deliver(run, job, unwrap(outcome));
}

/** Downloads the image of a paid job, unless an earlier attempt did. */
export async function deliver(run: Buying, job: Job, result: JobResult): Promise<FinishedJob> {
	if (job.outputField === undefined) return { result, image: undefined };
	const image = run.memory.imageOf(job) ?? (await downloadImage(run, job, result));
	run.memory.addImage(job, image);
	return { result, image };
}

/** Counts the paid request towards Max Images, and records it right before it is sent. */
async function purchase(run: Buying, job: Job, signal: AbortSignal): Promise<JobResult> {
	const { context, service, purchases, limit, limiters, log } = run;
	await limit.reserve(signal);
	const sent: { receipt?: Receipt } = {};
	const send = async (): Promise<JobResult> => {
		if (sent.receipt === undefined) {
			sent.receipt = await purchases.send(job);
			// Writing to a Purchase Log takes a moment, in which the run may have ended.
			if (signal.aborted) return unwrap(notStarted);
		}
		const { job: result, unusual } = await submit(
			context,
			service,
			job.request,
			job.options.timeout,
		);
		if (unusual !== undefined) log.tally.unusual.push(unusual);
		return result;
	};
	// It may have been charged, so a retry may buy one more image.
	const mayRepeatUnclear = () => job.options.retryUnclearOutcome && limit.reserveAnother();
	const outcome = await settle(
		requestLoop({ job, limiter: limiters.paid, send, mayRepeatUnclear, log, signal }),
	);
	const isCharged = 'value' in outcome || mayBeCharged(outcome.failure);
	limit.settle(isCharged);
	if ('value' in outcome) await sent.receipt?.bought(outcome.value);
	else if (!isCharged) sent.receipt?.notCharged();
	return unwrap(outcome);
}

/** Whether no further attempt may buy the job, because it could pay a second time. */
function isFinal(failure: Failure, { options }: Job): boolean {
	if (retryDecision(failure) === 'unclear') return !options.retryUnclearOutcome;
	return mayBeCharged(failure);
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
