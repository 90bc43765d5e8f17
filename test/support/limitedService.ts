/** What a simulated service says to a call. */
export interface Verdict {
	isAccepted: boolean;
	/** Milliseconds until the next call is taken, where it was refused. */
	wait: number;
}

/** A service that limits calls, on a clock of its own. */
export interface LimitedService {
	/** A call arrives. Milliseconds; never goes back. */
	call(now: number): Verdict;
}

const ACCEPTED: Verdict = { isAccepted: true, wait: 0 };

/** `calls` at once, then one more every `period / calls` milliseconds. */
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

/** `calls` in any `period` milliseconds. */
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

/** `calls` in each `period` milliseconds of the clock, the first of which is half over. */
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

/** Takes every call. */
export const unlimited: LimitedService = { call: () => ACCEPTED };

/** Refuses every call. @param wait What it asks for, in milliseconds. */
export function closed(wait: number): LimitedService {
	return { call: () => ({ isAccepted: false, wait }) };
}
