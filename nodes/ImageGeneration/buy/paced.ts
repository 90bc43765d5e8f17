import { settle, unwrap } from '../failures/outcome';
import { NoTurn, type Patience, type RateLimiter } from './rateLimiter/rateLimiter';

/** When a refused request is sent again. */
export interface PacedRules extends Patience {
	/** If 0, a refused request is not sent again. */
	maxRetries: number;
	/** Whether the service refused the request because there were too many. */
	isThrottled: (failure: unknown) => boolean;
	/** The wait that the service asks for, in milliseconds; undefined if it does not say. */
	retryAfter: (failure: unknown) => number | undefined;
	/** Makes the failure of a request that is given up, from the last refusal of any request. */
	giveUpFailure: (lastRefusal: unknown, asked: number | undefined) => unknown;
}

/**
 * Makes a request at the rate that the service accepts. A refused request does not fail: all requests slow down, and
 * it is sent again at its turn.
 * @throws any other failure of the request, or {@link PacedRules.giveUpFailure}.
 */
export async function paced<T>(
	limiter: RateLimiter,
	request: () => Promise<T>,
	rules: PacedRules,
): Promise<T> {
	for (;;) {
		const turn = await settle(limiter.acquire(rules));
		if ('failure' in turn) throw toFailure(turn.failure, rules);
		const outcome = await settle(request());
		if ('value' in outcome || !rules.isThrottled(outcome.failure)) return unwrap(outcome);
		turn.value.refused(outcome.failure, rules.retryAfter(outcome.failure));
		if (rules.maxRetries === 0) return unwrap(outcome);
	}
}

function toFailure(failure: unknown, { giveUpFailure }: PacedRules): unknown {
	return failure instanceof NoTurn ? giveUpFailure(failure.lastRefusal, failure.asked) : failure;
}
