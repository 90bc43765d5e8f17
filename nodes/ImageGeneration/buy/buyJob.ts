import type { IExecuteFunctions } from 'n8n-workflow';

import { Failed, notStarted, settle, unwrap, type Outcome } from '../failures/failures';
import { mayBeCharged } from '../failures/retryDecision';
import type { Flight } from '../recall/journal';
import type { Purchase } from '../recall/purchase';
import type { Purchases } from '../recall/purchases';
import type { Service } from '../service/service';
import { submit } from '../service/submit';
import type { Job, JobPlace, JobResult } from '../types';
import { onAbort } from '../wait';
import type { Limits } from './limits';
import type { RateLimiters } from './rateLimiter';
import { requestLoop, type RetryLog } from './requestLoop';

/** What buying tells n8n's log while the node runs. */
export interface BuyingLog extends RetryLog {
	/** Records a purchase, or that there may be one. */
	purchase(place: JobPlace, outcome: Outcome<JobResult>): void;
}

/** What all purchases of a run share. */
export interface Buying {
	context: IExecuteFunctions;
	service: Service;
	/** Notes what is bought. */
	purchases: Purchases;
	limits: Limits;
	/** Decide when requests may go out. */
	limiters: RateLimiters;
	/** Tell a sub-workflow whether those that wait for it go on. */
	callers: { check(): Promise<void> };
	log: BuyingLog;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
}

/**
 * Buys a planned job: its request is under way at once, is recorded in the log before it takes its turn, and what came of it
 * is noted, even if the run is stopped meanwhile.
 * @param ended Aborted when the run ends; paid requests that have not started are not sent.
 * @throws Failed
 */
export async function buyJob(
	attempt: Buying,
	job: Job,
	ended: AbortSignal,
): Promise<{ purchase: Purchase; result: JobResult }> {
	const { purchases, limits, limiters, log, signal } = attempt;
	const flight = purchases.enter(job);
	limits.enter();
	const note = (outcome: Outcome<JobResult>) => {
		if ('failure' in outcome && !mayBeCharged(outcome.failure)) limits.notCharged();
		purchases.settle(job, flight, outcome, job.request.file?.sha256 ?? '');
		// If n8n is killed now, this log line is the only record of the purchase.
		log.purchase(job.rows[0], outcome);
	};
	const recorded = await settle(purchases.record(flight));
	if ('failure' in recorded) note(recorded);
	unwrap(recorded);
	// Completely sent, and not answered.
	let isSent = false;
	const onSent = () => {
		isSent = true;
		// Another picture may have the same size and first bytes.
		flight.purchase.file = job.request.file?.sha256 ?? '';
	};
	const answer = requestLoop(log, ended, job, limiters.paid, async () => {
		const sent = await settle(sendOnce(attempt, job, flight, ended, onSent));
		// Until the next try, nothing is under way.
		isSent = false;
		return unwrap(sent);
	});
	let stopListening = () => {};
	const stopped = new Promise<'stopped'>((resolve) => {
		stopListening = onAbort(signal, () => {
			if (isSent) resolve('stopped');
		});
	});
	const first = await Promise.race([answer, stopped]);
	stopListening();
	if (first === 'stopped') {
		// It is mostly charged, so the answer is awaited in the background. Not even n8n's shutdown waits for that.
		void answer.then(note);
		throw new Failed({ kind: 'awaited' });
	}
	note(first);
	return { purchase: flight.purchase, result: unwrap(first) };
}

async function sendOnce(
	{ context, service, purchases, callers, signal }: Buying,
	{ request, timeout }: Job,
	flight: Flight,
	ended: AbortSignal,
	onSent: () => void,
): Promise<JobResult> {
	await callers.check();
	// Writing to a Purchase Log takes a moment, in which the run may have ended.
	if (ended.aborted) throw new Failed(notStarted.failure);
	flight.sentAt ??= purchases.now();
	return await submit(context, service, request, timeout, { signal, onSent });
}
