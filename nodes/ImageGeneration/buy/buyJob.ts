import type { IExecuteFunctions } from 'n8n-workflow';

import { settle, unwrap, type Failure, type Outcome } from '../failures/failures';
import { mayBeCharged, retryDecision } from '../failures/retryDecision';
import type { ExecutionMemory } from '../recall/executionMemory';
import type { Purchases } from '../recall/purchases';
import type { Service } from '../service/service';
import { submit } from '../service/submit';
import type { Job, JobPlace, JobResult } from '../types';
import { wait } from '../wait';
import type { PurchaseLimit } from './purchaseLimit';
import type { RateLimiter, RateLimiters } from './rateLimiter';
import { MOST_RETRIES, retryWait } from './retries';

/** What buying tells n8n's log while the node runs, and counts. */
export interface BuyingLog {
	tally: {
		/** Images of earlier runs that the service no longer has. */
		gone: number;
		/** What the service returned instead of a plain job result, for each image found in it. */
		oddResponses: string[];
	};
	/** Records a purchase; does nothing if the outcome names no job. */
	purchase(job: JobPlace, outcome: Outcome<JobResult>): void;
	/** Records a retry in `ms` milliseconds, and its reason. */
	retry(job: JobPlace, ms: number, failure: Failure): void;
}

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
	log: BuyingLog;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
	/** How many jobs are processed at once, 1 or more. */
	concurrency: number;
	/** Whether no job starts after one fails. */
	stopsOnFail: boolean;
}

/**
 * Buys a job. The paid request counts towards Max Images, and is recorded before it takes its turn: rows of a
 * table are written together, and requests that waited for them would leave together.
 * @param ended Aborted when the run ends; paid requests that have not started are not sent.
 */
export async function buyJob(run: Buying, job: Job, ended: AbortSignal): Promise<JobResult> {
	const { context, service, memory, purchases, limit, limiters, log } = run;
	const place = await limit.reserve(ended);
	const send = async (): Promise<JobResult> => {
		const { job: result, oddResponse } = await submit(
			context,
			service,
			job.request,
			job.options.timeout,
		);
		if (oddResponse !== undefined) log.tally.oddResponses.push(oddResponse);
		return result;
	};
	const recorded = await settle(purchases.send(job));
	const outcome =
		'failure' in recorded
			? recorded
			: await requestLoop({ log, signal: ended }, job, limiters.paid, send);
	const isBought = 'value' in outcome;
	const isCharged = isBought || mayBeCharged(outcome.failure);
	place.end(isCharged);
	// Another attempt could pay a second time.
	if (isCharged) memory.add(job, outcome);
	// If n8n is killed now, this log line is the only record of the purchase.
	log.purchase(job, outcome);
	if (isBought) await purchases.bought(job, outcome.value);
	else if (!isCharged) purchases.notCharged(job);
	return unwrap(outcome);
}

/**
 * Takes a turn at the rate limiter, sends, and does what {@link retryDecision} says. A request that is
 * refused because there were too many does not count as a retry: all requests slow down, and it goes out
 * again at its turn.
 * @param run Its signal aborts the waits and any further retry.
 * @returns the last failure if it does not succeed, even after a stop: it may name a paid job.
 */
export async function requestLoop<T>(
	{ log, signal }: Pick<Buying, 'log' | 'signal'>,
	job: Job,
	limiter: RateLimiter,
	send: () => Promise<T>,
): Promise<Outcome<T>> {
	let last: Failure | undefined;
	let retries = 0;
	while (true) {
		const turn = await settle(limiter.acquire(job.options.timeout * 1000, signal));
		if ('failure' in turn) return { failure: last ?? turn.failure };
		const outcome = await settle(send());
		if ('value' in outcome) return outcome;
		const { failure } = outcome;
		const decision = retryDecision(failure);
		if (decision === 'throttled') {
			limiter.refused(turn.value, failure);
			continue;
		}
		if (decision !== 'retry' || signal.aborted || retries === MOST_RETRIES) return outcome;
		last = failure;
		const ms = retryWait(retries, failure.retryAfter);
		retries++;
		log.retry(job, ms, failure);
		await settle(wait(ms, signal));
	}
}
