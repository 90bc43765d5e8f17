import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Outcome } from '../failures/outcome';
import type { JobRequest, JobResult } from '../types';

/** What earlier tries of an item came to, where it is paid for or may be. */
export interface Ledger {
	find(index: number, request: JobRequest): Outcome<JobResult> | undefined;
	/** Whether nothing is known of any item. */
	isEmpty(): boolean;
	add(index: number, request: JobRequest, outcome: Outcome<JobResult>): void;
	/** Forgets all, once every item is delivered. */
	clear(): void;
}

const NOTHING_KEPT: Ledger = {
	find: () => undefined,
	isEmpty: () => true,
	add: () => {},
	clear: () => {},
};

/**
 * Failures are kept beside the execution's data, by the object that stands for the node's part of
 * it: they end with this process's tries. Who runs the item anew has read the message.
 */
const failures = new WeakMap<object, Map<string, unknown>>();

/**
 * n8n's Retry On Fail runs the whole node again, paid items included; the node's context lives on
 * through the tries of one execution (seen on n8n 2.40.3 and 1.123.81). Without Retry On Fail
 * nothing is kept.
 */
export function openLedger(context: IExecuteFunctions, isTool: boolean): Ledger {
	if (context.getNode().retryOnFail !== true) return NOTHING_KEPT;
	const store = context.getContext('node');
	// An agent's own loop counts each try of a tool as a run of its own (read in n8n 2.40.3).
	const run = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
	const jobs = () => (store.finishedJobs ?? {}) as Record<string, JobResult>;
	const failed = () => {
		const map = failures.get(store) ?? new Map<string, unknown>();
		failures.set(store, map);
		return map;
	};
	return {
		find: (index, request) => {
			const key = keyOf(run, index, request);
			const job = jobs()[key];
			if (job !== undefined) return { value: job };
			return failed().has(key) ? { failure: failed().get(key) } : undefined;
		},
		isEmpty: () => store.finishedJobs === undefined && failed().size === 0,
		add: (index, request, outcome) => {
			const key = keyOf(run, index, request);
			if ('value' in outcome) store.finishedJobs = Object.assign(jobs(), { [key]: outcome.value });
			else failed().set(key, outcome.failure);
		},
		clear: () => {
			delete store.finishedJobs;
		},
	};
}

/** A changed request has another key, so an old job is never taken for it. */
function keyOf(run: string, index: number, { model, fields, image }: JobRequest): string {
	const source =
		image?.kind === 'binary' ? (image.binary.id ?? image.binary.data) : (image?.base64 ?? '');
	const hash = createHash('sha256')
		.update(JSON.stringify([model, fields]))
		.update(source);
	return `${run}:${index}:${hash.digest('hex')}`;
}
