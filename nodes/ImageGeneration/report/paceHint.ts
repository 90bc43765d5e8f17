import type { Pace } from '../buy/pace';
import { duration } from './duration';

/** Below this many milliseconds a run was not held back in a way that anyone would notice. */
const LEAST_HELD = 1000;

/**
 * Says that the service held a run back, and which Request Interval would have avoided it.
 * @returns undefined if it did not, or if its limit is not known.
 */
export function paceHint({
	refusals,
	held,
	limit,
}: Pick<Pace, 'refusals' | 'held' | 'limit'>): string | undefined {
	if (refusals === 0 || held < LEAST_HELD || limit === undefined) return undefined;
	const requests = refusals === 1 ? '1 request' : `${refusals.toLocaleString('en')} requests`;
	const interval = roundedUp(limit.period / limit.calls).toLocaleString('en');
	return `The service refused ${requests} because there were too many, so this run waited ${duration(held)}. The service accepts about one request every ${interval} milliseconds: set 'Request Interval' to that to stay within its limit.`;
}

/** Two digits are as much as is known. */
function roundedUp(ms: number): number {
	const step = 10 ** Math.max(0, Math.floor(Math.log10(ms)) - 1);
	return Math.ceil(ms / step) * step;
}
