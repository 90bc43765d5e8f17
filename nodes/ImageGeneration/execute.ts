import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buyRest, deliverKnown, outcomesOf } from './buy/buyAll';
import { notStarted, settle, type Failure, type LimitReached } from './failures/failures';
import { shareCutOuts } from './plan/cutOuts';
import { refuseOwnResults } from './plan/ownResults';
import { planAll } from './plan/planAll';
import { invalidJob } from './plan/planItem';
import { ExecutionMemory } from './recall/executionMemory';
import { AWAITED_FOR } from './recall/journal';
import type { Known, Recalled } from './recall/known';
import { recall } from './recall/recall';
import { takeFound } from './recall/takeFound';
import { findUntold } from './recall/untold';
import { dryRunHints, dryRunOutcomes, nothingBoughtHint } from './report/dryRun';
import { hintsFor, linesToTell, surplusLine } from './report/hints';
import { canceledError, firstFailure, nodeError } from './report/nodeErrors';
import { toOutputItems } from './report/outputItems';
import { startAttempt, type Attempt, type StartedAttempt } from './run/attempt';
import { refusalByItems } from './run/earlyRefusal';
import { endAttempt } from './run/endAttempt';
import { thisProcess, type N8nProcess } from './run/n8nProcess';
import { setUp } from './run/setUp';
import { referenceTo } from './service/jobResults';
import type { Job, JobOutcome, PlannedJob } from './types';

/**
 * Plans every job, recalls what is bought already, buys the rest, and returns items in input order.
 * @param process The n8n process that runs the node.
 */
export async function execute(
	context: IExecuteFunctions,
	process: N8nProcess = thisProcess,
): Promise<INodeExecutionData[][]> {
	const start = startAttempt(context, process);
	const setup = await settle(setUp(start));
	if ('failure' in setup) return [await failedItems(start, setup.failure)];
	const attempt = setup.value;
	let items: INodeExecutionData[] | undefined;
	try {
		items = await runAll(attempt);
		return [items];
	} finally {
		await endAttempt(attempt, items);
	}
}

/** @throws n8n's error if a failure, or Stop in n8n, ends the run. */
async function runAll(attempt: Attempt): Promise<INodeExecutionData[]> {
	const { context, node, isTool, memory } = attempt;
	const input = context.getInputData();
	const isStopped = () => attempt.signal.aborted;

	const beyond = await settle(refusalByItems(attempt));
	if ('failure' in beyond) return giveUp(attempt, [], beyond.failure);
	await stopAt(attempt, beyond.value, []);

	// Stop cuts planning short, unless earlier attempts bought something: then the message lists it by job.
	const planned = await planAll(attempt, memory.isEmpty() ? attempt.signal : undefined);
	const jobs = await refuseOwnResults(attempt, planned);
	const valid = jobs.filter((job): job is Job => !('problem' in job));
	await shareCutOuts(valid);
	const payers = valid.filter(({ sameAs }) => sameAs === undefined);
	memory.assign(payers);
	const before = remembered(attempt, jobs);
	// An invalid item, or a failure that earlier attempts left, stops this one before it buys anything, and
	// before recall, which may have to wait for other runs.
	if (!isStopped()) await stopAt(attempt, firstFailure(before), before);

	const settled = await settle(recallAndTake(attempt, payers));
	if ('failure' in settled) return giveUp(attempt, remembered(attempt, jobs), settled.failure);
	if (isStopped()) throw canceledError(attempt, remembered(attempt, jobs));
	const { recalled, tooMany } = settled.value;
	const { known } = recalled;
	await stopAt(attempt, tooMany, remembered(attempt, jobs), known);
	if (attempt.dryRun) {
		context.addExecutionHints(
			...nothingBoughtHint(attempt.execution.isManual),
			...dryRunHints(jobs, recalled, tooMany),
		);
		return toOutputItems(node, input, dryRunOutcomes(jobs, known));
	}

	const outcomes = outcomesOf(jobs, (job) => known.get(job)?.outcome);
	await deliverKnown(attempt, outcomes, known);
	const again = await settle(refusal(attempt, payers, recalled));
	if ('failure' in again) return giveUp(attempt, outcomes, again.failure);
	await stopAt(attempt, again.value, outcomes, known);
	await buyRest(attempt, outcomes, known);
	if (isStopped()) throw canceledError(attempt, outcomes);
	const failure = firstFailure(outcomes);
	await stopAt(attempt, failure, outcomes, known);
	await noteUntold(attempt, failure !== undefined, known);

	const report = {
		...attempt,
		known,
		outcomes,
		surplus: isTool ? [] : memory.surplus(),
		isForgotten: isForgotten(attempt),
	};
	context.addExecutionHints(...hintsFor(report));
	return toOutputItems(node, input, outcomes);
}

