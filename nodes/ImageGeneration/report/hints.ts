import type { NodeExecutionHint } from 'n8n-workflow';

import type { Tally } from '../buy/tally';
import type { SkippedFile } from '../types';
import { paceHint } from './paceHint';

const MOST_NAMES = 5;

/** What n8n shows above the output: what the run cost, and what it left out. */
export function hintsFor(
	tally: Tally,
	skipped: readonly SkippedFile[],
	pace: Parameters<typeof paceHint>[0],
): NodeExecutionHint[] {
	const summary = [costOf(tally), leftOut(skipped)].filter((sentence) => sentence !== '').join(' ');
	const messages = [summary, offer(tally), paceHint(pace) ?? ''].filter(
		(message) => message !== '',
	);
	return messages.map((message) => ({ message, type: 'info', location: 'outputPane' }));
}

function costOf({ paid, takenOver, reused }: Tally): string {
	const parts = [
		...(paid > 0 ? [`${images(paid)} paid for`] : []),
		...(takenOver > 0 ? [`${images(takenOver)} taken over from an earlier attempt`] : []),
		...(reused > 0 ? [`${images(reused)} reused from an earlier manual run`] : []),
	];
	return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

function images(count: number): string {
	return count === 1 ? '1 image was' : `${count} images were`;
}

function leftOut(skipped: readonly SkippedFile[]): string {
	if (skipped.length === 0) return '';
	const names = skipped.slice(0, MOST_NAMES).map(({ name }) => name);
	const rest = skipped.length - names.length;
	const listed = `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
	return skipped.length === 1
		? `1 file was skipped: ${listed} is no image.`
		: `${skipped.length} files were skipped because they are no images: ${listed}.`;
}

function offer({ paidAgain }: Tally): string {
	if (paidAgain === 0) return '';
	const what = paidAgain === 1 ? 'an image' : `${paidAgain} images`;
	return `You paid again for ${what} that an earlier manual run had bought for the same request. While you build a workflow, the option 'Reuse in Manual Runs' takes them from there.`;
}
