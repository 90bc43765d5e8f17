import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Outcome } from '../failures/outcome';
import { isJobResult } from '../service/jobResults';
import type { Job, JobResult } from '../types';

/** The execution's record of jobs that are paid for, or may be. */
export interface Ledger {
	/** The outcome of an earlier attempt, if the job was bought or may have been. */
	find(job: Pick<Job, 'key'>): Outcome<JobResult> | undefined;
	/** Whether no job is recorded. */
	isEmpty(): boolean;
	add(job: Pick<Job, 'key'>, outcome: Outcome<JobResult>): void;
	/** The image, if an earlier attempt already stored it. */
	findImage(job: Pick<Job, 'key'>): IBinaryData | undefined;
	addImage(job: Pick<Job, 'key'>, image: IBinaryData): void;
	/** Called when every job is delivered. */
	clear(): void;
}

/** What attempts in this process share, in addition to the execution's data. */
interface Attempts {
	/** Not in the execution's data: users who run the item again have read the message. */
	failures: Map<string, unknown>;
	/** Saves each attempt from downloading and storing them again. */
	images: Map<string, IBinaryData>;
}

/** By the node's context object in the execution. */
const attemptsOf = new WeakMap<object, Attempts>();

/**
 * Opens the ledger in the node's context. Retry On Fail runs the whole node again, and Retry in the
 * list of executions starts at the failed node, paid jobs included. The context survives both (2.40.3,
 * 1.123.81).
 */
export function openLedger(context: IExecuteFunctions): Ledger {
	const store = context.getContext('node');
	// Without Retry On Fail, only the user can start another attempt, and does so on purpose.
	const hasAttempts = context.getNode().retryOnFail === true;
	const known: Attempts = attemptsOf.get(store) ?? { failures: new Map(), images: new Map() };
	attemptsOf.set(store, known);
	const { failures, images } = known;
	return {
		find: ({ key }) => {
			const job = finishedIn(store, key);
			if (job !== undefined) return { value: job };
			return failures.has(key) ? { failure: failures.get(key) } : undefined;
		},
		isEmpty: () => store.finishedJobs === undefined && failures.size === 0,
		add: ({ key }, outcome) => {
			if ('value' in outcome) finishedJobs(store)[key] = outcome.value;
			else if (hasAttempts) failures.set(key, outcome.failure);
		},
		findImage: ({ key }) => images.get(key),
		addImage: ({ key }, image) => {
			if (hasAttempts) images.set(key, image);
		},
		clear: () => {
			delete store.finishedJobs;
			images.clear();
		},
	};
}

function finishedJobs(store: IDataObject): Record<string, unknown> {
	const jobs = store.finishedJobs;
	if (isRecord(jobs)) return jobs;
	const fresh = {};
	store.finishedJobs = fresh;
	return fresh;
}

/** Checks what it finds, because the execution's data may be damaged or edited. */
function finishedIn(store: IDataObject, key: string): JobResult | undefined {
	const jobs = store.finishedJobs;
	if (!isRecord(jobs) || !Object.hasOwn(jobs, key)) return undefined;
	const job = jobs[key];
	return isJobResult(job) ? job : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