/**
 * Finds what is bought already, and takes it unless it buys nothing: with Dry Run, or if a limit stops the run. If another
 * run is faster, it looks again.
 */
async function recallAndTake(
	attempt: Attempt,
	payers: readonly Job[],
): Promise<{ recalled: Recalled; tooMany: LimitReached | undefined }> {
	const until = attempt.purchases.recording.process.now() + AWAITED_FOR;
	while (true) {
		const recalled = await recall(attempt, payers, until);
		const tooMany = await refusal(attempt, payers, recalled);
		const isRefused = attempt.stopsOnFail && tooMany !== undefined;
		if (attempt.dryRun || attempt.signal.aborted || isRefused) return { recalled, tooMany };
		if (await takeFound(attempt, recalled)) return { recalled, tooMany };
	}
}

/** Why the limits don't allow all that is not known; undefined if they do. */
async function refusal(
	{ limits, dryRun, stopsOnFail, signal }: Attempt,
	payers: readonly Job[],
	{ known }: Recalled,
) {
	const needed = payers.filter((job) => !known.has(job)).length;
	// A run that continues waits for each image by itself.
	const waits = stopsOnFail && !dryRun;
	return await limits.refusal(needed, waits ? signal : undefined);
}

/** What the execution knows of the jobs: what it bought, and what it has taken. */
function remembered({ memory }: Attempt, jobs: readonly PlannedJob[]): JobOutcome[] {
	return outcomesOf(jobs, (job) => memory.get(job)?.outcome);
}

/** Whether people should hear that the node forgets what it bought when n8n restarts; once for each node. */
function isForgotten({ process, execution, purchases, log }: Attempt): boolean {
	const { common, log: purchaseLog } = purchases.recording;
	const isUnlogged = purchaseLog === undefined && log.tally.paid > 0 && execution.isManual;
	return isUnlogged && process.warnOnce(common.node);
}

/** Ends a run that stops at a failure, and tells what it can of other runs. @throws the failure as n8n's error */
async function stopAt(
	attempt: Attempt,
	failure: Failure | undefined,
	outcomes: readonly JobOutcome[],
	known?: ReadonlyMap<Job, Known>,
): Promise<void> {
	if (failure === undefined || !attempt.stopsOnFail) return;
	await noteUntold(attempt, true, known);
	throw nodeError(attempt, failure, outcomes, linesToTell(attempt.toTell));
}

/** Finds what to tell of other runs. What this one can't tell, a later run does. */
async function noteUntold(
	attempt: Attempt,
	hasFailed: boolean,
	known: ReadonlyMap<Job, Known> | undefined,
): Promise<void> {
	// Nobody reads what an attempt says that n8n repeats.
	const isRepeated = hasFailed && attempt.run.attemptsLeft > 0;
	if (attempt.isTool || attempt.dryRun || isRepeated) return;
	const found = await settle(findUntold(attempt, known));
	if ('value' in found) attempt.toTell.push(...found.value);
}

/**
 * Returns an error item for every job, because a failure concerns all of them. Those that earlier
 * attempts bought name their links.
 * @param details Lines to add to the message.
 * @throws the failure as n8n's error if On Error is Stop.
 */
function giveUp(
	attempt: StartedAttempt,
	before: JobOutcome[],
	failure: Failure,
	details: readonly string[] = [],
) {
	const { context, node, stopsOnFail } = attempt;
	if (stopsOnFail) throw nodeError(attempt, failure, before, details);
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
