import type { IExecuteFunctions } from 'n8n-workflow';

import { Failed, notStarted, settle, unwrap, type Outcome } from '../failures/failures';
import { mayBeCharged } from '../failures/retryDecision';
import type { ExecutionMemory } from '../recall/executionMemory';
import type { Purchase } from '../recall/purchase';
import type { Purchases } from '../recall/purchases';
import type { Service } from '../service/service';
import { submit } from '../service/submit';
import type { Job, JobPlace, JobResult } from '../types';
import { onAbort } from '../wait';
import { awaitAnswer } from './awaitAnswer';
import type { Limits } from './limits';
import type { RateLimiters } from './rateLimiter';
import { requestLoop, type RetryLog } from './requestLoop';

/** What buying tells n8n's log while the node runs, and counts. */
export interface BuyingLog extends RetryLog {
	tally: {
		/** Images of earlier runs that the service no longer has. */
		gone: number;
		/** What the service returned instead of a plain job result, for each image found in it. */
		oddResponses: string[];
	};
	/** Records a purchase; does nothing if the outcome names no job. */
	purchase(job: JobPlace, outcome: Outcome<JobResult>): void;
}

/** What all purchases of a run share. */
export interface Buying {
	context: IExecuteFunctions;
	service: Service;
	/** What this execution bought. */
	memory: ExecutionMemory;
	/** The purchases of the run, and those of others. */
	purchases: Purchases;
	limits: Limits;
	/** Decide when requests may go out. */
	limiters: RateLimiters;
	/** Tell a sub-workflow whether those that wait for it go on. */
	callers: { readonly signal: AbortSignal; check(): Promise<void> };
	log: BuyingLog;
	/** Notes an image that the run delivers, so that the node recognizes it if it comes back as input. */
	noteMade: (job: Job, result: JobResult, file?: { size: number; sha256: string }) => void;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
	/** How many jobs are processed at once, 1 or more. */
	concurrency: number;
	/** Whether no job starts after one fails. */
	stopsOnFail: boolean;
}

/**
 * Buys a job. The paid request counts towards the limits, and is recorded before it takes its turn.
 * @param ended Aborted when the run ends; paid requests that have not started are not sent.
 */
export async function buyJob(attempt: Buying, job: Job, ended: AbortSignal): Promise<JobResult> {
	const { memory, purchases, log } = attempt;
	const recorded = await settle(record(attempt, job, ended));
	if ('failure' in recorded) purchases.settleAnnounced(job, undefined);
	const { place, purchase } = unwrap(recorded);
	const requested = await settle(request(attempt, job, purchase, ended));
	const outcome = 'value' in requested ? requested.value : requested;
	const isBought = 'value' in outcome;
	const isCharged = isBought || mayBeCharged(outcome.failure);
	place.end(isCharged);
	// Another attempt could pay a second time.
	if (isCharged) memory.add(job, outcome, purchase);
	// If n8n is killed now, this log line is the only record of the purchase.
	log.purchase(job, outcome);
	if (isBought) await purchases.bought(job, outcome.value);
	else if (!isCharged) purchases.notCharged(job);
	else purchases.unclear(job);
	return unwrap(outcome);
}

/** Records a job's request once there is a place for it. @throws Failed if a limit or the log does not allow it */
async function record({ limits, purchases }: Buying, job: Job, ended: AbortSignal) {
	const place = await limits.execution.reserve(ended);
	const recorded = await settle(limits.day.record(purchases, job, ended));
	if ('failure' in recorded) place.end(false);
	return { place, purchase: unwrap(recorded) };
}

/** Sends the request of a recorded purchase. After Stop, what is completely sent is awaited in the background. */
async function request(
	attempt: Buying,
	job: Job,
	purchase: Purchase,
	ended: AbortSignal,
): Promise<Outcome<JobResult>> {
	const { context, service, purchases, limiters, callers, log, signal } = attempt;
	let isSent = false;
	const send = async (): Promise<JobResult> => {
		isSent = false;
		await callers.check();
		// Writing to a Purchase Log takes a moment, in which the run may have ended.
		if (ended.aborted) throw new Failed(notStarted.failure);
		const onSent = () => {
			isSent = true;
			// Another picture may have the same size and first bytes.
			purchase.file = job.request.file?.sha256 ?? '';
		};
		const sent = await settle(
			submit(context, service, job.request, job.options.timeout, { signal, onSent }),
		);
		// Until the next try, nothing is under way.
		isSent = false;
		const { job: result, oddResponse } = unwrap(sent);
		if (oddResponse !== undefined) log.tally.oddResponses.push(oddResponse);
		return result;
	};
	const answer = requestLoop(log, ended, job, limiters.paid, send);
	let cancel = () => {};
	const stopped = new Promise<'stopped'>((resolve) => {
		cancel = onAbort(signal, () => {
			if (isSent) resolve('stopped');
		});
	});
	const first = await Promise.race([answer, stopped]);
	cancel();
	if (first !== 'stopped') return first;
	// It has been read to its end, because the request is completely sent.
	purchase.file = job.request.file?.sha256 ?? '';
	awaitAnswer(purchases, purchase, answer, (outcome) => log.purchase(job, outcome));
	return { failure: { kind: 'awaited' } };
}
