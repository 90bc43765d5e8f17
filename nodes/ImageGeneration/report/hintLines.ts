import { counted, duration, listed } from '../failures/text';
import type { Entry } from '../recall/purchases';

/** Tells what stopped runs bought, or may have, and this run did not ask for. */
export function unclaimedLines(unclaimed: readonly Entry[]): string[] {
	const links = unclaimed.flatMap(({ result }) => (result ? [result.output_url] : []));
	const labels = unclaimed.flatMap(({ result, label }) => (result ? [] : [label]));
	const were = labels.length === 1 ? 'was' : 'were';
	const lines = [
		links.length > 0 &&
			`A stopped run bought ${images(links.length)} that this run did not ask for: ${inLog(links)}.`,
		labels.length > 0 &&
			`${counted(labels.length, 'request')} that ${were} cut off may have been charged: ${inLog(labels)}. Check your account.`,
	];
	return lines.filter((line) => line !== false);
}

/** A number of images in a sentence. */
export function images(count: number): string {
	return count === 1 ? 'an image' : counted(count, 'image');
}

/** Lists twenty entries, all of which are in n8n's log. */
export function inLog(entries: readonly string[]): string {
	return listed(entries, 20, " (see n8n's log)");
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
 * @returns an empty text if the run did not wait.
 */
export function rateLimitHint({ refusals, held, interval }: RateLimitEffect): string {
	if (refusals === 0 || held < LEAST_HELD) return '';
	return `The service refused ${counted(refusals, 'request')} because there were too many, so this run waited ${duration(held)}. The service accepts about one request every ${roundUp(interval)} milliseconds: set 'Request Interval' to that to stay within its limit.`;
}

/** Rounds up to two digits; the measurement is no more precise. */
function roundUp(ms: number): string {
	const step = 10 ** Math.max(0, Math.floor(Math.log10(ms)) - 1);
	return (Math.ceil(ms / step) * step).toLocaleString('en');
}
