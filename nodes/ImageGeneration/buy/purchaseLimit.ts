import type { IContextObject } from 'n8n-workflow';

import { LimitReached } from '../failures/failures';

/** Caps the images that the node buys, or may have bought, in one execution. */
export interface PurchaseLimit {
	/** Whether `count` more paid requests stay within the limit. */
	hasRoomFor(count: number): boolean;
	/** Counts a paid request. @throws LimitReached if the limit allows no more. */
	reserve(): void;
	/** Uncounts a paid request that was definitely not charged. */
	release(): void;
	/** The failure for exceeding the limit. @param needed Paid requests that the run needs. */
	failure(needed: number): LimitReached;
}

const UNLIMITED: PurchaseLimit = {
	hasRoomFor: () => true,
	reserve: () => {},
	release: () => {},
	failure: (needed) => new LimitReached(Infinity, 0, needed),
};

/**
 * Opens the limit of an execution. The count is stored in the node's context, so it includes the rounds
 * of a loop, an agent's calls and Retry in the list of executions.
 * @param max 1 or more; undefined means no limit and no count.
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

/** The execution's data may be damaged or edited. */
function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}
