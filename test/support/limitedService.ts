/** A simulated service's response. */
export interface Verdict {
	isAccepted: boolean;
	/** Milliseconds until it accepts the next request, if it refused this one. */
	wait: number;
}

/** A rate-limited service on a simulated clock. */
export interface LimitedService {
	/** A request arrives at `now`, in milliseconds, which never decreases. */
	call(now: number): Verdict;
}

const ACCEPTED: Verdict = { isAccepted: true, wait: 0 };

/** Accepts `calls` at once, then one every `period / calls` milliseconds. */
export function tokenBucket(calls: number, period: number): LimitedService {
	let tokens = calls;
	let at = 0;
	return {
		call: (now) => {
			tokens = Math.min(calls, tokens + ((now - at) * calls) / period);
			at = now;
			if (tokens < 1) return { isAccepted: false, wait: ((1 - tokens) * period) / calls };
			tokens--;
			return ACCEPTED;
		},
	};
}

/** Accepts `calls` in any `period` milliseconds. */
export function slidingWindow(calls: number, period: number): LimitedService {
	let taken: number[] = [];
	return {
		call: (now) => {
			taken = taken.filter((time) => time > now - period);
			const [oldest = now] = taken;
			if (taken.length >= calls) return { isAccepted: false, wait: oldest + period - now };
			taken.push(now);
			return ACCEPTED;
		},
	};
}

/** Accepts `calls` in each `period` milliseconds; the first period starts half over. */
export function fixedWindow(calls: number, period: number): LimitedService {
	let current = -1;
	let taken = 0;
	return {
		call: (now) => {
			const moment = now + period / 2;
			const index = Math.floor(moment / period);
			if (index !== current) [current, taken] = [index, 0];
			if (taken >= calls) return { isAccepted: false, wait: (index + 1) * period - moment };
			taken++;
			return ACCEPTED;
		},
	};
}

/** One service until a moment, then another. */
export function changing(
	before: LimitedService,
	at: number,
	after: LimitedService,
): LimitedService {
	return { call: (now) => (now < at ? before : after).call(now) };
}

/** Accepts every request. */
export const unlimited: LimitedService = { call: () => ACCEPTED };

/** Refuses every request. @param wait the wait it asks for, in milliseconds */
export function closed(wait: number): LimitedService {
	return { call: () => ({ isAccepted: false, wait }) };
}
