import { hash } from 'crypto';

import { sha256Of } from '../images/imageFile';
import { isJobResult, referenceTo } from '../service/jobResults';
import type { Job, JobResult } from '../types';
import type { PurchaseRow, StoredRow } from './purchaseTable';

/**
 * What a purchase of another run is to the run that reads it:
 * - `held`: its run goes on.
 * - `left over`: its run, or its execution, was cut off. It is taken over once, or told of.
 * - `repeated`: n8n itself now runs the same work again, whatever became of it before.
 * - `kept`: its run failed. Retry finds it in its execution's data, not here.
 * - `delivered`: in the output of its run.
 * - `lost track`: delivered by a process that may be gone, so nobody knows whether its execution ended. Only
 *   what the latest such execution bought.
 */
export type Standing = 'held' | 'left over' | 'repeated' | 'kept' | 'delivered' | 'lost track';

/** What another run of the node bought, or asked for. */
export interface Entry {
	row: StoredRow;
	/** Any of these identifies its request or, if n8n runs its execution again, its job. */
	keys: readonly string[];
	/** Undefined if the request went out and its outcome is not known. */
	result: JobResult | undefined;
	standing: Standing;
	/** Whether people have been told of it, or a run that goes on is about to. */
	isSpokenFor: boolean;
}

/**
 * Identifies a job's request, whatever its run: by node, tool, text parts, and the bytes of the file.
 * @returns an empty text if n8n can't read the file; the paid request reports why
 */
export async function requestKey(node: string, { request }: Job): Promise<string> {
	const { model, textParts, file } = request;
	try {
		const parts = [node, model, textParts, file && (await sha256Of(file))];
		return hash('sha256', JSON.stringify(parts), 'base64url');
	} catch {
		return '';
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
