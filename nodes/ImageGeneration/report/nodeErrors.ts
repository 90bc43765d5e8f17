import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Failure } from '../failures/failures';
import { isDeadLink, mayBeCharged, retryDecision } from '../failures/retryDecision';
import type { Execution } from '../n8n/execution';
import { isBought, type Purchase } from '../recall/purchase';
import { referenceTo } from '../service/jobResults';
import type { RowOutcome } from '../types';
import { placeName } from '../values/placeName';
import { counted, listed, toHtml } from '../values/text';
import { jobLine, messageFor } from './messages';

/** What the messages need to know of a run that stops. */
export interface Stopping {
	node: INode;
	isTool: boolean;
	execution: Pick<Execution, 'isManual' | 'isSubWorkflow'>;
}

const VALID_NOT_BOUGHT =
	"Nothing else was bought. To buy what is valid, set 'On Error' to 'Continue' in the node's settings.";

/** Nobody reads more, and the execution's data would grow. */
const MOST_LINES = 50;

/** The first failure of a row that was started; undefined if there is none. */
export function firstFailure(outcomes: readonly RowOutcome[]): Failure | undefined {
	const failures = outcomes.flatMap(({ outcome }) => ('failure' in outcome ? outcome.failure : []));
	return failures.find(({ kind }) => kind !== 'not started');
}

/** The error for a run that was stopped in n8n, listing its purchases. */
export function canceledError(attempt: Stopping, outcomes: readonly RowOutcome[]) {
	const failure: Failure = {
		kind: 'canceled',
		message: 'The execution was canceled',
		advice: adviceAfterStop(outcomes.filter(isFirstOfJob), attempt.isTool),
	};
	return nodeError(attempt, failure, outcomes);
}

/** The lines that name what a run bought in attempts before one that could not be prepared. */
export function purchaseLines(purchases: Iterable<Purchase>): string[] {
	const bought = [...purchases].filter(isBought);
	const lines = bought.map(
		({ shown, result }) => `${shown.image}: ${jobLine(referenceTo(result))}`,
	);
	return finishedLines(lines);
}

function adviceAfterStop(outcomes: readonly RowOutcome[], isTool: boolean): string {
	const failures = outcomes.flatMap(({ outcome }) => ('failure' in outcome ? outcome.failure : []));
	const awaited = failures.filter(({ kind }) => kind === 'awaited').length;
	const unclear = failures.filter((each) => retryDecision(each) === 'unclear').length - awaited;
	if (unclear > 0) {
		return 'Some requests were cut off and may have been charged. Check your account before you run the workflow again.';
	}
	if (awaited === 0) return 'No paid request was cut off. You can run the workflow again.';
	const [charged, next] =
		awaited === 1
			? [
					'1 image was being made, and you were probably charged for it.',
					'The next run that asks for the same image waits for it and uses it.',
				]
			: [
					`${awaited} images were being made, and you were probably charged for them.`,
					'The next run that asks for the same images waits for them and uses them.',
				];
	// An agent repeats a request because it wants another image.
	return isTool ? charged : `${charged} ${next}`;
}

/**
 * The error that stops the node. It lists every purchase, so that nothing paid for is lost: the job
 * whose failure it is about, and the others in the details.
 */
export function nodeError(
	attempt: Stopping,
	failure: Failure,
	outcomes: readonly RowOutcome[],
	details: readonly string[] = [],
): NodeApiError | NodeOperationError {
	const { node } = attempt;
	const { title, advice } = messageFor(failure);
	const own = outcomes.find(({ outcome }) => 'failure' in outcome && outcome.failure === failure);
	// Several jobs may have the same failure.
	const isOwn = ({ job }: RowOutcome) => job !== undefined && job === own?.job;
	// The rows of a job have one outcome.
	const ofJobs = outcomes.filter(isFirstOfJob);
	const finished = ofJobs.flatMap(finishedLine);
	const charged = ofJobs.flatMap((each) => (isOwn(each) ? [] : chargedLine(each)));
	// Not n8n's `itemIndex`: n8n would add it to the message, counted from 0 (2.40.3, 1.123.81).
	const about = own === undefined || outcomes.length === 1 ? '' : `${whom(own)}: `;
	const count = ` (${counted(finished.length, 'finished image')}, listed below)`;
	const isCanceled = failure.kind === 'canceled';
	const text = `${about}${title}${finished.length > 0 ? count : ''}`;
	// n8n takes any message with the word "canceled" for a stop, even in a prompt (2.40.3).
	const message = isCanceled ? text : text.replace(/canceled/g, 'cancelled');
	const description = [
		advice,
		jobLine(failure.job),
		// What to do stands before the lists, which may be long.
		nextStep(attempt, ofJobs, isCanceled),
		...othersOf(own, outcomes),
		...firstLines(charged),
		...finishedLines(finished),
		...details,
	].filter((line) => line !== '');
	const options = { message, description: description.join('\n') };
	const error =
		failure.status === undefined
			? new NodeOperationError(node, message, options)
			: new NodeApiError(node, {}, { ...options, httpCode: String(failure.status) });
	// n8n replaces a message that contains a system code, such as EEXIST in "preexisting" (2.40.3).
	error.message = message;
	// The editor shows the description as HTML, which would join its lines; it prefers a template
	// (2.40.3).
	error.context.descriptionTemplate = toHtml(options.description);
	return error;
}

