import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buyAll, outcomesOf } from './buy/buyAll';
import { notStarted, settle, type Failure } from './failures/failures';
import { planAll } from './plan/planAll';
import { invalidJob } from './plan/planItem';
import { ExecutionMemory } from './recall/executionMemory';
import type { OtherPurchase } from './recall/others/otherPurchase';
import { recall, takeOver } from './recall/recall';
import { endRun } from './recall/runEnd';
import { dryRunHints, dryRunOutcomes, nothingBoughtHint } from './report/dryRun';
import { hintsFor, linesToTell, surplusLines } from './report/hints';
import { canceledError, nodeError, stopOnFailure } from './report/nodeErrors';
import { toOutputItems } from './report/outputItems';
import { endAttempt, setUp, startAttempt, type Attempt, type StartedAttempt } from './run/attempt';
import { referenceTo } from './service/jobResults';
import type { Job, JobOutcome, PlannedJob } from './types';

/** Plans every job, recalls what is bought already, buys the rest, and returns items in input order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const start = startAttempt(context);
	const setup = await settle(setUp(start));
	if ('failure' in setup) return [await failedItems(start, setup.failure)];
	const run = setup.value;
	let items: INodeExecutionData[] | undefined;
	try {
		items = await runAll(run);
		return [items];
	} finally {
		await endAttempt(run, items);
	}
}

/** @throws n8n's error if a failure, or Stop in n8n, ends the run. */
async function runAll(run: Attempt): Promise<INodeExecutionData[]> {
	const { context, node, isTool, memory, limit, stopsOnFail } = run;
	const input = context.getInputData();
	const isStopped = () => run.signal.aborted;

	// Stop cuts planning short, unless earlier attempts bought something: then the message lists it by job.
	const jobs = await planAll(run, memory.isEmpty() ? run.signal : undefined);
	const before = remembered(run, jobs);
	// An invalid item, or a failure that earlier attempts left, stops this one before it buys anything, and
	// before recall, which may have to wait for another n8n process.
	if (stopsOnFail && !isStopped()) stopOnFailure(run, before);

	const valid = jobs.filter((job): job is Job => !('problem' in job));
	const recalled = await settle(recall(run, valid));
	if ('failure' in recalled) return giveUp(run, before, recalled.failure);
	if (isStopped()) throw canceledError(run, before);
	const needed = valid.length - recalled.value.known.size;
	const tooMany = limit.refusal(needed);
	if (stopsOnFail && tooMany !== undefined) throw nodeError(run, tooMany, before);
	if (run.dryRun) {
		const { known } = recalled.value;
		const cutOff = await settle(run.purchases.cutOff());
		const left = 'value' in cutOff ? cutOff.value : [];
		context.addExecutionHints(
			...nothingBoughtHint(run.execution.isManual),
			...dryRunHints(jobs, known, needed, tooMany, left),
		);
		return toOutputItems(node, input, dryRunOutcomes(jobs, known));
	}
	const taken = await settle(takeOver(run, valid, recalled.value));
	if ('failure' in taken) return giveUp(run, remembered(run, jobs), taken.failure);

	const { known, withoutLink } = taken.value;
	const outcomes = await buyAll(run, jobs, known);
	if (isStopped()) throw canceledError(run, outcomes);
	const toTell = await tell(run, outcomes, withoutLink);
	if (stopsOnFail) stopOnFailure(run, outcomes, linesToTell(toTell, withoutLink));

	const surplus = isTool ? [] : memory.surplus();
	context.addExecutionHints(...hintsFor({ ...run, ...taken.value, outcomes, toTell, surplus }));
	return toOutputItems(node, input, outcomes);
}

/** What the execution knows of the jobs: what it bought, and what it has taken. */
function remembered({ memory }: Attempt, jobs: readonly PlannedJob[]): JobOutcome[] {
	return outcomesOf(jobs, (job) => memory.recall(job)?.outcome);
}

/**
 * Finds what to tell of other runs. What this one can't tell, a later run does.
 * @param withoutLink Of these it tells as well; then nobody uses or tells of them any more.
 */
async function tell(
	run: Attempt,
	outcomes: readonly JobOutcome[],
	withoutLink: readonly OtherPurchase[],
): Promise<OtherPurchase[]> {
	// Nobody reads what an attempt says that n8n repeats.
	const isRepeated =
		run.record.attemptsLeft > 0 && outcomes.some(({ outcome }) => 'failure' in outcome);
	if (run.isTool || isRepeated) return [];
	for (const purchase of withoutLink) await run.purchases.markGone(purchase);
	const told = await settle(run.purchases.tell());
	return 'value' in told ? told.value : [];
}

/**
 * Returns an error item for every job, because a failure concerns all of them. Those that earlier
 * attempts bought name their links.
 * @param details Lines to add to the message.
 * @throws the failure as n8n's error if On Error is Stop.
 */
function giveUp(
	run: StartedAttempt,
	before: JobOutcome[],
	failure: Failure,
	details: readonly string[] = [],
) {
	const { context, node, stopsOnFail } = run;
	if (stopsOnFail) throw nodeError(run, failure, before, details);
	const outcomes = before.map(({ job, outcome }): JobOutcome => {
		if ('failure' in outcome && outcome.failure.kind !== 'not started') return { job, outcome };
		const bought = 'value' in outcome && { job: referenceTo(outcome.value.result) };
		return { job, outcome: { failure: { ...failure, ...bought } } };
	});
	return toOutputItems(node, context.getInputData(), outcomes);
}

/** Gives up a run that could not be prepared, and that has no jobs yet. */
async function failedItems(start: StartedAttempt, failure: Failure): Promise<INodeExecutionData[]> {
	const { record, state, execution, stopsOnFail, isTool, runName } = start;
	if (record.attemptsLeft <= 0) {
		// What earlier attempts bought is there for whoever comes first: Retry, or the next run.
		if (record.recording !== undefined) await endRun(record.recording, 'stopped');
		if (stopsOnFail) await state.takeBack(execution.isSubWorkflow ? 'stopped' : 'failed');
	}
	const items = start.context.getInputData();
	const jobs = items.map((_item, index) => invalidJob(start, index, notStarted.failure));
	const bought = isTool ? [] : new ExecutionMemory(state.jobs, runName, false).surplus();
	return giveUp(start, outcomesOf(jobs), failure, surplusLines(bought));
}
