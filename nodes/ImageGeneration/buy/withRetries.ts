import { settle } from '../failures/outcome';
import { NotStarted } from './runCapped';
import { wait } from './wait';

/** When an attempt is repeated. */
export interface RetryRules {
	/** 0 or more. */
	maxRetries: number;
	/** Whether another attempt may follow this failure. */
	shouldRetry: (failure: unknown) => boolean;
	/** How long the failure asks to wait, in milliseconds; undefined leaves it to us. */
	retryAfter: (failure: unknown) => number | undefined;
	/** Called before each wait, in milliseconds. */
	onRetry: (ms: number, failure: unknown) => void;
	/** Ends the wait, and lets no further attempt follow. */
	signal: AbortSignal | undefined;
}

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const LONGEST_ASKED_WAIT = 5 * 60_000;

/**
 * Repeats an attempt as long as the rules allow, with waits that double from one second to a
 * minute, or as long as the failure asks for, five minutes at most.
 * @throws the failure of the last attempt that was made, after a stop as well: it may name what was
 * paid for.
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
			const ms = pause(retries, rules.retryAfter(failure));
			rules.onRetry(ms, failure);
			await settle(wait(ms, rules.signal));
			if (isEnded()) throw failure;
		}
	}
}

/** Half of the wait is left to chance, so that parallel items don't come back all at once. */
function pause(retries: number, asked: number | undefined): number {
	if (asked !== undefined) return Math.min(asked, LONGEST_ASKED_WAIT);
	const full = Math.min(FIRST_WAIT * 2 ** retries, LONGEST_WAIT);
	return full / 2 + (Math.random() * full) / 2;
}
