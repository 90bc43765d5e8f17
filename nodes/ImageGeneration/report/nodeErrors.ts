import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { mayBeCharged, retryDecision } from '../buy/retryDecision';
import { NotStarted } from '../buy/runCapped';
import { Canceled, jobNamedBy, referenceTo, ServiceFailure } from '../failures/failures';
import type { Outcome } from '../failures/outcome';
import type { JobResult } from '../types';
import { jobLine, messageFor } from './messages';
import { toHtml } from './toHtml';

/**
 * Stops the node before the first paid call if any item can't be sent.
 * @throws NodeOperationError for the first of them, naming the others.
 */
export function stopOnBadInput(node: INode, plans: Array<Outcome<unknown>>): void {
	const [first, ...others] = failuresOf(plans);
	if (first === undefined) return;
	const alsoBad = others.map(({ itemIndex }) => itemIndex);
	throw nodeError(node, first.failure, {
		itemIndex: first.itemIndex,
		details: alsoBad.length === 0 ? [] : [`These items can't be sent either: ${some(alsoBad)}.`],
	});
}

/**
 * Stops the node if any item was started and could not be delivered.
 * @throws NodeApiError for the first of them, with the jobs of all that were paid for.
 */
export function stopOnFailure(node: INode, jobs: Array<Outcome<JobResult>>): void {
	const first = failuresOf(jobs).find(({ failure }) => !(failure instanceof NotStarted));
	if (first === undefined) return;
	const { failure, itemIndex } = first;
	throw nodeError(node, failure, { itemIndex, ...paidFor(jobs, itemIndex) });
}

/** The error that ends a run which was stopped in n8n, with the jobs that were paid for. */
export function canceledError(
	node: INode,
	jobs: Array<Outcome<JobResult>>,
): NodeApiError | NodeOperationError {
	const callsCut = failuresOf(jobs).some(({ failure }) => retryDecision(failure) === 'unclear');
	return nodeError(node, new Canceled(callsCut), paidFor(jobs));
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

function paidFor(jobs: Array<Outcome<JobResult>>, except?: number): Partial<Stop> {
	const finished = jobs.flatMap((job) => ('value' in job ? [jobLine(referenceTo(job.value))] : []));
	const others = failuresOf(jobs).filter(
		({ failure, itemIndex }) => itemIndex !== except && mayBeCharged(failure),
	);
	return {
		finished: finished.length,
		details: [
			...others.map(({ failure, itemIndex }) => `Item ${itemIndex} ${paidOrMaybe(failure)}`),
			...(finished.length === 0 ? [] : ['Finished and paid for:', ...finished]),
		],
	};
}

function paidOrMaybe(failure: unknown): string {
	const line = jobLine(jobNamedBy(failure));
	const what = line === '' ? 'may have been charged, too' : `is paid for, too: ${line}`;
	return `${what} – ${messageFor(failure).title}`;
}

function failuresOf(
	outcomes: Array<Outcome<unknown>>,
): Array<{ failure: unknown; itemIndex: number }> {
	return outcomes.flatMap((outcome, itemIndex) =>
		'failure' in outcome ? [{ failure: outcome.failure, itemIndex }] : [],
	);
}

/** By the word "canceled" n8n tells a stop from a failure (2.40.3), whoever says it. */
function wordedFor(failure: unknown, title: string): string {
	return failure instanceof Canceled ? title : title.replace(/canceled/g, 'cancelled');
}

function counted(count: number): string {
	if (count === 0) return '';
	return ` (${count} ${count === 1 ? 'image was' : 'images were'} finished before: see the details)`;
}

function some(indexes: number[]): string {
	return `${indexes.slice(0, 20).join(', ')}${indexes.length > 20 ? ' …' : ''}`;
}
