import type { IContextObject } from 'n8n-workflow';

import { LimitReached } from '../failures/failures';

/** Caps what the node buys, or may have bought, in one execution. */
export interface PurchaseLimit {
	/** Whether `count` more paid calls would stay within the limit. */
	hasRoomFor(count: number): boolean;
	/** @throws LimitReached if there is no room for one more paid call. */
	reserve(): void;
	/** Gives back a call that was definitely not charged. */
	release(): void;
	/** The failure of what would go beyond the limit. @param needed paid calls that are wanted. */
	failure(needed: number): LimitReached;
}

const UNLIMITED: PurchaseLimit = {
	hasRoomFor: () => true,
	reserve: () => {},
	release: () => {},
	failure: (needed) => new LimitReached(Infinity, 0, needed),
};

/**
 * The limit of an execution. The count lies in the node's context, so that it holds for the runs of
 * a loop, for the calls of an agent, and for Retry in the list of executions.
 * @param max 1 or more; undefined means no limit, and then nothing is counted.
 */
export function purchaseLimit(store: IContextObject, max: number | undefined): PurchaseLimit {
	if (max === undefined) return UNLIMITED;
	const bought = () => (isCount(store.imagesBought) ? store.imagesBought : 0);
	const limit: PurchaseLimit = {
		hasRoomFor: (count) => bought() + count <= max,
		reserve: () => {
			if (!limit.hasRoomFor(1)) throw limit.failure(1);
			store.imagesBought = bought() + 1;
		},
		release: () => {
			store.imagesBought = bought() - 1;
		},
		failure: (needed) => new LimitReached(max, bought(), needed),
	};
	return limit;
}

/** The execution's data may have been damaged or edited. */
function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}
