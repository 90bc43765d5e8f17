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
