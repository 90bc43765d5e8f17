import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buyRest, deliverKnown, outcomesOf } from './buy/buyAll';
import { notStarted, settle, type Failure, type LimitReached } from './failures/failures';
import { shareCutOuts } from './plan/cutOuts';
import { refuseOwnResults } from './plan/ownResults';
import { planAll } from './plan/planAll';
import { invalidJob } from './plan/planItem';
import { ExecutionMemory } from './recall/executionMemory';
import { recall, takeFound, type Recalled } from './recall/recall';
import { findUntold } from './recall/untold';
import { dryRunHints, dryRunOutcomes, nothingBoughtHint } from './report/dryRun';
import { hintsFor, linesToTell, surplusLine } from './report/hints';
import { canceledError, nodeError, stopOnFailure } from './report/nodeErrors';
import { toOutputItems } from './report/outputItems';
import { endAttempt, setUp, startAttempt, type Attempt, type StartedAttempt } from './run/attempt';
import { referenceTo } from './service/jobResults';
import type { Job, JobOutcome, PlannedJob } from './types';

/** Planning so many takes no time that anybody feels. */
const MANY_ITEMS = 100;

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
	const { context, node, isTool, memory, stopsOnFail } = run;
	const input = context.getInputData();
	const isStopped = () => run.signal.aborted;

	const beyond = await settle(refusalByItems(run));
	if ('failure' in beyond) return giveUp(run, [], beyond.failure);
	if (beyond.value !== undefined) throw nodeError(run, beyond.value, []);

	// Stop cuts planning short, unless earlier attempts bought something: then the message lists it by job.
	const planned = await planAll(run, memory.isEmpty() ? run.signal : undefined);
	const jobs = await refuseOwnResults(planned, madeElsewhere(run));
	const valid = jobs.filter((job): job is Job => !('problem' in job));
	await shareCutOuts(valid);
	const before = remembered(run, jobs);
	// An invalid item, or a failure that earlier attempts left, stops this one before it buys anything, and
	// before recall, which may have to wait for other runs.
	if (stopsOnFail && !isStopped()) stopOnFailure(run, before);

	const payers = valid.filter(({ sameAs }) => sameAs === undefined);
	const settled = await settle(recallAndTake(run, payers));
	if ('failure' in settled) return giveUp(run, remembered(run, jobs), settled.failure);
	if (isStopped()) throw canceledError(run, remembered(run, jobs));
	const { recalled, tooMany } = settled.value;
	const { known } = recalled;
	if (stopsOnFail && tooMany !== undefined) throw nodeError(run, tooMany, remembered(run, jobs));
	if (run.dryRun) {
		context.addExecutionHints(
			...nothingBoughtHint(run.execution.isManual),
			...dryRunHints(jobs, recalled, tooMany),
		);
		return toOutputItems(node, input, dryRunOutcomes(jobs, known));
	}

	const outcomes = outcomesOf(jobs, (job) => known.get(job)?.outcome);
	await deliverKnown(run, outcomes, known);
	const again = await settle(refusal(run, payers, recalled));
	if ('failure' in again) return giveUp(run, outcomes, again.failure);
	if (stopsOnFail && again.value !== undefined) throw nodeError(run, again.value, outcomes);
	await buyRest(run, outcomes, known);
	if (isStopped()) throw canceledError(run, outcomes);
	run.toTell.push(...(await toTell(run, outcomes)));
	if (stopsOnFail) stopOnFailure(run, outcomes, linesToTell(run.toTell));

	const report = {
		...run,
		known,
		outcomes,
		surplus: isTool ? [] : memory.surplus(),
		isFirstUnlogged: isFirstUnlogged(run),
	};
	context.addExecutionHints(...hintsFor(report));
	return toOutputItems(node, input, outcomes);
}

/**
 * Finds what is bought already, and takes it unless it buys nothing: with Dry Run, or if a limit stops the run. If another
 * run is faster, it looks again.
 */
