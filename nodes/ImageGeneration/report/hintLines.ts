import { duration } from '../failures/text';
import type { Entry } from '../recall/purchases';

const MOST_ENTRIES = 20;

/** Tells what stopped runs bought, or may have, and this run did not ask for. */
export function unclaimedLines(unclaimed: readonly Entry[]): string[] {
	const links = unclaimed.flatMap(({ result }) =>
		result === undefined ? [] : [result.output_url],
	);
	const labels = unclaimed.flatMap(({ result, label }) => (result === undefined ? [label] : []));
	const requests =
		labels.length === 1 ? '1 request that was' : `${labels.length} requests that were`;
	return [
		...(links.length === 0
			? []
			: [
					`A stopped run bought ${images(links.length)} that this run did not ask for: ${listed(links)}.`,
				]),
		...(labels.length === 0
			? []
			: [`${requests} cut off may have been charged: ${listed(labels)}. Check your account.`]),
	];
}

/** A count of images in words. */
export function images(count: number): string {
	return count === 1 ? 'an image' : `${count} images`;
}

/** Joins entries, twenty at most. */
export function listed(entries: readonly string[]): string {
	const rest = entries.length - MOST_ENTRIES;
	return `${entries.slice(0, MOST_ENTRIES).join(', ')}${rest > 0 ? ` and ${rest} more (see n8n's log)` : ''}`;
}

/** Shorter waits are not worth a hint, in milliseconds. */
const LEAST_HELD = 1000;

/** How a rate limit slowed a run down. */
interface RateLimitEffect {
	/** Number of refused requests. */
	refusals: number;
	/** How long the run had to wait, in milliseconds. */
	held: number;
	/** Time between two requests that the service accepts, in milliseconds. */
	interval: number;
}

/**
 * Says how long the service's rate limit made a run wait, and which Request Interval avoids that.
 * @returns undefined if the run did not wait.
 */
export function rateLimitHint({ refusals, held, interval }: RateLimitEffect): string | undefined {
	if (refusals === 0 || held < LEAST_HELD) return undefined;
	const requests = refusals === 1 ? '1 request' : `${refusals.toLocaleString('en')} requests`;
	return `The service refused ${requests} because there were too many, so this run waited ${duration(held)}. The service accepts about one request every ${roundUp(interval)} milliseconds: set 'Request Interval' to that to stay within its limit.`;
}

/** Rounds up to two digits; the measurement is no more precise. */
function roundUp(ms: number): string {
	const step = 10 ** Math.max(0, Math.floor(Math.log10(ms)) - 1);
	return (Math.ceil(ms / step) * step).toLocaleString('en');
}
