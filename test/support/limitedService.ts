/**
 * A rate-limited service on a simulated clock. A request arrives at `now`, in milliseconds, which
 * never decreases.
 * @returns milliseconds until it accepts the next request, if it refuses this one
 */
export type LimitedService = (now: number) => number | undefined;

/** Accepts `limit` requests at once, then one every `period / limit` milliseconds. */
export function tokenBucket(limit: number, period: number): LimitedService {
	let tokens = limit;
	let at = 0;
	return (now) => {
		tokens = Math.min(limit, tokens + ((now - at) * limit) / period);
		at = now;
		if (tokens < 1) return ((1 - tokens) * period) / limit;
		tokens--;
		return undefined;
	};
}

/** Accepts `limit` requests in any `period` milliseconds. */
export function slidingWindow(limit: number, period: number): LimitedService {
	let taken: number[] = [];
	return (now) => {
		taken = taken.filter((time) => time > now - period);
		const [oldest = now] = taken;
		if (taken.length >= limit) return oldest + period - now;
		taken.push(now);
		return undefined;
	};
}

/** Accepts `limit` requests in each `period` milliseconds; the first period starts half over. */
export function fixedWindow(limit: number, period: number): LimitedService {
	let current = -1;
	let taken = 0;
	return (now) => {
		const moment = now + period / 2;
		const index = Math.floor(moment / period);
		if (index !== current) [current, taken] = [index, 0];
		if (taken >= limit) return (index + 1) * period - moment;
		taken++;
		return undefined;
	};
}

/** One service until a moment, then another. */
export function changing(before: LimitedService, at: number, after: LimitedService) {
	return (now: number) => (now < at ? before : after)(now);
}

/** Accepts every request. */
export const unlimited: LimitedService = () => undefined;

/** Refuses every request. @param wait the wait it asks for, in milliseconds */
export function closed(wait: number): LimitedService {
	return () => wait;
}