/** Names a row, and says how many others get the same image. */
function whom({ row, job }: RowOutcome): string {
	const others = (job?.rows.length ?? 1) - 1;
	return others === 0 ? placeName(row) : `${placeName(row)} and ${counted(others, 'equal item')}`;
}

/** Whether a row is the first that gets its image. */
function isFirstOfJob({ row, job }: RowOutcome): boolean {
	return job === undefined || job.rows[0] === row;
}

/**
 * How to get the rest without paying twice; empty if no image is finished.
 * @param outcomes One for each job.
 */
function nextStep(
	{ isTool, execution }: Stopping,
	outcomes: readonly RowOutcome[],
	isCanceled: boolean,
): string {
	const finished = outcomes.filter(isFinished).length;
	// An agent repeats a request because it wants another image.
	if (finished === 0 || isTool) return '';
	const images = finished === 1 ? 'image' : 'images';
	const uses = `uses the finished ${images} and ${whatIsBought(outcomes)}`;
	const limit = 'Without a Purchase Log, that works only until n8n restarts.';
	if (execution.isManual) return `Click 'Execute step' again: it ${uses}.`;
	// n8n begins a sub-workflow anew with its caller.
	if (execution.isSubWorkflow) return `Run the calling workflow again: it ${uses}. ${limit}`;
	// n8n 2.40.3 offers no Retry for a canceled execution.
	if (isCanceled) return `The next run ${uses}. ${limit}`;
	return `Press Retry (the arrow) in the list of executions, or wait for the next run: it ${uses}. ${limit}`;
}

/** What the next run does about the jobs that are not finished. */
function whatIsBought(outcomes: readonly RowOutcome[]): string {
	const rest = outcomes.filter((each) => !isFinished(each));
	if (rest.length === 0) return 'buys nothing';
	return rest.some(isUnclear)
		? 'buys the rest, also what may have been charged already'
		: 'buys only the rest';
}

/** Whether it may have been charged, and nobody waits for its image. */
function isUnclear({ outcome }: RowOutcome): boolean {
	return (
		'failure' in outcome && outcome.failure.kind !== 'awaited' && mayBeCharged(outcome.failure)
	);
}

/** Whether the next run need not buy it. One whose link does not give the image is bought anew. */
function isFinished({ outcome }: RowOutcome): boolean {
	if ('value' in outcome) return true;
	return outcome.failure.kind === 'download' && !isDeadLink(outcome.failure);
}

/** What an invalid item, which the error is about, means for the others. */
function othersOf(about: RowOutcome | undefined, outcomes: readonly RowOutcome[]): string[] {
	if (about === undefined || !('problem' in about.row)) return [];
	const numbers = outcomes.flatMap(({ row }) => ('problem' in row ? `${row.itemIndex + 1}` : []));
	const [, ...others] = new Set(numbers);
	const these = others.length === 1 ? 'This item' : 'These items';
	const valid = outcomes.filter(({ row }) => !('problem' in row));
	const isNoneBought = valid.every(
		({ outcome }) => 'failure' in outcome && outcome.failure.kind === 'not started',
	);
	return [
		...(others.length === 0 ? [] : [`${these} can't be sent either: ${listed(others)}.`]),
		...(valid.length > 0 && isNoneBought ? [VALID_NOT_BOUGHT] : []),
	];
}

/** A line about a finished image; none for any other row. */
function finishedLine({ row, outcome }: RowOutcome): string[] {
	if ('failure' in outcome) return [];
	return [`${placeName(row)}: ${jobLine(referenceTo(outcome.value.result))}`];
}

/** A line about a row that was or may have been charged and is not finished; none for any other row. */
function chargedLine({ row, outcome }: RowOutcome): string[] {
	if ('value' in outcome || !mayBeCharged(outcome.failure)) return [];
	const line = jobLine(outcome.failure.job);
	const charge = line === '' ? 'may have been charged as well' : `was bought as well: ${line}`;
	return [`${placeName(row)} ${charge} (${messageFor(outcome.failure).title})`];
}

function finishedLines(lines: readonly string[]): string[] {
	if (lines.length === 0) return [];
	return ['Finished and paid for:', ...firstLines(lines, " n8n's log lists them all.")];
}

/** @param hint Where to find the lines that are left out. */
function firstLines(lines: readonly string[], hint = ''): string[] {
	const rest = lines.length - MOST_LINES;
	return rest <= 0 ? [...lines] : [...lines.slice(0, MOST_LINES), `… and ${rest} more.${hint}`];
}
