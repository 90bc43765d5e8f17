import type { IContextObject } from 'n8n-workflow';

import { LimitReached } from '../failures/failures';
import { settle } from '../failures/outcome';
import { orAborted } from '../service/orAborted';
import { NotStarted } from './runCapped';

/** Caps the images that the node buys, or may have bought, in one execution. */
export interface PurchaseLimit {
	/** Whether `count` more paid requests stay within the limit. */
	hasRoomFor(count: number): boolean;
	/**
	 * Counts a paid request. At the limit it waits for those under way, which may turn out to be free.
	 * @throws LimitReached if the limit allows no more, NotStarted if the signal is aborted.
	 */
	reserve(signal?: AbortSignal): Promise<void>;
	/** Counts one more request for a job whose first may have been charged. @returns false at the limit. */
	reserveAnother(): boolean;
	/** Call once when a job is done. @param isCharged False if it was definitely not charged. */
	settle(isCharged: boolean): void;
	/** The failure for exceeding the limit. @param needed Paid requests that the run needs. */
	failure(needed: number): LimitReached;
}

const UNLIMITED: PurchaseLimit = {
	hasRoomFor: () => true,
	reserve: async () => {},
	reserveAnother: () => true,
	settle: () => {},
	failure: (needed) => new LimitReached(Infinity, 0, needed),
};

/** The requests under way, which parallel calls of an agent share; by the node's context. */
const underWay = new WeakMap<object, { count: number; onSettled: Set<() => void> }>();

/**
 * Opens the limit of an execution. The count is stored in the node's context, so it includes the rounds
 * of a loop, an agent's calls and Retry in the list of executions.
 * @param max 1 or more; undefined means no limit and no count.
 */
export function purchaseLimit(
	store: IContextObject,
	max: number | undefined,
	isTool = false,
): PurchaseLimit {
	if (max === undefined) return UNLIMITED;
	const open = underWay.get(store) ?? { count: 0, onSettled: new Set() };
	underWay.set(store, open);
	const bought = () => (isCount(store.imagesBought) ? store.imagesBought : 0);
	const limit: PurchaseLimit = {
		hasRoomFor: (count) => bought() + count <= max,
		reserve: async (signal) => {
			while (!limit.hasRoomFor(1)) {
				if (open.count === 0) throw limit.failure(1);
				const settled = new Promise<void>((resolve) => open.onSettled.add(resolve));
				if ('failure' in (await settle(orAborted(settled, signal)))) throw new NotStarted();
			}
			store.imagesBought = bought() + 1;
			open.count++;
		},
		reserveAnother: () => {
			const hasRoom = limit.hasRoomFor(1);
			if (hasRoom) store.imagesBought = bought() + 1;
			return hasRoom;
		},
		settle: (isCharged) => {
			if (!isCharged) store.imagesBought = bought() - 1;
			open.count--;
			for (const resolve of open.onSettled) resolve();
			open.onSettled.clear();
		},
		failure: (needed) => new LimitReached(max, bought(), needed, isTool),
	};
	return limit;
}

/** The execution's data may be damaged or edited. */
function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}
