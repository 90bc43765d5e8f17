import type { IContextObject } from 'n8n-workflow';

import { Failed, notStarted, settle, type LimitReached } from '../failures/failures';
import { orAborted } from '../wait';

/** Caps the images that the node buys, or may have bought, in one execution. */
export type PurchaseLimit = ReturnType<typeof purchaseLimit>;

/**
 * The requests under way, the last one in line for a place, because the first jobs are bought, and what
 * wakes the first one. By the node's context, because parallel calls of an agent share them.
 */
const lines = new WeakMap<object, { underWay: number; last: Promise<unknown>; wake: () => void }>();

/**
 * Opens the limit of an execution. The count is stored in the node's context, so it includes the rounds
 * of a loop, an agent's calls and Retry in the list of executions.
 * @param max 1 or more; Infinity means no limit and no count.
 */
export function purchaseLimit(store: IContextObject, max: number, isTool = false) {
	const line = lines.get(store) ?? { underWay: 0, last: Promise.resolve(), wake: () => {} };
	lines.set(store, line);
	const bought = () => Number(store.imagesBought ?? 0);
	const count = (images: number) => {
		if (max < Infinity) store.imagesBought = bought() + images;
	};
	const refusal = (needed: number): LimitReached | undefined => {
		if (bought() + needed <= max) return undefined;
		return { kind: 'limit reached', max, bought: bought(), needed, isTool };
	};
	const take = async (signal: AbortSignal) => {
		for (let full; (full = refusal(1)) !== undefined; ) {
			if (line.underWay === 0) throw new Failed(full);
			await settle(orAborted(new Promise<void>((resolve) => (line.wake = resolve)), signal));
			if (signal.aborted) throw new Failed(notStarted.failure);
		}
		count(1);
		let counted = 1;
		line.underWay++;
		return {
			/** Counts one more request, because the last may have been charged. @returns false at the limit. */
			another: (): boolean => {
				if (refusal(1) !== undefined) return false;
				count(1);
				counted++;
				return true;
			},
			/** Ends the job, and takes back the requests that were not charged. */
			end: (charged: number): void => {
				count(charged - counted);
				line.underWay--;
				line.wake();
			},
		};
	};
	return {
		/** Why a run can't make this many paid requests; undefined if they stay within the limit. */
		refusal,
		/**
		 * Counts a paid request. At the limit it waits for those under way, which may turn out to be free.
		 * @throws Failed if the limit allows no more, or if the signal is aborted.
		 */
		reserve: async (signal: AbortSignal) => {
			const taken = settle(line.last).then(async () => await take(signal));
			line.last = taken;
			return await taken;
		},
	};
}
