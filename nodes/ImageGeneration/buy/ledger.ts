import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Outcome } from '../failures/outcome';
import { isJobResult } from '../service/jobResults';
import type { Job, JobResult } from '../types';

/** What the execution knows of jobs that are paid for, or may be. */
export interface Ledger {
	/** What an earlier attempt came to, if the job was bought or may have been. */
	find(job: Pick<Job, 'key'>): Outcome<JobResult> | undefined;
	/** Whether nothing is known of any job. */
	isEmpty(): boolean;
	add(job: Pick<Job, 'key'>, outcome: Outcome<JobResult>): void;
	/** The image that an earlier attempt has stored already. */
	findImage(job: Pick<Job, 'key'>): IBinaryData | undefined;
	addImage(job: Pick<Job, 'key'>, image: IBinaryData): void;
	/** Forgets all, once every job is delivered. */
	clear(): void;
}

/** What the attempts of this process know beside the execution's data. */
interface Attempts {
	/** Whoever runs the item again has read the message. */
	failures: Map<string, unknown>;
	/** Each further attempt would download and store them anew. */
	images: Map<string, IBinaryData>;
}

/** By the object that stands for the node's part of the execution's data. */
const attemptsOf = new WeakMap<object, Attempts>();

/**
 * The execution's ledger, in the node's context: n8n's Retry On Fail runs the whole node again, and
 * Retry in the list of executions begins with the failed node, paid jobs included. The context lives
 * through both (seen on n8n 2.40.3 and 1.123.81).
 */
export function openLedger(context: IExecuteFunctions): Ledger {
	const store = context.getContext('node');
	// Without Retry On Fail no attempt follows by itself, and whoever asks again does so on purpose.
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
