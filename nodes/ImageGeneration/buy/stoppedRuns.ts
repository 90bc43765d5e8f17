import type { Job } from '../types';
import {
	dropOldest,
	earlierPurchase,
	MOST_RESULTS,
	storedPurchase,
	type EarlierPurchase,
	type EarlierRuns,
	type StoredPurchase,
} from './earlierRuns';
import { ownerOf, purchaseKeys, type RunOfNode } from './purchaseKeys';

/** What stopped runs of a node left, by the keys of their jobs. */
type Leftovers = Map<string, StoredPurchase>;

/** Milliseconds. */
const LONGEST_AGE = 24 * 60 * 60 * 1000;
const MOST_OWNERS = 100;

/** By account and node, oldest first. */
const leftoversByOwner = new Map<string, Leftovers>();

/**
 * The purchases that stopped production runs left to the next run. Only the memory of this process
 * survives Stop: n8n saves the execution at once, and then rejects the node's output and does not save
 * the workflow's static data (2.40.3, 1.123.81).
 */
export function stoppedRuns(run: RunOfNode): EarlierRuns {
	const { context } = run;
	const owner = ownerOf(run);
	// Looked up each time, because parallel runs of the node may add theirs.
	const leftovers = (): Leftovers =>
		leftoversByOwner.get(owner) ?? new Map<string, StoredPurchase>();
	for (const [key, { boughtAt }] of leftovers()) {
		if (Date.now() - boughtAt > LONGEST_AGE) leftovers().delete(key);
	}
	const keyOf = purchaseKeys(run);
	// Skip hashing the files if there is nothing to find.
	const foundKey = async (job: Job) => (leftovers().size === 0 ? undefined : await keyOf(job));
	const purchaseAt = (key: string | undefined): EarlierPurchase | undefined => {
		const found = key === undefined ? undefined : leftovers().get(key);
		return found === undefined ? undefined : earlierPurchase(found);
	};
	return {
		peek: async (job) => purchaseAt(await foundKey(job)),
		find: async (job) => {
			const key = await foundKey(job);
			const purchase = purchaseAt(key);
			if (key !== undefined) leftovers().delete(key);
			return purchase;
		},
		add: async () => {},
		handOver: async (purchases) => {
			for (const { job, result } of purchases) {
				const key = await keyOf(job);
				const purchase = storedPurchase(result, true);
				const all = leftovers();
				if (key === undefined || purchase === undefined || all.size >= MOST_RESULTS) continue;
				// If two stopped runs bought the same request, the later purchase is only reported.
				const free = all.has(key) ? `${key} ${context.getExecutionId()}` : key;
				leftoversByOwner.set(owner, all.set(free, purchase));
			}
			dropOldest(leftoversByOwner, MOST_OWNERS);
		},
		takeUnclaimed: () => {
			const links = [...leftovers().values()].map(
				(purchase) => earlierPurchase(purchase).result.output_url,
			);
			leftoversByOwner.delete(owner);
			return links;
		},
	};
}
