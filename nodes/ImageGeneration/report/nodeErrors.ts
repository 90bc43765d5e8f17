import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { mayBeCharged, retryDecision } from '../buy/retryDecision';
import { NotStarted } from '../buy/runCapped';
import {
	Canceled,
	jobNamedBy,
	type LimitReached,
	referenceTo,
	ServiceFailure,
} from '../failures/failures';
import type { JobPlace, PlannedJob, Purchase } from '../types';
import { jobLine, messageFor } from './messages';
import { placeName } from './placeName';
import { toHtml } from './toHtml';

/** A longer list makes the execution's data large, and nobody reads it. */
const MOST_LINES = 50;
const MOST_ITEMS = 20;

const AFTER_ABORT = 'Retry in the list of executions takes them over.';
// n8n offers no Retry for a canceled execution.
const AFTER_STOP =
	'The next run of this workflow takes them over, unless n8n is restarted before it.';

/**
 * Stops the node before the first paid call if any job can't be sent.
 * @throws NodeOperationError for the first of them, naming the others.
 */
export function stopOnInvalid(node: INode, jobs: readonly PlannedJob[]): void {
	const [first, ...others] = jobs.filter((job) => 'failure' in job);
	if (first === undefined) return;
	const alsoBad = others.map(({ itemIndex }) => itemIndex).filter((i) => i !== first.itemIndex);
	throw nodeError(node, first.failure, {
		itemIndex: first.itemIndex,
		details: alsoBad.length === 0 ? [] : [`These items can't be sent either: ${numbers(alsoBad)}.`],
	});
}

/**
 * Stops the node if any job was started and could not be delivered.
 * @throws NodeApiError for the first of them, with the jobs of all that were paid for.
 */
export function stopOnFailure(node: INode, purchases: readonly Purchase[]): void {
	const first = purchases.find(
		({ outcome }) => 'failure' in outcome && !(outcome.failure instanceof NotStarted),
	);
	if (first === undefined || !('failure' in first.outcome)) return;
	const { failure } = first.outcome;
	const { itemIndex } = first.job;
	throw nodeError(node, failure, { itemIndex, ...paidFor(purchases, { except: first }) });
}

/** The error that ends a run which would go beyond Max Images, with what was paid for before. */
export function limitError(
	node: INode,
	failure: LimitReached,
	purchases: readonly Purchase[],
): NodeApiError | NodeOperationError {
	return nodeError(node, failure, paidFor(purchases));
}

/** The error that ends a run which was stopped in n8n, with the jobs that were paid for. */
export function canceledError(
	node: INode,
	purchases: readonly Purchase[],
): NodeApiError | NodeOperationError {
	const callsCut = purchases.some(
		({ outcome }) => 'failure' in outcome && retryDecision(outcome.failure) === 'unclear',
	);
	return nodeError(node, new Canceled(callsCut), paidFor(purchases, { next: AFTER_STOP }));
}

/** What else a person needs to know when a failure stops the node. */
interface Stop {
	/** The item's index; missing where the failure concerns all. */
	itemIndex?: number;
	/** How many items were finished before. */
	finished?: number;
	/** Lines about other items. */
	details?: string[];
}

/**
 * The error that stops the node. It hands over what was paid for: the failed item's own job, the
 * jobs of the others, and how many were finished before.
 */
export function nodeError(
	node: INode,
	failure: unknown,
	{ itemIndex, finished = 0, details = [] }: Stop,
): NodeApiError | NodeOperationError {
	const { title, advice, status, job } = messageFor(failure);
	const message = wordedFor(failure, title) + counted(finished);
	const options = {
		message,
		description: [advice, jobLine(job), ...details].filter((line) => line !== '').join('\n'),
		...(itemIndex !== undefined && { itemIndex }),
	};
	const httpCode = status === undefined ? {} : { httpCode: String(status) };
	const error =
		failure instanceof ServiceFailure
			? new NodeApiError(node, {}, { ...options, ...httpCode })
			: new NodeOperationError(node, message, options);
	// n8n replaces a message in which it finds a system's code, such as EEXIST in "preexisting"
	// (seen on n8n 2.40.3); what the service said stays as it is.
	error.message = message;
	// The editor shows a description as HTML, so its lines would run together; where there is a
	// template it shows that one (seen on n8n 2.40.3).
	error.context.descriptionTemplate = toHtml(options.description);
	return error;
}

/**
 * Lists what was paid for, and what may have been charged.
 * @param except The purchase that the error itself is about.
 * @param next How to get the finished images that the list has no room for.
 */
function paidFor(
	purchases: readonly Purchase[],
	{ except, next = AFTER_ABORT }: { except?: Purchase; next?: string } = {},
): Partial<Stop> {
	const finished = purchases.flatMap(({ job, outcome }) =>
		'value' in outcome ? [`${placeName(job)}: ${jobLine(referenceTo(outcome.value))}`] : [],
	);
	const others = purchases.flatMap((purchase) => {
		const { job, outcome } = purchase;
		if (purchase === except || !('failure' in outcome)) return [];
		return mayBeCharged(outcome.failure) ? [paidOrMaybe(job, outcome.failure)] : [];
	});
	return {
		finished: finished.length,
		details: [
			...shortened(others),
			...(finished.length === 0
				? []
				: ['Finished and paid for:', ...shortened(finished, ` n8n's log lists them all. ${next}`)]),
		],
	};
}

function paidOrMaybe(job: JobPlace, failure: unknown): string {
	const line = jobLine(jobNamedBy(failure));
	const what = line === '' ? 'may have been charged as well' : `was bought as well: ${line}`;
	return `${placeName(job)} ${what} (${messageFor(failure).title})`;
}

/** @param hint Where to find the lines that are left out. */
function shortened(lines: readonly string[], hint = ''): string[] {
	const rest = lines.length - MOST_LINES;
	if (rest <= 0) return [...lines];
	return [...lines.slice(0, MOST_LINES), `… and ${rest} more.${hint}`];
}

/** By the word "canceled" n8n tells a stop from a failure (2.40.3), whoever says it. */
function wordedFor(failure: unknown, title: string): string {
	return failure instanceof Canceled ? title : title.replace(/canceled/g, 'cancelled');
}

function counted(count: number): string {
	if (count === 0) return '';
	return ` (${count} finished ${count === 1 ? 'image' : 'images'}: see the details)`;
}

function numbers(itemIndexes: readonly number[]): string {
	const distinct = [...new Set(itemIndexes)].map((index) => index + 1);
	return `${distinct.slice(0, MOST_ITEMS).join(', ')}${distinct.length > MOST_ITEMS ? ' …' : ''}`;
}
