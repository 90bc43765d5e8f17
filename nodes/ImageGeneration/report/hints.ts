import type { INode, NodeExecutionHint } from 'n8n-workflow';

import { notStarted, type Outcome } from '../failures/outcome';
import { counted, endSentence, listed, placeName } from '../failures/text';
import type { Known, Recalled } from '../recall/recall';
import type { JobResult, PlannedJob, Tally } from '../types';
import { images, inLog, rateLimitHint, unclaimedLines } from './hintLines';
import { messageFor } from './messages';
import { escapeHtml } from './toHtml';

/** What a run reports in addition to its output. */
export interface Summary {
	node: Pick<INode, 'onError'>;
	jobs: readonly PlannedJob[];
	/** Of each job, in order. */
	outcomes: ReadonlyArray<Outcome<unknown>>;
	recalled: Pick<Recalled, 'known' | 'repeated' | 'unclaimed'>;
	tally: Tally;
	/** Names of files that were skipped because they are not images. */
	skipped: readonly string[];
	/** What earlier attempts bought and this one no longer asked for. */
	unwanted: readonly JobResult[];
	/** How the service's rate limit slowed the run down. */
	limiter: Parameters<typeof rateLimitHint>[0];
}

/** The hints that n8n shows above the output: costs, skipped files and rate limits. */
export function hintsFor(run: Summary): NodeExecutionHint[] {
	const summary = [costHint(run), skippedHint(run.skipped)].filter((text) => text !== '').join(' ');
	const messages = [
		summary,
		failedHint(run),
		paidAgainHint(run),
		...unclaimedLines(run.recalled.unclaimed),
		unwantedHint(run),
		unusualHint(run.tally),
		rateLimitHint(run.limiter),
	].filter((message) => message !== '');
	return messages.map(toHint);
}

export function toHint(message: string): NodeExecutionHint {
	// File names and prompts come from outside.
	return { message: escapeHtml(message), type: 'info', location: 'outputPane' };
}

function costHint({ tally: { paid, gone }, recalled: { known } }: Summary): string {
	const sentence = [[paid, 'bought'] as const, ...keptImages(known, gone)]
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${counted(count, 'image')} ${count === 1 ? 'was' : 'were'} ${what}`)
		.join(', ');
	if (sentence === '') return '';
	const why = gone === 0 ? '' : ` The service no longer has ${images(gone)} of an earlier run.`;
	return `${sentence}.${why}`;
}

/** How many images a run need not buy, and where they come from. */
export function keptImages(
	known: ReadonlyMap<unknown, Known>,
	gone = 0,
): Array<readonly [count: number, what: string]> {
	const count = (from: Known['from']) =>
		[...known.values()].filter((each) => each.from === from && 'value' in each.outcome).length;
	const all = [
		[count('attempt'), 'kept from an earlier attempt'],
		[count('stopped run'), 'kept from a stopped run'],
		[count('earlier run') - gone, 'reused from an earlier run'],
	] as const;
	return all.filter(([images]) => images > 0);
}

function failedHint({ node, jobs, outcomes }: Summary): string {
	const failed = jobs.flatMap((job, index) => {
		const outcome = outcomes[index];
		return outcome !== undefined && 'failure' in outcome ? [{ job, ...outcome }] : [];
	});
	const [first] = failed;
	if (first === undefined) return '';
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	const where = hasErrorOutput ? 'went to the error output' : 'could not be delivered';
	const about = `${placeName(first.job)}: ${endSentence(messageFor(first.failure).title)}`;
	return failed.length === 1
		? `1 image ${where}. ${about}`
		: `${failed.length} images ${where}. The first one is ${about}`;
}

function skippedHint(skipped: readonly string[]): string {
	if (skipped.length === 0) return '';
	return skipped.length === 1
		? `1 file was skipped: ${skipped.join()} is not an image.`
		: `${skipped.length} files were skipped because they are not images: ${listed(skipped, 5)}.`;
}

function paidAgainHint({ jobs, outcomes, recalled: { repeated } }: Summary): string {
	const isPaid = (index: number) => 'value' in (outcomes[index] ?? notStarted);
	const paidAgain = jobs.filter((job, index) => isPaid(index) && repeated.has(job)).length;
	if (paidAgain === 0) return '';
	return `You paid again for ${images(paidAgain)} that an earlier run had already bought. To avoid this while you build a workflow, set 'Reuse Images' to 'In Manual Runs'.`;
}

function unwantedHint({ unwanted }: Summary): string {
	if (unwanted.length === 0) return '';
	const links = unwanted.map(({ output_url }) => output_url);
	return `An earlier attempt bought ${images(links.length)} that this one did not ask for: ${inLog(links)}.`;
}

/** For what could not be written to the Purchase Log; a hint of its own, because the run has ended. */
export function unloggedHints({ unlogged: [first, ...others] }: Tally): NodeExecutionHint[] {
	if (first === undefined) return [];
	const { title } = messageFor(first);
	const message = `The purchase log does not show everything that this run bought: ${title} Rows missing: ${others.length + 1}.`;
	return [{ message, type: 'warning', location: 'outputPane' }];
}

function unusualHint({ unusual: [first, ...others] }: Tally): string {
	if (first === undefined) return '';
	const calls = others.length === 0 ? 'a request' : `${others.length + 1} requests`;
	return `The service answered ${calls} with ${first} instead of a plain job result. The node still found the image.`;
}
