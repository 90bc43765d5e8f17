import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Failure } from '../failures/failures';
import { retryDecision } from '../failures/retryDecision';
import { counted, listed, placeName } from '../failures/text';
import type { Entry } from '../recall/purchases';
import type { JobOutcome, JobPlace, PlannedJob } from '../types';
import { unclaimedLines } from './hintLines';
import { jobLine, messageFor } from './messages';
import { purchaseDetails } from './purchaseDetails';
import { toHtml } from './toHtml';

// n8n 2.40.3 offers no Retry for a canceled execution.
const AFTER_STOP =
	'The next run of this workflow uses them; without a Purchase Log, only until n8n restarts.';

/**
 * Stops the node before the first paid request if any job is invalid.
 * @throws NodeOperationError for the first one, with the numbers of the other items.
 */
export function stopOnInvalid(node: INode, jobs: readonly PlannedJob[]): void {
	const [first, ...others] = jobs.filter((job) => 'problem' in job);
	if (first === undefined) return;
	const numbers = new Set(others.map(({ itemIndex }) => itemIndex + 1));
	numbers.delete(first.itemIndex + 1);
	const alsoBad = `These items can't be sent either: ${listed([...numbers], 20)}.`;
	throw nodeError(node, first.problem, {
		...oneOf(jobs, first),
		details: numbers.size === 0 ? [] : [alsoBad],
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
	for (const purchase of purchases) {
		const { job, outcome } = purchase;
		if ('value' in outcome || outcome.failure.kind === 'not started') continue;
		const { finished, details } = purchaseDetails(purchases, { except: purchase });
		const all = [...details, ...unclaimedLines(unclaimed)];
		throw nodeError(node, outcome.failure, { ...oneOf(purchases, job), finished, details: all });
	}
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
		{ kind: 'canceled', hasUnclearRequests },
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
	failure: Failure,
	{ job, finished = 0, details = [] }: ErrorContext,
): NodeApiError | NodeOperationError {
	const { title, advice } = messageFor(failure);
	const { status } = failure;
	// Not n8n's `itemIndex`: n8n would add it to the message, counted from 0 (2.40.3, 1.123.81).
	const about = job === undefined ? '' : `${placeName(job)}: `;
	const message = about + avoidCanceled(failure, title) + finishedCount(finished);
	const description = [advice, jobLine(failure.job), ...details].filter(Boolean).join('\n');
	const options = { message, description };
	const httpCode = status === undefined ? {} : { httpCode: String(status) };
	const error = OF_THE_NODE.includes(failure.kind)
		? new NodeOperationError(node, message, options)
		: new NodeApiError(node, {}, { ...options, ...httpCode });
	// n8n replaces a message that contains a system code, such as EEXIST in "preexisting" (2.40.3).
	error.message = message;
	// The editor shows the description as HTML, which would join its lines; it prefers a template
	// (2.40.3).
	error.context.descriptionTemplate = toHtml(description);
	return error;
}

/** Failures that are no business of the service; the others are API errors to n8n. */
const OF_THE_NODE: ReadonlyArray<Failure['kind']> = [
	...(['bad input', 'not an image', 'unreadable image', 'limit reached'] as const),
	...(['not started', 'canceled', 'unexpected'] as const),
];

/** n8n takes any message with the word "canceled" for a stop (2.40.3). */
function avoidCanceled({ kind }: Failure, title: string): string {
	return kind === 'canceled' ? title : title.replace(/canceled/g, 'cancelled');
}

function finishedCount(count: number): string {
	return count === 0 ? '' : ` (${counted(count, 'finished image')}: see the details)`;
}

/** Names a job only if there are several. */
function oneOf(all: readonly unknown[], job: JobPlace): Pick<ErrorContext, 'job'> {
	return all.length > 1 ? { job } : {};
}
