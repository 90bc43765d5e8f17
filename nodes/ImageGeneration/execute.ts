import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Batch } from './buy/batch';
import { deliverKnown, obtainRest } from './buy/obtain';
import { settle, type Failure, type LimitReached } from './failures/failures';
import { joinRows } from './plan/joinRows';
import { planAll } from './plan/planAll';
import { invalidRow } from './plan/planItem';
import { CircleWatch } from './recall/circle';
import { dryRunHints, dryRunOutcomes } from './report/dryRun';
import { hintsFor } from './report/hints';
import { canceledError, firstFailure, nodeError, purchaseLines } from './report/nodeErrors';
import { toOutputItems } from './report/outputItems';
import { startAttempt, type Attempt, type StartedAttempt } from './run/attempt';
import { endAttempt, endUnprepared } from './run/endAttempt';
import { thisProcess, type N8nProcess } from './run/n8nProcess';
import { setUp } from './run/setUp';
import type { RowOutcome } from './types';

/**
 * Plans every job, recalls what is there already, buys the rest, and returns items in input order.
 * @param process The n8n process that runs the node.
 */
export async function execute(
	context: IExecuteFunctions,
	process: N8nProcess = thisProcess,
): Promise<INodeExecutionData[][]> {
	const start = startAttempt(context, process);
	const setup = await settle(setUp(start));
	if ('failure' in setup) return [giveUp(start, setup.failure)];
	const attempt = setup.value;
	let batch = new Batch([], []);
	let items: INodeExecutionData[] | undefined;
	try {
		batch = await plan(attempt);
		items = await run(attempt, batch);
		return [items];
	} finally {
		await endAttempt(attempt, batch, items);
	}
}

/** Plans the rows of all items, and the jobs that they need. Stop cuts it short. */
async function plan(attempt: Attempt): Promise<Batch> {
	const planned = await planAll(attempt, attempt.signal);
	const { origin } = attempt.service.baseUrl;
	const { rows, jobs } = await joinRows(planned, origin, (row) => attempt.memory.get(row)?.entry);
	const batch = new Batch(rows, jobs);
	rememberExecution(attempt, batch);
	return batch;
}

/** @throws n8n's error if a failure, or Stop in n8n, ends the run. */
async function run(attempt: Attempt, batch: Batch): Promise<INodeExecutionData[]> {
	const { context, node, execution, options } = attempt;
	const input = context.getInputData();
	// Invalid items, and what earlier attempts left unclear, stop it before anything is read.
	stopIfFailed(attempt, batch);
	await recallAll(attempt, batch);
	if (options.dryRun) {
		const tooMany = attempt.limits.refusal(batch.toBuy.length);
		context.addExecutionHints(...dryRunHints(execution.isManual, batch, tooMany));
		return toOutputItems(node, input, dryRunOutcomes(batch));
	}
	refuseRepetitions(attempt, batch);
	stopIfFailed(attempt, batch);
	planPurchases(attempt, batch);
	useWhatIsThere(attempt, batch);
	await deliverKnown(attempt, batch);
	stopIfFailed(attempt, batch);
	// What is no longer behind its link has to be bought as well.
	planPurchases(attempt, batch);
	await obtainRest(attempt, batch);
	stopIfFailed(attempt, batch);
	context.addExecutionHints(...hintsFor(attempt, batch));
	return toOutputItems(node, input, batch.outcomes);
}

/** Notes what the execution has of the jobs, from earlier attempts or from the execution that Retry continues. */
function rememberExecution({ memory, purchases, options, run }: Attempt, batch: Batch): void {
	for (const job of batch.jobs) {
		const stored = memory.get(job.rows[0]);
		if (stored === undefined) continue;
		const from = stored.execution === run.execution ? 'this execution' : 'Retry';
		const { result, failure } = stored;
		if (result !== undefined) {
			const purchase = purchases.adopt(stored, !options.dryRun);
			batch.known.set(job, { purchase, result, from });
		} else if (failure !== undefined && from === 'this execution') {
			// It may have been charged. Only Retry in the list of executions buys it again.
			batch.setAll(job, { failure });
		} else {
			batch.unclearBefore.set(stored.entry, purchases.adopt(stored, false));
		}
	}
}

