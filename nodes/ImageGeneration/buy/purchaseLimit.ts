import type { IContextObject } from 'n8n-workflow';

import { Failed, type LimitReached } from '../failures/failures';
import { notStarted, settle, unwrap } from '../failures/outcome';
import { orAborted } from '../service/wait';

/** Caps the images that the node buys, or may have bought, in one execution. */
export interface PurchaseLimit {
	/** Why a run can't make this many paid requests; undefined if they stay within the limit. */
	refusal(needed: number): LimitReached | undefined;
	/**
	 * Counts a paid request. At the limit it waits for those under way, which may turn out to be free.
	 * @throws Failed if the limit allows no more, or if the signal is aborted.
	 */
	reserve(signal?: AbortSignal): Promise<void>;
	/** Counts one more request for a job whose first may have been charged. @returns false at the limit. */
	reserveAnother(): boolean;
	/** Call once when a job is done. @param isCharged False if it was definitely not charged. */
	settle(isCharged: boolean): void;
}

const UNLIMITED: PurchaseLimit = {
	refusal: () => undefined,
	reserve: async () => {},
	reserveAnother: () => true,
	settle: () => {},
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
		refusal: (needed) => {
			if (bought() + needed <= max) return undefined;
			return { kind: 'limit reached', max, bought: bought(), needed, isTool };
		},
		reserve: async (signal) => {
			for (let refusal; (refusal = limit.refusal(1)) !== undefined; ) {
				if (open.count === 0) throw new Failed(refusal);
				const settled = new Promise<void>((resolve) => open.onSettled.add(resolve));
				if ('failure' in (await settle(orAborted(settled, signal)))) unwrap(notStarted);
			}
			store.imagesBought = bought() + 1;
			open.count++;
		},
		reserveAnother: () => {
			const hasRoom = limit.refusal(1) === undefined;
			if (hasRoom) store.imagesBought = bought() + 1;
			return hasRoom;
		},
		settle: (isCharged) => {
			if (!isCharged) store.imagesBought = bought() - 1;
			open.count--;
			for (const resolve of open.onSettled) resolve();
			open.onSettled.clear();
		},
	};
	return limit;
}

/** The execution's data may be damaged or edited. */
function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}
