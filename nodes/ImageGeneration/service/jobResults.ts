import type { JobResult } from '../types';
import { MAX_DEPTH, readLooseJson } from './looseJson';

/**
 * Finds job results (section 2.1) anywhere in values: in lists, in nested fields, in JSON inside
 * strings. Of those with the same link, the one with the most fields is kept.
 */
export function jobResultsIn(values: Iterable<unknown>): JobResult[] {
	const found = new Map<string, JobResult>();
	for (const value of values) collect(value, found, 0);
	return [...found.values()];
}

/** Whether a value is a job result as specified. */
export function isJobResult(value: unknown): value is JobResult {
	return isObject(value) && isWebAddress(value.output_url);
}

/** Whether a value is an object, but not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function collect(value: unknown, found: Map<string, JobResult>, depth: number): void {
	if (depth > MAX_DEPTH) return;
	if (typeof value === 'string') {
		if (!value.includes('output_url')) return;
		// Costs half of the depth, so that strings within strings end.
		for (const inner of readLooseJson(value)) collect(inner, found, depth + MAX_DEPTH / 2);
		return;
	}
	if (typeof value !== 'object' || value === null) return;
	if (isObject(value)) for (const job of ownResults(value)) keep(job, found);
	for (const inner of Object.values(value)) collect(inner, found, depth + 1);
}

function keep(job: JobResult, found: Map<string, JobResult>): void {
	const known = found.get(job.output_url);
	if (known !== undefined && Object.keys(known).length > Object.keys(job).length) return;
	found.set(job.output_url, job);
}

function ownResults(object: Record<string, unknown>): JobResult[] {
	const { output_url } = object;
	const links: unknown[] = Array.isArray(output_url) ? output_url : [output_url];
	return [...new Set(links)].filter(isWebAddress).map((link) => ({ ...object, output_url: link }));
}

function isWebAddress(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}
