import type { RateLimit } from '../types';
import { Refusal } from './refusal';

/**
 * A token bucket, as in most gateways: `calls` at once, then one more every
 * `seconds / calls`. It uses the sandbox's clock, so that a test can set the time.
 */
export class RateLimiter {
	/** Calls refused since the start or the last reset. */
	refused = 0;
	/** When the bucket is full again, in milliseconds since the epoch. */
	private fullAt = 0;
	private current: RateLimit | undefined;

	constructor(
		private readonly initial: RateLimit | undefined,
		private readonly now: () => Date,
	) {
		this.current = initial;
	}

	get limit(): RateLimit | undefined {
		return this.current;
	}

	/** Sets a limit and refills the bucket; undefined removes the limit. */
	set(limit: RateLimit | undefined): void {
		this.current = limit;
		this.fullAt = 0;
	}

	/** Restores the initial limit. */
	reset(): void {
		this.set(this.initial);
		this.refused = 0;
	}

	/** Counts a call. @throws Refusal 429, with Retry-After unless the limit leaves that out */
	take(): void {
		if (!this.current) return;
		const { calls, seconds, retryAfter = true } = this.current;
		const perCall = (seconds * 1000) / calls;
		const now = this.now().getTime();
		// At most one period from now, so that setting the clock back cannot block the account for longer.
		const fullAt = Math.min(Math.max(this.fullAt, now), now + calls * perCall);
		const wait = fullAt - now - (calls - 1) * perCall;
		if (wait <= 0) {
			this.fullAt = fullAt + perCall;
			return;
		}
		this.refused += 1;
		this.fullAt = fullAt;
		throw new Refusal(
			429,
			`Too many requests: this account may make ${calls} calls in ${seconds} seconds.`,
			retryAfter ? { 'retry-after': `${Math.ceil(wait / 1000)}` } : {},
		);
	}
}
