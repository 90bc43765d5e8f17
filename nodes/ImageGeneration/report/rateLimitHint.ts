import { duration } from './duration';

/** Shorter waits are not worth a hint, in milliseconds. */
const LEAST_HELD = 1000;

/** How a rate limit slowed a run down. */
interface RateLimitEffect {
	/** Number of refused requests. */
	refusals: number;
	/** How long the run had to wait, in milliseconds. */
	held: number;
	/** Time between two requests that the service accepts, in milliseconds. */
	interval: number;
}

/**
 * Says how long the service's rate limit made a run wait, and which Request Interval avoids that.
 * @returns undefined if the run did not wait.
 */
export function rateLimitHint({ refusals, held, interval }: RateLimitEffect): string | undefined {
	if (refusals === 0 || held < LEAST_HELD) return undefined;
	const requests = refusals === 1 ? '1 request' : `${refusals.toLocaleString('en')} requests`;
	return `The service refused ${requests} because there were too many, so this run waited ${duration(held)}. The service accepts about one request every ${roundUp(interval)} milliseconds: set 'Request Interval' to that to stay within its limit.`;
}

/** Rounds up to two digits; the measurement is no more precise. */
function roundUp(ms: number): string {
	const step = 10 ** Math.max(0, Math.floor(Math.log10(ms)) - 1);
	return (Math.ceil(ms / step) * step).toLocaleString('en');
}
