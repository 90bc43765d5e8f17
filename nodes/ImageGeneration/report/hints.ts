import type { NodeExecutionHint } from 'n8n-workflow';

import type { Tally } from '../buy/tally';
import type { SkippedFile } from '../types';
import { rateLimitHint } from './rateLimitHint';

const MOST_NAMES = 5;
const MOST_LINKS = 20;

/** What a run reports in addition to its output. */
export interface Summary extends Tally {
	/** Files that were skipped because they are not images. */
	skipped: readonly SkippedFile[];
	/** Links to images that a stopped run bought and this run did not ask for. */
	unclaimed: readonly string[];
	/** How the service's rate limit slowed the run down. */
	limiter: Parameters<typeof rateLimitHint>[0];
}

/** The hints that n8n shows above the output: costs, skipped files and rate limits. */
export function hintsFor(run: Summary): NodeExecutionHint[] {
	const summary = [costHint(run), skippedHint(run.skipped)].filter((text) => text !== '').join(' ');
	const messages = [
		summary,
		reuseHint(run),
		unclaimedHint(run),
		unusualHint(run),
		rateLimitHint(run.limiter) ?? '',
	].filter((message) => message !== '');
	return messages.map((message) => ({ message, type: 'info', location: 'outputPane' }));
}

function costHint({ paid, takenOver, fromStopped, reused }: Tally): string {
	const parts = [
		...(paid > 0 ? [`${imagesWere(paid)} bought`] : []),
		...(takenOver > 0 ? [`${imagesWere(takenOver)} taken over from an earlier attempt`] : []),
		...(fromStopped > 0 ? [`${imagesWere(fromStopped)} taken over from a stopped run`] : []),
		...(reused > 0 ? [`${imagesWere(reused)} reused from an earlier manual run`] : []),
	];
	return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

function imagesWere(count: number): string {
	return count === 1 ? '1 image was' : `${count} images were`;
}

function skippedHint(skipped: readonly SkippedFile[]): string {
	if (skipped.length === 0) return '';
	const names = skipped.slice(0, MOST_NAMES).map(({ name }) => name);
	const rest = skipped.length - names.length;
	const listed = `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
	return skipped.length === 1
		? `1 file was skipped: ${listed} is not an image.`
		: `${skipped.length} files were skipped because they are not images: ${listed}.`;
}

function reuseHint({ paidAgain }: Tally): string {
	if (paidAgain === 0) return '';
	const what = paidAgain === 1 ? 'an image' : `${paidAgain} images`;
	return `You paid again for ${what} that an earlier manual run had already bought. To avoid this while you build a workflow, turn on 'Reuse in Manual Runs'.`;
}

function unclaimedHint({ unclaimed }: Summary): string {
	if (unclaimed.length === 0) return '';
	const links = unclaimed.slice(0, MOST_LINKS).join(', ');
	const rest = unclaimed.length - MOST_LINKS;
	return `A stopped run bought ${unclaimed.length === 1 ? 'an image' : `${unclaimed.length} images`} that this run did not ask for: ${links}${rest > 0 ? ` and ${rest} more (see n8n's log)` : ''}.`;
}

function unusualHint({ unusual: [first, ...others] }: Summary): string {
	if (first === undefined) return '';
	const calls = others.length === 0 ? 'a request' : `${others.length + 1} requests`;
	return `The service answered ${calls} with ${first} instead of a plain job result. The node still found the image.`;
}
