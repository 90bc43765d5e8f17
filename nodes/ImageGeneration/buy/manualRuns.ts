import type { Job, JobResult } from '../types';
import {
	dropOldest,
	earlierPurchase,
	MOST_RESULTS,
	storedPurchase,
	type EarlierRuns,
	type StoredPurchase,
} from './earlierRuns';
import { purchaseKeys, type RunOfNode } from './purchaseKeys';

/** Milliseconds. */
const LONGEST_AGE = 60 * 60 * 1000;

/** By account, node and request, oldest first. */
const remembered = new Map<string, StoredPurchase>();

/** The purchases of this n8n's manual runs in the last hour. */
export function manualRuns(run: RunOfNode): EarlierRuns {
	const keyOf = purchaseKeys(run);
	const remember = async (job: Job, result: JobResult, wasStopped: boolean): Promise<void> => {
		const key = await keyOf(job);
		const purchase = storedPurchase(result, wasStopped);
		if (key === undefined || purchase === undefined) return;
		remembered.delete(key);
		remembered.set(key, purchase);
		dropOldest(remembered, MOST_RESULTS);
	};
	const recall = async (job: Job): Promise<StoredPurchase | undefined> => {
		const key = await keyOf(job);
		const found = key === undefined ? undefined : remembered.get(key);
		return found === undefined || Date.now() - found.boughtAt > LONGEST_AGE ? undefined : found;
	};
	return {
		peek: async (job) => {
			const found = await recall(job);
			return found === undefined ? undefined : earlierPurchase(found);
		},
		find: async (job) => {
			const found = await recall(job);
			if (found === undefined) return undefined;
			const purchase = earlierPurchase(found);
			// This run delivers it, so later runs may only reuse it.
			found.wasStopped = false;
			return purchase;
		},
		add: async (job, result) => {
			await remember(job, result, false);
		},
		handOver: async (purchases) => {
			for (const { job, result } of purchases) await remember(job, result, true);
		},
		takeUnclaimed: () => [],
	};
}
