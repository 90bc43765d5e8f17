import type { Job, JobResult } from '../types';

/** A result that an earlier run of the node bought for the same request. */
export interface EarlierPurchase {
	result: JobResult;
	/** Whether that run was stopped before it delivered the image. */
	wasStopped: boolean;
}

/** The purchases of the node's earlier runs: job results, without images or keys. */
export interface EarlierRuns {
	/** Returns what {@link find} would, without taking it. */
	peek(job: Job): Promise<EarlierPurchase | undefined>;
	/** Finds a purchase for the same request; the n-th of equal requests gets the n-th purchase. */
	find(job: Job): Promise<EarlierPurchase | undefined>;
	/** Remembers a purchase of this run. */
	add(job: Job, result: JobResult): Promise<void>;
	/** Leaves the purchases of this stopped run to the next run. */
	handOver(purchases: ReadonlyArray<{ job: Job; result: JobResult }>): Promise<void>;
	/** Links that a stopped run bought and this run did not ask for; returned only once. */
	takeUnclaimed(): string[];
}

/** A purchase as an earlier run left it, as JSON, so that no run can change another's. */
export interface StoredPurchase {
	json: string;
	/** Milliseconds since 1970. */
	boughtAt: number;
	wasStopped: boolean;
}

/** The most purchases that one memory keeps. */
export const MOST_RESULTS = 1000;
/** Characters of JSON; a job result has about 200. */
const LONGEST_RESULT = 10_000;

/** @returns undefined for a result too long to be kept. */
export function storedPurchase(result: JobResult, wasStopped: boolean): StoredPurchase | undefined {
	const json = JSON.stringify(result);
	return json.length > LONGEST_RESULT ? undefined : { json, boughtAt: Date.now(), wasStopped };
}

export function earlierPurchase({ json, wasStopped }: StoredPurchase): EarlierPurchase {
	return { result: JSON.parse(json) as JobResult, wasStopped };
}

/** Removes the oldest entries until `most` are left. */
export function dropOldest(memory: Map<string, unknown>, most: number): void {
	for (const key of memory.keys()) {
		if (memory.size <= most) return;
		memory.delete(key);
	}
}
