import { hash } from 'crypto';

import { sha256Of } from '../images/imageFile';
import { isJobResult, referenceTo } from '../service/jobResults';
import type { JobRequest, JobResult } from '../types';
import type { PurchaseRow, StoredRow } from './purchaseTable';

/** What another execution of the node bought, or asked for. */
export interface Entry {
	/** The row that counts. */
	row: StoredRow;
	/** Any of these identifies its request or, if {@link isOwn}, its job. */
	keys: readonly string[];
	/** Undefined if the request went out and its outcome is not known. */
	result: JobResult | undefined;
	/** Whether its run was stopped or killed before it could output the image. */
	isAbandoned: boolean;
	/** Whether this execution sent it, from a process that is gone. */
	isOwn: boolean;
}

/** Identifies a request, whatever its run: its node, tool, text parts, and the bytes of its file. */
export async function requestKey(
	node: string,
	{ model, fields, file }: JobRequest,
): Promise<string | undefined> {
	try {
		const parts = [node, model, fields, file && (await sha256Of(file))];
		return hash('sha256', JSON.stringify(parts), 'base64url');
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
	return { ...referenceTo(result), output_url: result.output_url };
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
export function byKey<Keyed extends { keys: readonly string[] }>(
	entries: readonly Keyed[],
): Map<string, Keyed[]> {
	const found = new Map<string, Keyed[]>();
	for (const entry of entries) {
		for (const key of entry.keys) {
			const same = found.get(key);
			if (same === undefined) found.set(key, [entry]);
			else same.push(entry);
		}
	}
	return found;
}
