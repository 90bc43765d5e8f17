import { settle, unwrap } from '../failures/outcome';
import { NoTurn, type Pace, type Patience } from './pace';

/** When a refused call goes out again. */
export interface PacedRules extends Patience {
	/** If 0, a refused call does not go out again. */
	maxRetries: number;
	/** Whether the service refused the call because there were too many. */
	isThrottled: (failure: unknown) => boolean;
	/** How long the service asks to wait, in milliseconds; undefined if it does not say. */
	retryAfter: (failure: unknown) => number | undefined;
	/** The failure of a call that is given up, from the last refusal of any call. */
	givenUp: (lastRefusal: unknown, asked: number | undefined) => unknown;
}

/**
 * Makes a call at the service's pace. A refusal is no failure of the call that met it: all calls
 * slow down, and it goes out again at its turn.
 * @throws what else the call failed with, or the rules' failure if it is given up.
 */
export async function paced<T>(pace: Pace, call: () => Promise<T>, rules: PacedRules): Promise<T> {
	for (;;) {
		const turn = await settle(pace.admit(rules));
		if ('failure' in turn) throw rejected(turn.failure, rules);
		const outcome = await settle(call());
		if ('value' in outcome || !rules.isThrottled(outcome.failure)) {
			turn.value.accepted();
			return unwrap(outcome);
		}
		turn.value.refused(outcome.failure, rules.retryAfter(outcome.failure));
		if (rules.maxRetries === 0) return unwrap(outcome);
	}
}

function rejected(failure: unknown, { givenUp }: PacedRules): unknown {
	return failure instanceof NoTurn ? givenUp(failure.lastRefusal, failure.asked) : failure;
}
