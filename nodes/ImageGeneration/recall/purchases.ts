import { createHash } from 'crypto';

import { isJobResult } from '../service/jobResults';
import type { Job, JobRequest, JobResult } from '../types';
import type { PurchaseRow } from './purchaseTable';

/** What another execution of the node bought, or asked for. */
export interface Entry {
	/** Any of these identifies its request or, if {@link isOwn}, its job. */
	keys: readonly string[];
	/** Names the job for users: `Item 3, "a red fox"`. */
	label: string;
	/** Undefined if the request went out and its outcome is not known. */
	result: JobResult | undefined;
	/** When its row was written, in milliseconds since 1970. */
	sentAt: number;
	/** Whether its run was stopped or killed before it could output the image. */
	isAbandoned: boolean;
	/** Whether this execution sent it, from a process that is gone. */
	isOwn: boolean;
	/** Whether a later run has told the user about it. */
	isTold: boolean;
	/** Makes it this run's own. @returns false if another run was faster. */
	take(): Promise<boolean>;
	/** No later run uses it, because the service no longer has the image. */
	forget(): Promise<void>;
	/** The user is told about it, unless this attempt fails and another one follows. */
	tell(): void;
}

/** The record of a paid request that this run sends. */
export interface Receipt {
	bought(result: JobResult): Promise<void>;
	/** Forgets the request, because it was definitely not charged. */
	notCharged(): Promise<void>;
}

/**
 * How a run ended: `undelivered` without its images in the output, such as a Dry Run; `failed` if n8n may
 * try again.
 */
export type RunEnd = 'delivered' | 'undelivered' | 'failed' | 'stopped';

/** The purchases of a node in all its executions, as one run reads and records them. */
export interface Purchases {
	/**
	 * What was left behind, oldest first.
	 * @param all Whether what was delivered follows, the latest run first.
	 */
	find(jobs: readonly Job[], all: boolean): Promise<Entry[]>;
	/** Identifies a job's request; undefined if n8n can't read its file. */
	keyOf(job: Job): Promise<string | undefined>;
	/** Records a request before it is sent. @throws if it can't: then nothing may be sent. */
	send(job: Job): Promise<Receipt>;
	/** Makes purchases that are in this execution's data this run's own. */
	adopt(known: ReadonlyArray<readonly [Job, JobResult]>): Promise<void>;
	/** Call once when the run ends. */
	end(how: RunEnd): Promise<void>;
}

/** Identifies a request, whatever its run: its node, tool, text parts, and the bytes of its file. */
export async function requestKey(
	node: string,
	{ model, fields, file }: JobRequest,
): Promise<string | undefined> {
	try {
		const parts = [node, model, fields, await file?.sha256()];
		return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
	} catch {
		// The paid request reports why the file can't be read.
		return undefined;
	}
}

/** Characters of JSON; a job result has about 200. */
const LONGEST_RESULT = 10_000;

/** What is kept of a result: all of it, or its id and link if it is very long. */
export function storable(result: JobResult): JobResult {
	if (JSON.stringify(result).length <= LONGEST_RESULT) return result;
	const { id, output_url } = result;
	return { ...(typeof id === 'string' && { id }), output_url };
}

/** The result in a row. Checks what it finds, because people may edit the table. */
export function storedResult({ link, result }: PurchaseRow): JobResult | undefined {
	if (link === '') return undefined;
	try {
		const parsed = JSON.parse(result) as unknown;
		if (isJobResult(parsed)) return parsed;
	} catch {
		// The link is enough.
	}
	return { output_url: link };
}

/** Finds entries by each of their keys, in order. */
export function byKey<Entry extends { keys: readonly string[] }>(
	entries: readonly Entry[],
): Map<string, Entry[]> {
	const found = new Map<string, Entry[]>();
	for (const entry of entries) {
		for (const key of entry.keys) {
			const same = found.get(key);
			if (same === undefined) found.set(key, [entry]);
			else same.push(entry);
		}
	}
	return found;
}
