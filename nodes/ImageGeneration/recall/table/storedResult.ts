import { isJobResult, referenceTo } from '../../service/jobResults';
import type { JobResult } from '../../types';
import type { PurchaseRow } from './purchaseTable';

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

/** The job result in a cell, if it is one. */
export function parseResult(text: string): JobResult | undefined {
	try {
		const parsed = JSON.parse(text) as unknown;
		return isJobResult(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}
