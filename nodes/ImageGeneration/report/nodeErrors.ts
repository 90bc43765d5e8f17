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
import { placeName } from '../failures/placeName';
import type { Entry } from '../recall/purchases';
import type { JobOutcome, JobPlace, PlannedJob } from '../types';
import { jobLine, messageFor } from './messages';
import { toHtml } from './toHtml';
import { unclaimedLines } from './unclaimedLines';

/** Nobody reads more, and the execution's data would grow. */
const MOST_LINES = 50;
const MOST_ITEMS = 20;

const AFTER_ABORT = 'Retry in the list of executions uses them and buys only the rest.';
// n8n 2.40.3 offers no Retry for a canceled execution.
const AFTER_STOP = 'The next run of this workflow uses them, unless n8n restarts first.';

/**
 * Stops the node before the first paid request if any job is invalid.
 * @throws NodeOperationError for the first one, with the numbers of the other items.
 */
export function stopOnInvalid(node: INode, jobs: readonly PlannedJob[]): void {
	const [first, ...others] = jobs.filter((job) => 'failure' in job);
	if (first === undefined) return;
	const alsoBad = others.map(({ itemIndex }) => itemIndex).filter((i) => i !== first.itemIndex);
	throw nodeError(node, first.failure, {
		...oneOf(jobs, first),
		details:
			alsoBad.length === 0 ? [] : [`These items can't be sent either: ${itemNumbers(alsoBad)}.`],
	});
}

/**
 * Stops the node if any started job was not delivered.
 * @param unclaimed What stopped runs left and this one did not ask for.
 * @throws NodeApiError for the first one, listing all purchases.
 */
export function stopOnFailure(
	node: INode,
	purchases: readonly JobOutcome[],
	unclaimed: readonly Entry[] = [],
): void {
	const first = purchases.find(
		({ outcome }) => 'failure' in outcome && !(outcome.failure instanceof NotStarted),
	);
	if (first === undefined || !('failure' in first.outcome)) return;
	const { failure } = first.outcome;
	const { finished, details } = purchaseDetails(purchases, { except: first });
	const all = [...details, ...unclaimedLines(unclaimed)];
	throw nodeError(node, failure, { ...oneOf(purchases, first.job), finished, details: all });
}

/** The error for a run that would exceed 'Max Images', listing earlier purchases. */
export function limitError(
	node: INode,
	failure: LimitReached,
	purchases: readonly JobOutcome[],
): NodeApiError | NodeOperationError {
	return nodeError(node, failure, purchaseDetails(purchases));
}

/** The error for a run that was stopped in n8n, listing its purchases. */
export function canceledError(
	node: INode,
	purchases: readonly JobOutcome[],
): NodeApiError | NodeOperationError {
	const hasUnclearRequests = purchases.some(
		({ outcome }) => 'failure' in outcome && retryDecision(outcome.failure) === 'unclear',
	);
	return nodeError(
		node,
		new Canceled(hasUnclearRequests),
		purchaseDetails(purchases, { next: AFTER_STOP }),
	);
}

/** What an error says in addition to its failure. */
interface ErrorContext {
	/** The job that it is about, if there are others. */
	job?: JobPlace;
	/** How many images were finished. */
	finished?: number;
	/** Lines about other jobs. */
	details?: string[];
}

/**
 * The error that stops the node. It lists every purchase, so that nothing paid for is lost: the
 * failed job, and the others in the details.
 */
export function nodeError(
	node: INode,
	failure: unknown,
	{ job, finished = 0, details = [] }: ErrorContext,
): NodeApiError | NodeOperationError {
	const { title, advice, status, job: named } = messageFor(failure);
	// Not n8n's `itemIndex`: n8n would add it to the message, counted from 0 (2.40.3, 1.123.81).
	const about = job === undefined ? '' : `${placeName(job)}: `;
	const message = about + avoidCanceled(failure, title) + finishedCount(finished);
	const options = {
		message,
		description: [advice, jobLine(named), ...details].filter((line) => line !== '').join('\n'),
	};
	const httpCode = status === undefined ? {} : { httpCode: String(status) };
	const error =
		failure instanceof ServiceFailure
			? new NodeApiError(node, {}, { ...options, ...httpCode })
			: new NodeOperationError(node, message, options);
	// n8n replaces a message that contains a system code, such as EEXIST in "preexisting" (2.40.3).
	error.message = message;
	// The editor shows the description as HTML, which would join its lines; it prefers a template
	// (2.40.3).
	error.context.descriptionTemplate = toHtml(options.description);
	return error;
}

/**
 * Lists the finished images, and the jobs that may have been charged.
 * @param except The purchase that the error itself is about.
 * @param next How to get the finished images that the list has no room for.
 */
function purchaseDetails(
	purchases: readonly JobOutcome[],
	{ except, next = AFTER_ABORT }: { except?: JobOutcome; next?: string } = {},
): { finished: number; details: string[] } {
	const finished = purchases.flatMap(({ job, outcome }) =>
		'value' in outcome ? [`${placeName(job)}: ${jobLine(referenceTo(outcome.value))}`] : [],
	);
	const others = purchases.flatMap((purchase) => {
		const { job, outcome } = purchase;
		if (purchase === except || !('failure' in outcome)) return [];
		return mayBeCharged(outcome.failure) ? [chargeLine(job, outcome.failure)] : [];
	});
	return {
		finished: finished.length,
		details: [
			...firstLines(others),
			...(finished.length === 0
				? []
				: [
						'Finished and paid for:',
						...firstLines(finished, ` n8n's log lists them all. ${next}`),
					]),
		],
	};
}

function chargeLine(job: JobPlace, failure: unknown): string {
	const line = jobLine(jobNamedBy(failure));
	const what = line === '' ? 'may have been charged as well' : `was bought as well: ${line}`;
	return `${placeName(job)} ${what} (${messageFor(failure).title})`;
}

/** @param hint Where to find the lines that are left out. */
function firstLines(lines: readonly string[], hint = ''): string[] {
	const rest = lines.length - MOST_LINES;
	if (rest <= 0) return [...lines];
	return [...lines.slice(0, MOST_LINES), `… and ${rest} more.${hint}`];
}

/** n8n takes any message with the word "canceled" for a stop (2.40.3). */
function avoidCanceled(failure: unknown, title: string): string {
	return failure instanceof Canceled ? title : title.replace(/canceled/g, 'cancelled');
}

function finishedCount(count: number): string {
	if (count === 0) return '';
	return ` (${count} finished ${count === 1 ? 'image' : 'images'}: see the details)`;
}

/** Names a job only if there are several. */
function oneOf(all: readonly unknown[], job: JobPlace): Pick<ErrorContext, 'job'> {
	return all.length > 1 ? { job } : {};
}

function itemNumbers(itemIndexes: readonly number[]): string {
	const distinct = [...new Set(itemIndexes)].map((index) => index + 1);
	return `${distinct.slice(0, MOST_ITEMS).join(', ')}${distinct.length > MOST_ITEMS ? ' …' : ''}`;
}
