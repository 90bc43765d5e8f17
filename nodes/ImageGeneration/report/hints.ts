import type { NodeExecutionHint } from 'n8n-workflow';

import type { Failure } from '../failures/failures';
import { namesJob } from '../failures/retryDecision';
import type { Known, Recalled } from '../recall/known';
import { isBought, type Purchase } from '../recall/purchase';
import type { JobOutcome, JobResult } from '../types';
import { placeName } from '../values/placeName';
import { counted, duration, endSentence, escapeHtml, listed, quote } from '../values/text';
import { cutFilesHint } from './cutFiles';
import type { Tally } from './executionLog';
import { inputHints, skippedFiles } from './inputHints';
import { messageFor } from './messages';
import type { Report } from './report';
import { reuseHint } from './reuseHint';

/** Shorter waits for the rate limit are not worth a hint; in milliseconds. */
const SHORTEST_WAIT = 1000;

/** The hints that n8n shows above the output: costs, skipped files and rate limits. */
export function hintsFor(report: Report): NodeExecutionHint[] {
	const { outcomes, toTell, surplus } = report;
	const jobs = outcomes.map(({ job }) => job);
	const { refusals, held } = report.limiters.paid;
	const { oddResponses } = report.log.tally;
	const requests = oddResponses.length === 1 ? 'a request' : `${oddResponses.length} requests`;
	const hints = [
		`${costs(report)} ${skippedFiles(jobs)}`.trim(),
		report.added.has('dryRun') &&
			report.log.tally.paid > 0 &&
			"The option 'Dry Run' is added but off, so this was a real run. Turn it on to buy nothing, or remove it.",
		reuseHint(report),
		errorItemsHint(report),
		cutFilesHint(outcomes),
		...inputHints(jobs),
		incomplete(outcomes),
		...linesToTell(toTell),
		surplusLine(surplus),
		memoryHint(report),
		oddResponses.length > 0 &&
			`The service answered ${requests} with ${oddResponses[0]} instead of a plain job result. The node still found the image.`,
		refusals > 0 &&
			held >= SHORTEST_WAIT &&
			`The service refused ${counted(refusals, 'request')} because there were too many, so this run waited ${duration(held)}.`,
	];
	return hints.flatMap((hint) => (hint ? toHint(hint) : []));
}

/** Tells of images that earlier attempts bought and this one did not ask for; empty if there are none. */
export function surplusLine(surplus: readonly JobResult[]): string {
	if (surplus.length === 0) return '';
	const links = surplus.map(({ output_url }) => output_url);
	return `An earlier attempt bought ${images(links.length)} that this one did not ask for: ${inLog(links)}.`;
}

/** Tells what the node can't remember, or can't know. */
function memoryHint({ execution, isForgotten, log: { tally } }: Report): string {
	if (isForgotten) return FORGETS;
	const isUnknowable = tally.paid > 0 && !execution.isManual && !execution.savesFailed;
	return isUnknowable ? UNSAVED : '';
}

const FORGETS = 'Without a Purchase Log, the node forgets what it bought when n8n restarts.';
const UNSAVED =
	"This workflow does not save failed executions. If a later node stops an execution, this node does not hear of it, and the next run buys the same images again. Turn on 'Save failed production executions' in the workflow's settings.";

/** For what could not be written to the Purchase Log; a hint of its own, because the run has ended. */
export function missingRowHints({ missing }: Tally): NodeExecutionHint[] {
	return missing.slice(0, 1).map((failure) => {
		const { title } = messageFor(failure);
		const message = `The purchase log does not show everything that this run bought: ${title} Rows missing: ${missing.length}. The next run writes them, unless n8n restarts first.`;
		return toHint(message, 'warning');
	});
}

/**
 * Tells that the Purchase Log is new, and where it is: a workflow that was moved to another project gets a new one, which
 * is empty.
 */
export function madeTableHints({ madeTable }: Tally): NodeExecutionHint[] {
	if (madeTable === undefined) return [];
	const { name, project } = madeTable;
	const where = project === undefined ? "this workflow's project" : `the project ${quote(project)}`;
	const message = `The purchase log ${quote(name)} is new: the node made it in ${where}. You find it there under Data tables. If this workflow comes from another project, its earlier log stayed there, and images that only that log lists may be bought again.`;
	return [toHint(message)];
}

