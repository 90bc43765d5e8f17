import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Failure } from '../failures/failures';
import { mayBeCharged, retryDecision } from '../failures/retryDecision';
import type { Execution } from '../n8n/execution';
import type { RecallPolicy } from '../recall/choice';
import { referenceTo } from '../service/jobResults';
import type { Job, JobOutcome, PlannedJob } from '../types';
import { placeName } from '../values/placeName';
import { counted, listed, toHtml } from '../values/text';
import { jobLine, messageFor } from './messages';

/** What the messages need to know of a run that stops. */
export interface Stopping {
	node: INode;
	isTool: boolean;
	execution: Pick<Execution, 'isManual' | 'isSubWorkflow' | 'savesFailed'>;
	/** Undefined if the run could not be prepared. */
	policy?: Pick<RecallPolicy, 'reuse'>;
}

const VALID_NOT_BOUGHT =
	"The other items were not bought. To buy those that are valid, set 'On Error' to 'Continue' in the node's settings.";

/** Nobody reads more, and the execution's data would grow. */
const MOST_LINES = 50;

/** The first failure of a job that was started; undefined if there is none. */
export function firstFailure(outcomes: readonly JobOutcome[]): Failure | undefined {
	const failures = outcomes.flatMap(({ outcome }) => ('failure' in outcome ? outcome.failure : []));
	return failures.find(({ kind }) => kind !== 'not started');
}

/** The error for a run that was stopped in n8n, listing its purchases. */
export function canceledError(attempt: Stopping, outcomes: readonly JobOutcome[]) {
	const failure: Failure = {
		kind: 'canceled',
		message: 'The execution was canceled',
		advice: adviceAfterStop(outcomes, attempt.isTool),
	};
	return nodeError(attempt, failure, outcomes);
}

