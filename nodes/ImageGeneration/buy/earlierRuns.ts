import type { Run } from '../run';
import type { Job, JobResult } from '../types';
import { requestHash } from './requestHash';

/** A result that an earlier run of the node bought for the same request. */
export interface EarlierPurchase {
	result: JobResult;
	/** Whether that run was stopped before it delivered the image. */
	wasStopped: boolean;
}

/** The purchases of the node's earlier runs: job results, without images or keys. */
export interface EarlierRuns {
	/** Finds a purchase for the same request; the n-th of equal requests gets the n-th purchase. */
	find(job: Job): Promise<EarlierPurchase | undefined>;
	/** Remembers a purchase of this run. */
	add(job: Job, result: JobResult): Promise<void>;
	/** Leaves the purchases of this stopped run to the next run. */
	handOver(purchases: ReadonlyArray<{ job: Job; result: JobResult }>): Promise<void>;
	/** Links that a stopped run bought and this run did not ask for; returned only once. */
	takeUnclaimed(): string[];
}

interface Entry {
	json: string;
	/** Milliseconds since 1970. */
	boughtAt: number;
	wasStopped: boolean;
}

type RunOfNode = Pick<Run, 'context' | 'node' | 'service' | 'isTool'>;

/**
 * Opens the memory of earlier runs in this n8n process. A manual run finds purchases of manual runs in
 * the last hour. A production run finds only what a stopped run left to it.
 * @returns undefined for an agent's tool, because an agent repeats requests on purpose.
 */
export function openEarlierRuns(run: RunOfNode): EarlierRuns | undefined {
	if (run.isTool) return undefined;
	return run.context.getMode() === 'manual' ? manualRuns(run) : stoppedRuns(run);
}

/** Milliseconds. */
const LONGEST_AGE = 60 * 60 * 1000;
const MOST_RESULTS = 1000;
/** Characters of JSON; a job result has about 200. */
const LONGEST_RESULT = 10_000;

/** By account, node and request, oldest first. */
const remembered = new Map<string, Entry>();

function manualRuns(run: RunOfNode): EarlierRuns {
	const keyOf = resultKeys(run);
	const remember = (key: string | undefined, result: JobResult, wasStopped: boolean): void => {
		const json = JSON.stringify(result);
		if (key === undefined || json.length > LONGEST_RESULT) return;
		remembered.delete(key);
		remembered.set(key, { json, boughtAt: Date.now(), wasStopped });
		const [oldest] = remembered.keys();
		if (remembered.size > MOST_RESULTS && oldest !== undefined) remembered.delete(oldest);
	};
	return {
		find: async (job) => {
			const key = await keyOf(job);
			const found = key === undefined ? undefined : remembered.get(key);
			if (found === undefined || Date.now() - found.boughtAt > LONGEST_AGE) return undefined;
			const { wasStopped } = found;
			// This run delivers it, so later runs may only reuse it.
			found.wasStopped = false;
			return { result: JSON.parse(found.json) as JobResult, wasStopped };
		},
		add: async (job, result) => {
			remember(await keyOf(job), result, false);
		},
		handOver: async (purchases) => {
			for (const { job, result } of purchases) remember(await keyOf(job), result, true);
		},
		takeUnclaimed: () => [],
	};
}

/** Purchases of a stopped production run, by the keys of the jobs. */
type Leftovers = Map<string, Pick<Entry, 'json' | 'boughtAt'>>;

/** By account and node, oldest first. */
const leftoversByOwner = new Map<string, Leftovers>();
const LONGEST_STOPPED = 24 * LONGEST_AGE;
const MOST_OWNERS = 100;

/**
 * The purchases that stopped production runs left to the next run. Only the memory of this process
 * survives Stop: n8n saves the execution at once, and then rejects the node's output and does not save
 * the workflow's static data (2.40.3, 1.123.81).
 */
function stoppedRuns(run: RunOfNode): EarlierRuns {
	const { context } = run;
	const owner = ownerOf(run);
	// Looked up each time, because parallel runs of the node may add theirs.
	const leftovers = (): Leftovers => leftoversByOwner.get(owner) ?? new Map<string, Entry>();
	for (const [key, { boughtAt }] of leftovers()) {
		if (Date.now() - boughtAt > LONGEST_STOPPED) leftovers().delete(key);
	}
	const keyOf = resultKeys(run);
	return {
		find: async (job) => {
			// Skip hashing the files if there is nothing to find.
			const key = leftovers().size === 0 ? undefined : await keyOf(job);
			const found = key === undefined ? undefined : leftovers().get(key);
			if (key === undefined || found === undefined) return undefined;
			leftovers().delete(key);
			return { result: JSON.parse(found.json) as JobResult, wasStopped: true };
		},
		add: async () => {},
		handOver: async (purchases) => {
			const boughtAt = Date.now();
			for (const { job, result } of purchases) {
				const key = await keyOf(job);
				const json = JSON.stringify(result);
				const all = leftovers();
				if (key === undefined || json.length > LONGEST_RESULT || all.size >= MOST_RESULTS) continue;
				// If two stopped runs bought the same request, the later purchase is only reported.
				const free = all.has(key) ? `${key} ${context.getExecutionId()}` : key;
				leftoversByOwner.set(owner, all.set(free, { json, boughtAt }));
			}
			const [oldest] = leftoversByOwner.keys();
			if (leftoversByOwner.size > MOST_OWNERS && oldest !== undefined)
				leftoversByOwner.delete(oldest);
		},
		takeUnclaimed: () => {
			const links = [...leftovers().values()].map(
				({ json }) => (JSON.parse(json) as JobResult).output_url,
			);
			leftoversByOwner.delete(owner);
			return links;
		},
	};
}

/**
 * Returns a function that gives each job the key of its result: account, node, request, and the number
 * of equal requests before it in this run.
 */
function resultKeys(run: RunOfNode): (job: Job) => Promise<string | undefined> {
	const owner = ownerOf(run);
	const counts = new Map<string, number>();
	const found = new Map<Job, Promise<string | undefined>>();
	let previous: Promise<unknown> = Promise.resolve();
	const next = async (job: Job, before: Promise<unknown>): Promise<string | undefined> => {
		await before;
		const hash = await requestHash(owner, job.request);
		if (hash === undefined) return undefined;
		const count = (counts.get(hash) ?? 0) + 1;
		counts.set(hash, count);
		return `${hash} ${count}`;
	};
	return async (job) => {
		// Sequential, in the order of the jobs, so that equal requests are numbered alike in every run.
		const key = found.get(job) ?? next(job, previous);
		found.set(job, key);
		previous = key;
		return await key;
	};
}

function ownerOf({ context, node, service }: RunOfNode): string {
	return JSON.stringify([service.account, context.getWorkflow().id, node.id]);
}