/** Escapes what comes from outside, such as file names and prompts. */
export function toHint(text: string, type: NodeExecutionHint['type'] = 'info'): NodeExecutionHint {
	return { message: escapeHtml(text), type, location: 'outputPane' };
}

function costs({ log: { tally }, known }: Report): string {
	const counts = [{ count: tally.paid, source: 'bought' }, ...keptImages(known)];
	const parts = counts
		.filter(({ count }) => count > 0)
		.map(({ count, source }) => `${counted(count, 'image')} ${were(count)} ${source}`);
	const sentences = [
		parts.length > 0 && `${parts.join(', ')}.`,
		tally.gone > 0 && `The service no longer has ${images(tally.gone)} of an earlier run.`,
	];
	return sentences.filter(Boolean).join(' ');
}

/** How many images a run need not buy, and where they come from. {@link reuseHint} tells of reused ones. */
export function keptImages(known: Recalled['known']): ImageCount[] {
	const all = [...known.values()].filter(({ outcome }) => 'value' in outcome);
	const countFrom = (...from: Array<Known['from']>) =>
		all.filter((each) => from.includes(each.from)).length;
	return [
		{
			count: countFrom('this execution', 'Retry'),
			source: 'kept from an earlier attempt',
		},
		{ count: countFrom('earlier round'), source: 'kept from an earlier round' },
		{ count: countFrom('taken'), source: 'kept from an unfinished run' },
	];
}

/** A number of images, which may be 0, and where they come from. */
export interface ImageCount {
	count: number;
	source: string;
}

function errorItemsHint({ node, outcomes }: Report): string {
	const missing = outcomes.filter(({ outcome }) => 'failure' in outcome);
	const lines = missing.flatMap(({ job, outcome }) =>
		'value' in outcome ? [] : [`${placeName(job)}: ${inOneLine(outcome.failure)}`],
	);
	const [first] = lines;
	if (first === undefined) return '';
	const fate = fateOf(missing, node);
	return lines.length === 1
		? `1 item ${fate}. ${first}`
		: `${lines.length} items ${fate}. The first one is ${first}`;
}

/** What became of the jobs without an image. */
function fateOf(missing: readonly JobOutcome[], { onError }: Report['node']): string {
	if (onError === 'continueErrorOutput') return 'went to the error output';
	if (missing.every(({ job }) => 'problem' in job)) return `${were(missing.length)} not sent`;
	return missing.length === 1 ? 'has no image' : 'have no image';
}

/** A failure with what to do, unless it is about a link, which the error item has. */
function inOneLine(failure: Failure): string {
	const { title, advice } = messageFor(failure);
	return namesJob(failure) ? endSentence(title) : `${endSentence(title)} ${advice}`.trim();
}

function incomplete(outcomes: readonly JobOutcome[]): string {
	const places = outcomes.flatMap(({ job, outcome }) =>
		'value' in outcome && outcome.value.mayBeIncomplete === true ? placeName(job) : [],
	);
	if (places.length === 0) return '';
	const advice =
		places.length === 1 ? 'Look at it before you use it.' : 'Look at them before you use them.';
	return `${counted(places.length, 'image')} may be incomplete, because the end of the file is missing: ${listed(places)}. ${advice}`;
}

/** Tells what other runs bought, or may have, and nobody has asked for. */
export function linesToTell(left: readonly Purchase[]): string[] {
	const links = left.filter(isBought).map(({ result }) => result.output_url);
	const labels = left.filter((each) => !isBought(each)).map(({ shown }) => shown.image);
	const bought = `An unfinished run bought ${images(links.length)} that this run did not use: ${inLog(links)}.`;
	const unclear = `${counted(labels.length, 'request')} that ${were(labels.length)} cut off may have been charged: ${inLog(labels)}. Check your account.`;
	return [...(links.length > 0 ? [bought] : []), ...(labels.length > 0 ? [unclear] : [])];
}

/** A number of images in a sentence. */
function images(count: number): string {
	return count === 1 ? 'an image' : counted(count, 'image');
}

function were(count: number): string {
	return count === 1 ? 'was' : 'were';
}

/** Lists twenty entries, all of which are in n8n's log. */
function inLog(entries: readonly string[]): string {
	return listed(entries, " (see n8n's log)");
}
