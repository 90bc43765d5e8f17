import type { Failure } from '../failures/failures';
import { notStarted, type Outcome } from '../failures/outcome';
import { mayBeCharged } from '../failures/retryDecision';
import { placeName } from '../failures/text';
import type { ExecutionMemory } from '../recall/executionMemory';
import { referenceTo } from '../service/jobResults';
import type { FinishedJob, JobOutcome, JobPlace, PlannedJob } from '../types';
import { jobLine, messageFor } from './messages';

/** Nobody reads more, and the execution's data would grow. */
const MOST_LINES = 50;

const AFTER_ABORT = 'Retry in the list of executions uses them and buys only the rest.';

/**
 * The outcome of each job: of this attempt, or as the execution remembers it if it was not started or
 * Stop ended its download.
 * @param outcomes Outcomes of this attempt; empty if no job has started.
 */
export function jobOutcomes(
	jobs: readonly PlannedJob[],
	memory: Pick<ExecutionMemory, 'outcomeOf'>,
	outcomes: ReadonlyArray<Outcome<FinishedJob>> = [],
): JobOutcome[] {
	return jobs.map((job, index) => {
		const outcome = outcomes[index] ?? notStarted;
		if ('value' in outcome) return { job, outcome: { value: outcome.value.result } };
		const isStarted = outcome.failure.kind !== 'not started';
		return { job, outcome: isStarted ? outcome : (memory.outcomeOf(job) ?? outcome) };
	});
}

/**
 * Lists the finished images, and the jobs that may have been charged.
 * @param except The purchase that the error itself is about.
 * @param next How to get the finished images that the list has no room for.
 */
export function purchaseDetails(
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
	const list = firstLines(finished, ` n8n's log lists them all. ${next}`);
	return {
		finished: finished.length,
		details: [
			...firstLines(others),
			...(finished.length === 0 ? [] : ['Finished and paid for:', ...list]),
		],
	};
}

function chargeLine(job: JobPlace, failure: Failure): string {
	const line = jobLine(failure.job);
	const charge = line === '' ? 'may have been charged as well' : `was bought as well: ${line}`;
	return `${placeName(job)} ${charge} (${messageFor(failure).title})`;
}

/** @param hint Where to find the lines that are left out. */
function firstLines(lines: readonly string[], hint = ''): string[] {
	const rest = lines.length - MOST_LINES;
	if (rest <= 0) return [...lines];
	return [...lines.slice(0, MOST_LINES), `… and ${rest} more.${hint}`];
}
