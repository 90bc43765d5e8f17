import { settle, type Failure, type Outcome } from '../failures/failures';
import { retryDecision } from '../failures/retryDecision';
import type { Job, JobPlace } from '../types';
import { wait } from '../wait';
import type { RateLimiter } from './rateLimiter';
import { MOST_RETRIES, retryWait } from './retries';

/** What the loop tells n8n's log. */
export interface RetryLog {
	/** Records a retry in `ms` milliseconds, and its reason. */
	retry(place: JobPlace, ms: number, failure: Failure): void;
}

/**
 * Takes a turn at the rate limiter, sends, and does what {@link retryDecision} says. A request that is
 * refused because there were too many does not count as a retry: all requests slow down, and it goes out
 * again at its turn.
 * @param signal Aborts the waits and any further retry.
 * @returns the last failure if it does not succeed, even after a stop: it may name a paid job.
 */
export async function requestLoop<T>(
	log: RetryLog,
	signal: AbortSignal,
	job: Pick<Job, 'rows' | 'timeout'>,
	limiter: RateLimiter,
	send: () => Promise<T>,
): Promise<Outcome<T>> {
	let last: Failure | undefined;
	let retries = 0;
	while (true) {
		const turn = await settle(limiter.acquire(job.timeout * 1000, signal));
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
		log.retry(job.rows[0], ms, failure);
		await settle(wait(ms, signal));
	}
}
