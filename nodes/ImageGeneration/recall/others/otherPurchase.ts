import type { JobResult } from '../../types';
import type { StoredRow } from '../table/purchaseTable';
import { parseResult } from '../table/storedResult';

/**
 * What a purchase of another run is to the run that reads it:
 * - `free`: its run was cut off, so whoever asks for the same takes its image over, once.
 * - `theirs`: its run goes on, or another one has just taken it.
 * - `repeated`: a request without a result that n8n itself now runs again.
 * - `ended`: its run ended by itself, or n8n has stored its image although the table does not say so. Whether it is there
 *   for others all the same, n8n is asked only if nothing else is found.
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

/** When a purchase's image was bought: its request was sent. n8n's own date is that of the row, which may have come later. */
export function boughtAt({ row: { time, createdAt } }: OtherPurchase): Date {
	return new Date(Number.isNaN(Date.parse(time)) ? createdAt : time);
}
