import { settle } from '../failures/outcome';
import { NotStarted } from './runCapped';
import { wait } from './wait';

/** When to retry, and how long to wait. */
export interface RetryRules {
	/** 0 or more. */
	maxRetries: number;
	/** Whether to retry after this failure. */
	shouldRetry: (failure: unknown) => boolean;
	/** The wait that the failure asks for, in milliseconds; undefined for the default. */
	retryAfter: (failure: unknown) => number | undefined;
	/** Called before each wait, in milliseconds. */
	onRetry: (ms: number, failure: unknown) => void;
	/** Aborts the wait and any further retry. */
	signal: AbortSignal | undefined;
}

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const LONGEST_ASKED_WAIT = 5 * 60_000;

/**
 * Retries as long as the rules allow. Waits double from one second to a minute, or last as long as the
 * failure asks for, five minutes at most.
 * @throws the last failure, even after a stop: it may name a paid job.
 */
export async function withRetries<T>(attempt: () => Promise<T>, rules: RetryRules): Promise<T> {
	const isEnded = () => rules.signal?.aborted === true;
	let before: unknown;
	for (let retries = 0; ; retries++) {
		try {
			return await attempt();
		} catch (error) {
			const failure: unknown = retries > 0 && error instanceof NotStarted ? before : error;
			before = failure;
			if (isEnded() || retries >= rules.maxRetries || !rules.shouldRetry(failure)) throw failure;
			const ms = waitTime(retries, rules.retryAfter(failure));
			rules.onRetry(ms, failure);
			await settle(wait(ms, rules.signal));
			if (isEnded()) throw failure;
		}
	}
}

/** Half of the wait is jitter, so that parallel jobs do not all retry at once. */
function waitTime(retries: number, asked: number | undefined): number {
	if (asked !== undefined) return Math.min(asked, LONGEST_ASKED_WAIT);
	const full = Math.min(FIRST_WAIT * 2 ** retries, LONGEST_WAIT);
	return full / 2 + (Math.random() * full) / 2;
}
