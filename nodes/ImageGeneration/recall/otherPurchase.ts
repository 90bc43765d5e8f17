import { hash } from 'crypto';

import { sha256Of } from '../images/imageFile';
import { isJobResult, referenceTo } from '../service/jobResults';
import type { Job, JobResult } from '../types';
import type { PurchaseRow, StoredRow } from './purchaseTable';

/**
 * What a purchase of another run is to the run that reads it:
 * - `free`: its run was cut off, so whoever asks for the same takes its image over, once.
 * - `theirs`: its run goes on, or another one has just taken it.
 * - `repeated`: a request without a result that n8n itself now runs again.
 * - `ended`: its run ended by itself, or n8n has stored its image although the table does not say so.
 */
export type Standing = 'free' | 'theirs' | 'repeated' | 'ended';

/** What another run of the node bought, or asked for. */
export interface OtherPurchase {
	row: StoredRow;
	/** Undefined if the request went out and its outcome is not known. */
	result: JobResult | undefined;
	standing: Standing;
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

/** The result in a row. What people have edited counts as far as it can be read. */
export function storedResult({ link, result }: PurchaseRow): JobResult | undefined {
	const stored = parseResult(result);
	if (link === '') return stored;
	return stored?.output_url === link ? stored : { ...stored, output_url: link };
}

function parseResult(text: string): JobResult | undefined {
	try {
		const parsed = JSON.parse(text) as unknown;
		return isJobResult(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Whether a purchase has a link that the service may have given: an address of its origin, or the very link of its
 * result. People may have edited it.
 */
export function isUsable(
	{ row, result }: OtherPurchase,
	origin: string,
	allowsOthers: boolean,
): boolean {
	const link = result?.output_url ?? '';
	if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return false;
	const isGiven = parseResult(row.result)?.output_url === link;
	return allowsOthers || isGiven || new URL(link).origin === origin;
}

/** When a purchase's image was bought. n8n's own date is that of the row, which may have come later. */
export function boughtAt({ row: { time, createdAt } }: OtherPurchase): Date {
	return new Date(Number.isNaN(Date.parse(time)) ? createdAt : time);
}

/**
 * When a row was changed last, in milliseconds. n8n dates what it changes by its own clock, and a new row by the
 * database's, which may be slow; the time of the request is by n8n's clock again (2.41.1).
 */
export function lastChange({ time, updatedAt }: StoredRow): number {
	const times = [time, updatedAt].map((each) => Date.parse(each));
	return Math.max(...times.filter((each) => !Number.isNaN(each)));
}

/** Finds things by each of their keys, in order. */
export function byKey<Keyed extends { keys: readonly string[] }>(
	all: readonly Keyed[],
): Map<string, Keyed[]> {
	const found = new Map<string, Keyed[]>();
	for (const each of all) {
		for (const key of each.keys) {
			const same = found.get(key);
			if (same === undefined) found.set(key, [each]);
			else same.push(each);
		}
	}
	return found;
}