async function recallAndTake(
	run: Attempt,
	payers: readonly Job[],
): Promise<{ recalled: Recalled; tooMany: LimitReached | undefined }> {
	while (true) {
		const recalled = await recall(run, payers);
		const tooMany = await refusal(run, payers, recalled);
		const isRefused = run.stopsOnFail && tooMany !== undefined;
		if (run.dryRun || run.signal.aborted || isRefused) return { recalled, tooMany };
		if (await takeFound(run, recalled)) return { recalled, tooMany };
	}
}

/**
 * Why a run that stops at a limit can't buy what its items need at least, before any file is opened: thousands of them take
 * minutes. What may be there already is left to recall, and so are equal cut-outs.
 */
async function refusalByItems(run: Attempt): Promise<LimitReached | undefined> {
	const { context, node, memory, purchases, policy } = run;
	const isLimited = run.maxImages < Infinity || run.maxImagesPerDay < Infinity;
	const isCertain =
		run.stopsOnFail && !run.isTool && !run.dryRun && memory.isEmpty() && policy.reuse === 'never';
	const { operation } = node.parameters;
	if (!isLimited || !isCertain || (operation !== 'generate' && operation !== 'edit')) return undefined;
	const items = context.getInputData().length;
	if (items <= MANY_ITEMS) return undefined;
	const needed = items - (await purchases.countLeft(items));
	return needed > 0 ? await refusalOf(run, needed) : undefined;
}

/** What the node has made in other executions. Retry may go on in the middle of a loop, with what its rounds made. */
function madeElsewhere({ process, purchases, execution }: Attempt) {
	if (execution.id === '' || execution.isRetry) return [];
	const made = process.made.of(purchases.recording.common.node, process.timeOfDay());
	return made.filter((each) => each.execution !== execution.id);
}

/** Why the limits don't allow all that is not known; undefined if they do. */
async function refusal(
	run: Attempt,
	payers: readonly Job[],
	{ known }: Recalled,
): Promise<LimitReached | undefined> {
	return await refusalOf(run, payers.filter((job) => !known.has(job)).length);
}

/** Why the limits don't allow so many paid requests; undefined if they do. */
async function refusalOf(
	{ limit, dayLimit }: Attempt,
	needed: number,
): Promise<LimitReached | undefined> {
	return limit.refusal(needed) ?? (await dayLimit.refusal(needed));
}

/** What the execution knows of the jobs: what it bought, and what it has taken. */
function remembered({ memory }: Attempt, jobs: readonly PlannedJob[]): JobOutcome[] {
	return outcomesOf(jobs, (job) => memory.recall(job)?.outcome);
}

/** Whether people should know that n8n's memory is all that the node has; said once for each node. */
function isFirstUnlogged({ process, execution, purchases, log }: Attempt): boolean {
	const { common, log: purchaseLog } = purchases.recording;
	if (purchaseLog !== undefined || log.tally.paid === 0 || !execution.isManual) return false;
	const isFirst = !process.warnedNodes.has(common.node);
	process.warnedNodes.add(common.node);
	return isFirst;
}

/** Finds what to tell of other runs. What this one can't tell, a later run does. */
async function toTell(run: Attempt, outcomes: readonly JobOutcome[]) {
	// Nobody reads what an attempt says that n8n repeats.
	const isRepeated =
		run.run.attemptsLeft > 0 && outcomes.some(({ outcome }) => 'failure' in outcome);
	if (run.isTool || isRepeated) return [];
	const found = await settle(findUntold(run));
	return 'value' in found ? found.value : [];
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

/** Gives up an attempt that could not be prepared, and that has no jobs yet. */
async function failedItems(start: StartedAttempt, failure: Failure): Promise<INodeExecutionData[]> {
	// What earlier attempts bought is there for whoever comes first: Retry, or the next run.
	if (start.run.attemptsLeft <= 0) await start.run.purchases?.end(undefined, false);
	const items = start.context.getInputData();
	const jobs = items.map((_item, index) => invalidJob(start, index, notStarted.failure));
	const { state, runName, isTool } = start;
	const bought = isTool ? [] : new ExecutionMemory(state.jobs, runName, false).surplus();
	return giveUp(start, outcomesOf(jobs), failure, [surplusLine(bought)]);
}