/** Finds images that are there already, and requests under way that are worth waiting for. */
async function recallAll(attempt: Attempt, batch: Batch): Promise<void> {
	const { recall, purchases, options, signal } = attempt;
	if (batch.toBuy.length === 0) return;
	const recalled = await settle(recall.read(batch.toBuy));
	if ('failure' in recalled) {
		for (const job of batch.toBuy) batch.setAll(job, recalled);
		return;
	}
	if (!options.dryRun && !signal.aborted) await purchases.catchUp();
	const watch = watchFor(attempt);
	for (const job of batch.toBuy) {
		if (signal.aborted) return;
		const circle = await watch?.refuseCircle(job);
		if (circle !== undefined) {
			batch.setAll(job, { failure: circle });
			continue;
		}
		const found = await recall.find(job);
		if (found !== undefined) {
			batch.found.set(job, found);
			continue;
		}
		const flight = await recall.flightFor(job);
		if (flight !== undefined) batch.waits.set(job, flight);
	}
}

/** Refuses what many published executions have bought within an hour, unless a limit for a day says how many are meant. */
function refuseRepetitions(attempt: Attempt, batch: Batch): void {
	if (attempt.options.maxImagesPerDay < Infinity) return;
	const watch = watchFor(attempt);
	for (const job of batch.toBuy) {
		const failure = watch?.refuseRepetition(job);
		if (failure !== undefined) batch.setAll(job, { failure });
	}
}

/** Only a published workflow triggers itself. A visitor and an agent may mean it. */
function watchFor({ process, run, execution, isTool }: Attempt): CircleWatch | undefined {
	if (execution.isManual || execution.isOfVisitor || isTool) return undefined;
	return new CircleWatch({
		journal: process.journal,
		node: run.node,
		execution: run.execution,
		now: process.timeOfDay(),
	});
}

/**
 * Takes places for what is to be bought.
 * @throws n8n's error if On Error is Stop and the limits don't allow all of it. Otherwise the first jobs are bought.
 */
function planPurchases(attempt: Attempt, batch: Batch): void {
	const { limits, stopsOnFail } = attempt;
	const jobs = batch.toBuy.filter((job) => !batch.planned.has(job));
	const refused: LimitReached | undefined = limits.refusal(jobs.length);
	if (refused !== undefined && stopsOnFail) throw nodeError(attempt, refused, batch.outcomes);
	const room = limits.room(jobs.length);
	limits.plan(room);
	for (const [index, job] of jobs.entries()) {
		if (index < room || refused === undefined) batch.planned.add(job);
		else batch.setAll(job, { failure: { ...refused, isNothingSent: false } });
	}
}

/** Uses the images that were found, unless another run has them meanwhile. */
function useWhatIsThere({ purchases, limits }: Attempt, batch: Batch): void {
	for (const [job, found] of batch.found) {
		const purchase = purchases.use(job, found);
		if (purchase !== undefined) {
			batch.known.set(job, { purchase, result: found.purchase.result, from: 'another run' });
		} else if (limits.refusal(1) === undefined) {
			limits.plan(1);
			batch.planned.add(job);
		}
	}
	batch.found.clear();
}

/** @throws n8n's error after Stop, or if a row has failed and On Error is Stop */
function stopIfFailed(attempt: Attempt, batch: Batch): void {
	const { outcomes } = batch;
	if (attempt.signal.aborted) throw canceledError(attempt, outcomes);
	const failure = firstFailure(outcomes);
	if (failure !== undefined && attempt.stopsOnFail) throw nodeError(attempt, failure, outcomes);
}

/**
 * Returns an error item for every input item, because the run could not be prepared.
 * @throws the failure as n8n's error if On Error is Stop.
 */
function giveUp(start: StartedAttempt, failure: Failure): INodeExecutionData[] {
	const { context, node, stopsOnFail } = start;
	const bought = [...start.run.before.keys()];
	endUnprepared(start);
	if (stopsOnFail) throw nodeError(start, failure, [], purchaseLines(bought));
	const items = context.getInputData();
	const outcomes = items.map((_item, index): RowOutcome => {
		const row = invalidRow(start, index, failure);
		return { row, job: undefined, outcome: { failure } };
	});
	return toOutputItems(node, items, outcomes);
}
