import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buyAll } from './buy/buyAll';
import type { Failure } from './failures/failures';
import { settle, type Outcome } from './failures/outcome';
import { planAll } from './plan/planAll';
import { includesInput } from './plan/planItem';
import { recall, takeOver, tellAll } from './recall/recall';
import { dryRunHint, dryRunOutcomes } from './report/dryRun';
import { hintsFor, unclaimedLines, unloggedHints } from './report/hints';
import { canceledError, nodeError, stopOnFailure } from './report/nodeErrors';
import { toOutputItems } from './report/outputItems';
import {
	continuesOnFail,
	countsAsFailure,
	isStopped,
	isToolCall,
	outcomesOf,
	setUp,
	type Run,
} from './run';
import type { Job, PlannedJob } from './types';

/** Plans every job, recalls what is bought already, buys the rest, and returns items in input order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const setup = await settle(setUp(context));
	if ('failure' in setup) return [failedItems(context, setup.failure)];
	const run = setup.value;
	let items: INodeExecutionData[] | undefined;
	try {
		const outcome = await runAll(run);
		items = 'failure' in outcome ? failedItems(context, outcome.failure) : outcome.value;
		return [items];
	} finally {
		await endRun(run, items);
	}
}

/**
 * @returns the output items, or a failure that concerns no particular job.
 * @throws n8n's error if a job's failure, or Stop in n8n, ends the run.
 */
async function runAll(run: Run): Promise<Outcome<INodeExecutionData[]>> {
	const { options, planning, buying, stopsOnFail } = run;
	const { context, node, isTool } = planning;
	const { memory, limit, limiters, log } = buying;
	const input = context.getInputData();

	// After a stop, finding what an earlier attempt bought still takes the full plan.
	const { jobs, skipped } = await planAll(planning, memory.isEmpty() ? buying.signal : undefined);
	// Not after recall, which may have to wait for another n8n process.
	if (stopsOnFail && !isStopped(run)) stopOnFailure(node, outcomesOf(run, jobs));

	const valid = jobs.filter((job): job is Job => !('problem' in job));
	const isManual = context.getMode() === 'manual';
	const recalling = { ...buying, isManual, isTool, reuse: options.reuse };
	const found = await settle(recall(recalling, valid));
	if ('failure' in found) return giveUp(run, jobs, found.failure);
	const { known, unclaimed } = found.value;
	const before = outcomesOf(run, jobs);
	if (isStopped(run)) throw canceledError(node, before);
	// A failure that no attempt can resolve stops this attempt before it buys anything.
	if (stopsOnFail) stopOnFailure(node, before);
	const needed = valid.filter((job) => !known.has(job)).length;
	const tooMany = limit.refusal(needed);
	if (stopsOnFail && tooMany !== undefined) throw nodeError(node, tooMany, { outcomes: before });
	if (options.dryRun) {
		context.addExecutionHints(dryRunHint(jobs, known, needed, tooMany));
		return { value: toOutputItems(node, input, dryRunOutcomes(jobs, known)) };
	}
	const taken = await settle(takeOver(buying, found.value));
	if ('failure' in taken) return giveUp(run, jobs, taken.failure);

	const caps = { concurrency: options.concurrency, stopOnFailure: stopsOnFail };
	const outcomes = outcomesOf(run, jobs, await buyAll(buying, jobs, known, caps));
	if (isStopped(run)) throw canceledError(node, outcomes);
	tellAll(buying.purchases, found.value);
	if (stopsOnFail) stopOnFailure(node, outcomes, unclaimedLines(unclaimed));

	const unwanted = isTool ? [] : memory.takeUnwanted();
	const { tally } = log;
	const { paid: limiter } = limiters;
	const summary = { node, outcomes, recalled: found.value, tally, skipped, unwanted, limiter };
	context.addExecutionHints(...hintsFor(summary));
	return { value: toOutputItems(node, input, outcomes) };
}

/** @throws the failure with what earlier attempts bought if On Error is Stop. */
function giveUp(run: Run, jobs: readonly PlannedJob[], failure: Failure): Outcome<never> {
	if (!run.stopsOnFail) return { failure };
	throw nodeError(run.planning.node, failure, { outcomes: outcomesOf(run, jobs) });
}

/** @param items Its output; undefined if it did not get that far. */
async function endRun(run: Run, items: INodeExecutionData[] | undefined): Promise<void> {
	const { context, memory, purchases, limiters, log } = run.buying;
	const isOutput = items !== undefined && !(run.isRepeated && countsAsFailure(context, items));
	const end = !isOutput ? 'failed' : run.options.dryRun ? 'undelivered' : 'delivered';
	memory.end(end === 'delivered');
	await purchases.end(isStopped(run) ? 'stopped' : end);
	context.addExecutionHints(...unloggedHints(log.tally));
	limiters.leave();
}

/**
 * Returns an error item for every input item.
 * @throws the failure as n8n's error if On Error is Stop.
 */
function failedItems(context: IExecuteFunctions, failure: Failure): INodeExecutionData[] {
	const node = context.getNode();
	if (!continuesOnFail(context)) throw nodeError(node, failure);
	const input = context.getInputData();
	const run = { context, isTool: isToolCall(context) };
	const outcomes = input.map((_item, itemIndex) => {
		const job = { itemIndex, label: '', includesInput: includesInput(run, itemIndex) };
		return { job: { ...job, problem: failure }, outcome: { failure } };
	});
	return toOutputItems(node, input, outcomes);
}