function adviceAfterStop(outcomes: readonly JobOutcome[], isTool: boolean): string {
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
	outcomes: readonly JobOutcome[],
	details: readonly string[] = [],
): NodeApiError | NodeOperationError {
	const { node } = attempt;
	const { title, advice } = messageFor(failure);
	const isOwn = ({ outcome }: JobOutcome) => 'failure' in outcome && outcome.failure === failure;
	const job = outcomes.find(isOwn)?.job;
	const finished = outcomes.flatMap(finishedLine);
	const charged = outcomes.flatMap((each) => (each.job === job ? [] : chargedLine(each)));
	// Not n8n's `itemIndex`: n8n would add it to the message, counted from 0 (2.40.3, 1.123.81).
	const about = job === undefined || outcomes.length === 1 ? '' : `${whom(job, outcomes)}: `;
	const count = ` (${counted(finished.length, 'finished image')}, listed below)`;
	const isCanceled = failure.kind === 'canceled';
	const text = `${about}${title}${finished.length > 0 ? count : ''}`;
	// n8n takes any message with the word "canceled" for a stop, even in a prompt (2.40.3).
	const message = isCanceled ? text : text.replace(/canceled/g, 'cancelled');
	const description = [
		advice,
		jobLine(failure.job),
		// What to do stands before the lists, which may be long.
		nextStep(attempt, outcomes, isCanceled),
		...othersOf(job, outcomes),
		...firstLines(charged),
		...(finished.length === 0 ? [] : ['Finished and paid for:']),
		...firstLines(finished, " n8n's log lists them all."),
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

/** Names a job, and says how many others share its purchase. */
function whom(job: PlannedJob, outcomes: readonly JobOutcome[]): string {
	const others = outcomes.filter((each) => sharesPurchase(each) && each.job.sameAs === job).length;
	return others === 0 ? placeName(job) : `${placeName(job)} and ${counted(others, 'equal item')}`;
}

/** Whether another job pays for a job's image. */
function sharesPurchase(each: JobOutcome): each is JobOutcome & { job: Job } {
	return !('problem' in each.job) && each.job.sameAs !== undefined;
}

/** How to get the rest without paying twice; empty if no image is finished. */
function nextStep(
	{ isTool, execution, policy }: Stopping,
	outcomes: readonly JobOutcome[],
	isCanceled: boolean,
): string {
	const finished = outcomes.filter(isFinished).length;
	// An agent repeats a request because it wants another image.
	if (finished === 0 || isTool) return '';
	const [images, them] = finished === 1 ? ['image', 'it'] : ['images', 'them'];
	const uses = `uses the finished ${images} and ${whatIsBought(outcomes)}`;
	const limit = timeLimit(outcomes, policy);
	// n8n 2.40.3 offers no Retry for a canceled execution.
	if (isCanceled) {
		return `The next run of this workflow within three days ${uses}. Without a Purchase Log, it knows ${them} only until n8n restarts.${limit}`;
	}
	// n8n begins a sub-workflow anew with its caller.
	if (execution.isSubWorkflow) return `Run the calling workflow again: it ${uses}.${limit}`;
	if (execution.isManual && policy?.reuse !== 'never') {
		return `Click 'Execute step' again: it ${uses}.${limit}`;
	}
	if (!execution.savesFailed)
		return `The next run of this workflow within three days ${uses}.${limit}`;
	return `Press Retry (the arrow) in the list of executions: it ${uses}. So does the next run of this workflow within three days.${limit}`;
}

/** Until when another run uses the finished images; empty if there is no such limit. */
function timeLimit(outcomes: readonly JobOutcome[], policy: Stopping['policy']): string {
	const isFromAddress = ({ job }: JobOutcome) =>
		!('problem' in job) && job.request.textParts.image !== undefined;
	if (policy?.reuse === 'always' || !outcomes.filter(isFinished).some(isFromAddress)) return '';
	return ' For the next run, images made from an image URL count only for ten minutes.';
}

/** What the next run does about the jobs that are not finished. */
function whatIsBought(outcomes: readonly JobOutcome[]): string {
	const rest = outcomes.filter((each) => !isFinished(each));
	if (rest.length === 0) return 'buys nothing';
	return rest.some(isUnclear)
		? 'buys the rest, also what may have been charged already'
		: 'buys only the rest';
}

/** Whether it may have been charged, and nobody waits for its image. */
function isUnclear({ outcome }: JobOutcome): boolean {
	return (
		'failure' in outcome && outcome.failure.kind !== 'awaited' && mayBeCharged(outcome.failure)
	);
}

/** Whether the next run need not buy it. One that the service no longer has is bought anew. */
function isFinished({ outcome }: JobOutcome): boolean {
	if ('value' in outcome) return true;
	return outcome.failure.kind === 'download' && outcome.failure.reason !== 'gone';
}

/** What an invalid item, which the error is about, means for the others. */
function othersOf(about: PlannedJob | undefined, outcomes: readonly JobOutcome[]): string[] {
	if (about === undefined || !('problem' in about)) return [];
	const numbers = outcomes.flatMap(({ job }) => ('problem' in job ? `${job.itemIndex + 1}` : []));
	const [, ...others] = new Set(numbers);
	const valid = outcomes.filter(({ job }) => !('problem' in job));
	const isNoneBought = valid.every(
		({ outcome }) => 'failure' in outcome && outcome.failure.kind === 'not started',
	);
	return [
		...(others.length === 0 ? [] : [`These items can't be sent either: ${listed(others)}.`]),
		...(valid.length > 0 && isNoneBought ? [VALID_NOT_BOUGHT] : []),
	];
}

/** A line about a finished image; none for any other job. */
function finishedLine(each: JobOutcome): string[] {
	const { job, outcome } = each;
	if ('failure' in outcome || sharesPurchase(each)) return [];
	return [`${placeName(job)}: ${jobLine(referenceTo(outcome.value.result))}`];
}

/** A line about a job that was or may have been charged and is not finished; none for any other job. */
function chargedLine(each: JobOutcome): string[] {
	const { job, outcome } = each;
	if ('value' in outcome || sharesPurchase(each) || !mayBeCharged(outcome.failure)) return [];
	const line = jobLine(outcome.failure.job);
	const charge = line === '' ? 'may have been charged as well' : `was bought as well: ${line}`;
	return [`${placeName(job)} ${charge} (${messageFor(outcome.failure).title})`];
}

/** @param hint Where to find the lines that are left out. */
function firstLines(lines: readonly string[], hint = ''): string[] {
	const rest = lines.length - MOST_LINES;
	return rest <= 0 ? [...lines] : [...lines.slice(0, MOST_LINES), `… and ${rest} more.${hint}`];
}
