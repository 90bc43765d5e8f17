import type { Run } from '../run';
import type { Job, JobResult } from '../types';
import { requestHash } from './requestHash';

/** What an earlier run of the node bought for the same request, and why this run may take it. */
export interface EarlierPurchase {
	result: JobResult;
	/** Whether that run was stopped, so that its image was never delivered. */
	wasStopped: boolean;
}

/** What earlier runs of the node have bought: links, no image and no key. */
export interface EarlierRuns {
	/** What {@link find} would give, and leaves it there. */
	peek(job: Job): Promise<EarlierPurchase | undefined>;
	/** What an earlier run has bought for the same request; the n-th of equal ones gets the n-th. */
	find(job: Job): Promise<EarlierPurchase | undefined>;
	/** Remembers what this run has bought. */
	add(job: Job, result: JobResult): Promise<void>;
	/** Leaves to the next run what this one has bought and can't deliver, because it was stopped. */
	handOver(purchases: ReadonlyArray<{ job: Job; result: JobResult }>): Promise<void>;
	/** Links that a stopped run has bought and no job of this run asked for; named only once. */
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
 * Opens the memory of earlier runs. A manual run knows what manual runs of the last hour have bought
 * in this n8n process. A production run knows only what a stopped run has left to it.
 * @returns undefined for an agent's tool, whose agent asks again on purpose.
 */
export function openEarlierRuns(run: RunOfNode): EarlierRuns | undefined {
	if (run.isTool) return undefined;
	return run.context.getMode() === 'manual' ? manualRuns(run) : stoppedRuns(run);
}

/** Milliseconds. */
const LONGEST_AGE = 60 * 60 * 1000;
const MOST_RESULTS = 1000;
/** Characters of JSON; a job result has some 200. */
const LONGEST_RESULT = 10_000;

/** By account, node and request; the oldest stand first. */
const remembered = new Map<string, Entry>();

function manualRuns(run: RunOfNode): EarlierRuns {
	const keyOf = keys(run);
	const remember = (key: string | undefined, result: JobResult, wasStopped: boolean): void => {
		const json = JSON.stringify(result);
		if (key === undefined || json.length > LONGEST_RESULT) return;
		remembered.delete(key);
		remembered.set(key, { json, boughtAt: Date.now(), wasStopped });
		const [oldest] = remembered.keys();
		if (remembered.size > MOST_RESULTS && oldest !== undefined) remembered.delete(oldest);
	};
	const entryOf = async (job: Job): Promise<Entry | undefined> => {
		const key = await keyOf(job);
		const found = key === undefined ? undefined : remembered.get(key);
		return found === undefined || Date.now() - found.boughtAt > LONGEST_AGE ? undefined : found;
	};
	return {
		peek: async (job) => {
			const found = await entryOf(job);
			return found === undefined ? undefined : toPurchase(found);
		},
		find: async (job) => {
			const found = await entryOf(job);
			if (found === undefined) return undefined;
			const purchase = toPurchase(found);
			// Delivered now, at last; a further run may only reuse it.
			found.wasStopped = false;
			return purchase;
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

/** What a stopped production run has left to the next one, by the keys of the jobs. */
type Left = Map<string, Pick<Entry, 'json' | 'boughtAt'>>;

/** By account and node; the oldest stand first. */
const leftByStop = new Map<string, Left>();
const LONGEST_STOPPED = 24 * LONGEST_AGE;
const MOST_OWNERS = 100;

/**
 * A production run knows only what a stopped one has left to it, in this n8n process. Nothing else
 * survives: pressing Stop saves the execution at once, and n8n then refuses what the node says, and
 * doesn't save the workflow's static data either (seen on n8n 2.40.3 and 1.123.81).
 */
function stoppedRuns(run: RunOfNode): EarlierRuns {
	const { context } = run;
	const owner = ownerOf(run);
	// Looked up anew each time, as parallel runs of the node leave theirs here too.
	const left = (): Left => leftByStop.get(owner) ?? new Map<string, Entry>();
	for (const [key, { boughtAt }] of left()) {
		if (Date.now() - boughtAt > LONGEST_STOPPED) left().delete(key);
	}
	const keyOf = keys(run);
	// Files are read for their hash only if there is something to find.
	const foundKey = async (job: Job) => (left().size === 0 ? undefined : await keyOf(job));
	const purchaseAt = (key: string | undefined): EarlierPurchase | undefined => {
		const found = key === undefined ? undefined : left().get(key);
		return found === undefined ? undefined : toPurchase({ ...found, wasStopped: true });
	};
	return {
		peek: async (job) => purchaseAt(await foundKey(job)),
		find: async (job) => {
			const key = await foundKey(job);
			const purchase = purchaseAt(key);
			if (key !== undefined) left().delete(key);
			return purchase;
		},
		add: async () => {},
		handOver: async (purchases) => {
			const boughtAt = Date.now();
			for (const { job, result } of purchases) {
				const key = await keyOf(job);
				const json = JSON.stringify(result);
				const all = left();
				if (key === undefined || json.length > LONGEST_RESULT || all.size >= MOST_RESULTS) continue;
				// Two runs were stopped that asked for the same: the later one's is named, not taken over.
				const free = all.has(key) ? `${key} ${context.getExecutionId()}` : key;
				leftByStop.set(owner, all.set(free, { json, boughtAt }));
			}
			const [oldest] = leftByStop.keys();
			if (leftByStop.size > MOST_OWNERS && oldest !== undefined) leftByStop.delete(oldest);
		},
		takeUnclaimed: () => {
			const links = [...left().values()].map(
				({ json }) => (JSON.parse(json) as JobResult).output_url,
			);
			leftByStop.delete(owner);
			return links;
		},
	};
}

function toPurchase({ json, wasStopped }: Pick<Entry, 'json' | 'wasStopped'>): EarlierPurchase {
	return { result: JSON.parse(json) as JobResult, wasStopped };
}

/**
 * Where the result of a job is remembered: by account, node, request, and how many equal ones came
 * before it in this run.
 */
function keys(run: RunOfNode): (job: Job) => Promise<string | undefined> {
	const owner = ownerOf(run);
	const equal = new Map<string, number>();
	const found = new Map<Job, Promise<string | undefined>>();
	let last: Promise<unknown> = Promise.resolve();
	const next = async (job: Job, before: Promise<unknown>): Promise<string | undefined> => {
		await before;
		const hash = await requestHash(owner, job.request);
		if (hash === undefined) return undefined;
		const count = (equal.get(hash) ?? 0) + 1;
		equal.set(hash, count);
		return `${hash} ${count}`;
	};
	return async (job) => {
		// One after the other in the order of the jobs, so that the n-th of equal requests is the
		// n-th in every run.
		const key = found.get(job) ?? next(job, last);
		found.set(job, key);
		last = key;
		return await key;
	};
}

function ownerOf({ context, node, service }: RunOfNode): string {
	return JSON.stringify([service.account, context.getWorkflow().id, node.id]);
}
