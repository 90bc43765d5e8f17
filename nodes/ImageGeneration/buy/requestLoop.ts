import { Failed, type Failure } from '../failures/failures';
import { settle } from '../failures/outcome';
import { mayBeCharged, retryAfter, retryDecision } from '../failures/retryDecision';
import { wait } from '../service/wait';
import type { ExecutionLog, Job } from '../types';
import type { RateLimiter } from './rateLimiter/rateLimiter';

/** A request that is repeated until it succeeds or another try makes no sense. */
export interface RepeatedRequest<T> {
	/** Its options say how often and how long. */
	job: Job;
	limiter: RateLimiter;
	/** Sends the request once. */
	send: () => Promise<T>;
	/** Whether to send it again after it may have been charged. Called once for each time. */
	mayRepeatUnclear?: () => boolean;
	log: Pick<ExecutionLog, 'retry'>;
	/** Aborts the waits and any further retry. */
	signal: AbortSignal | undefined;
}

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const LONGEST_ASKED_WAIT = 5 * 60_000;

/**
 * Takes a turn at the rate limiter, sends, and does what {@link retryDecision} says. A request that is
 * refused because there were too many does not count as a retry: all requests slow down, and it goes out
 * again at its turn. The waits for other retries double from one second to a minute, or last as long as
 * the failure asks for, five minutes at most.
 * @throws Failed with the last failure, even after a stop: it may name a paid job. An unclear outcome is
 * not hidden by a later failure that cost nothing.
 */
export async function requestLoop<T>(request: RepeatedRequest<T>): Promise<T> {
	const { job, limiter, signal } = request;
	const { maxRetries, timeout } = job.options;
	let last: Failure | undefined;
	let unclear: Failure | undefined;
	const giveUp = (failure: Failure): never => {
		throw new Failed(unclear === undefined || mayBeCharged(failure) ? failure : unclear);
	};
	for (let retries = 0; ; ) {
		const turn = await settle(limiter.acquire({ patience: timeout * 1000, signal }));
		if ('failure' in turn) return giveUp(last ?? turn.failure);
		const outcome = await settle(request.send());
		if ('value' in outcome) return outcome.value;
		const { failure } = outcome;
		const asked = retryAfter(failure, Date.now());
		const isOver = signal?.aborted === true || retries >= maxRetries;
		switch (retryDecision(failure)) {
			case 'throttled':
				turn.value.refused(failure, asked);
				if (maxRetries === 0) return giveUp(failure);
				continue;
			case 'unclear':
				if (isOver || request.mayRepeatUnclear?.() !== true) return giveUp(failure);
				unclear = failure;
				break;
			case 'retry':
				if (isOver) return giveUp(failure);
				break;
			case 'give up':
				return giveUp(failure);
		}
		last = failure;
		const ms = waitTime(retries++, asked);
		request.log.retry(job, ms, failure);
		await settle(wait(ms, signal));
	}
}

/** Half of the wait is jitter, so that parallel jobs do not all retry at once. */
function waitTime(retries: number, asked: number | undefined): number {
	if (asked !== undefined) return Math.min(asked, LONGEST_ASKED_WAIT);
	const full = Math.min(FIRST_WAIT * 2 ** retries, LONGEST_WAIT);
	return full / 2 + (Math.random() * full) / 2;
}
