import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Outcome } from '../failures/outcome';
import { isJobResult } from '../service/response';
import type { Job, JobResult } from '../types';

/** What the execution knows of jobs that are paid for, or may be. */
export interface Ledger {
	/** What an earlier attempt came to, if the job was bought or may have been. */
	find(job: Pick<Job, 'key'>): Outcome<JobResult> | undefined;
	/** Whether nothing is known of any job. */
	isEmpty(): boolean;
	add(job: Pick<Job, 'key'>, outcome: Outcome<JobResult>): void;
	/** Forgets all, once every job is delivered. */
	clear(): void;
}

/**
 * Failures are kept beside the execution's data, by the object that stands for the node's part of
 * it: they end with this process's attempts. Whoever runs the item again has read the message.
 */
const failures = new WeakMap<object, Map<string, unknown>>();

/**
 * The execution's ledger, in the node's context: n8n's Retry On Fail runs the whole node again, and
 * Retry in the list of executions begins with the failed node, paid jobs included. The context lives
 * through both (seen on n8n 2.40.3 and 1.123.81).
 */
export function openLedger(context: IExecuteFunctions): Ledger {
	const store = context.getContext('node');
	// Without Retry On Fail no attempt follows by itself, and whoever asks again does so on purpose.
	const keepsFailures = context.getNode().retryOnFail === true;
	const failed = failures.get(store) ?? new Map<string, unknown>();
	failures.set(store, failed);
	return {
		find: ({ key }) => {
			const job = finishedIn(store, key);
			if (job !== undefined) return { value: job };
			return failed.has(key) ? { failure: failed.get(key) } : undefined;
		},
		isEmpty: () => store.finishedJobs === undefined && failed.size === 0,
		add: ({ key }, outcome) => {
			if ('value' in outcome) finishedJobs(store)[key] = outcome.value;
			else if (keepsFailures) failed.set(key, outcome.failure);
		},
		clear: () => {
			delete store.finishedJobs;
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

/** The execution's data may have been damaged or edited, so nothing in it is taken on trust. */
function finishedIn(store: IDataObject, key: string): JobResult | undefined {
	const jobs = store.finishedJobs;
	if (!isRecord(jobs) || !Object.hasOwn(jobs, key)) return undefined;
	const job = jobs[key];
	return isJobResult(job) ? job : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
