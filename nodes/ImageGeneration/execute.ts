import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buyAll } from './buy/buyAll';
import type { Failure } from './failures/failures';
import { notStarted, settle } from './failures/outcome';
import { planAll } from './plan/planAll';
import { unplannedJob } from './plan/planItem';
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
import { referenceTo } from './service/jobResults';
import type { Job, JobOutcome } from './types';

/** Plans every job, recalls what is bought already, buys the rest, and returns items in input order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const setup = await settle(setUp(context));
	if ('failure' in setup) return [failedItems(context, setup.failure)];
	const run = setup.value;
	let items: INodeExecutionData[] | undefined;
	try {
		items = await runAll(run);
		return [items];
	} finally {
		await endRun(run, items);
	}
}

/** @throws n8n's error if a failure, or Stop in n8n, ends the run. */
async function runAll(run: Run): Promise<INodeExecutionData[]> {
	const { context, node, isTool, memory, purchases, limit, limiters, stopsOnFail } = run;
	const input = context.getInputData();

	// After a stop, finding what an earlier attempt bought still takes the full plan.
	const jobs = await planAll(run, memory.isEmpty() ? run.signal : undefined);
	// What no attempt can resolve stops this one before it buys anything, and before recall, which may have
	// to wait for another n8n process.
	if (stopsOnFail && !isStopped(run)) stopOnFailure(node, outcomesOf(run, jobs));

	const valid = jobs.filter((job): job is Job => !('problem' in job));
	const found = await settle(recall(run, valid));
	if ('failure' in found) return giveUp(run, outcomesOf(run, jobs), found.failure);
	const { known, unclaimed } = found.value;
	const before = outcomesOf(run, jobs);
	if (isStopped(run)) throw canceledError(node, before);
	const needed = valid.filter((job) => !known.has(job)).length;
	const tooMany = limit.refusal(needed);
	if (stopsOnFail && tooMany !== undefined) throw nodeError(node, tooMany, { outcomes: before });
	if (run.dryRun) {
		context.addExecutionHints(dryRunHint(jobs, known, needed, tooMany));
		return toOutputItems(node, input, dryRunOutcomes(jobs, known));
	}
	const taken = await settle(takeOver(run, found.value));
	if ('failure' in taken) return giveUp(run, before, taken.failure);

	const outcomes = outcomesOf(run, jobs, await buyAll(run, valid, known));
	if (isStopped(run)) throw canceledError(node, outcomes);
	tellAll(purchases, found.value);
	if (stopsOnFail) stopOnFailure(node, outcomes, unclaimedLines(unclaimed));

	const unwanted = isTool ? [] : memory.takeUnwanted();
	const { tally } = run.log;
	const { paid: limiter } = limiters;
	const summary = { node, outcomes, recalled: found.value, tally, unwanted, limiter };
	context.addExecutionHints(...hintsFor(summary));
	return toOutputItems(node, input, outcomes);
}

/**
 * Returns an error item for every job, because a failure concerns all of them. Those that earlier
 * attempts bought name their links.
 * @throws the failure as n8n's error if On Error is Stop.
 */
function giveUp(
	{ context, node, stopsOnFail }: Pick<Run, 'context' | 'node' | 'stopsOnFail'>,
	before: readonly JobOutcome[],
	failure: Failure,
): INodeExecutionData[] {
	if (stopsOnFail) throw nodeError(node, failure, { outcomes: before });
	const outcomes = before.map(({ job, outcome }): JobOutcome => {
		if ('value' in outcome) {
			return { job, outcome: { failure: { ...failure, job: referenceTo(outcome.value.result) } } };
		}
		return { job, outcome: outcome.failure.kind === 'not started' ? { failure } : outcome };
	});
	return toOutputItems(node, context.getInputData(), outcomes);
}

/** @param items Its output; undefined if it did not get that far. */
async function endRun(run: Run, items: INodeExecutionData[] | undefined): Promise<void> {
	const { context, memory, purchases, log } = run;
	const isOutput = items !== undefined && !(run.isRepeated && countsAsFailure(context, items));
	const isDelivered = isOutput && !run.dryRun;
	memory.end(isDelivered);
	// An agent may never ask again.
	const isRepeated = !isOutput && run.isRepeated && !run.isTool;
	const end = isDelivered ? 'delivered' : isRepeated ? 'repeated' : 'undelivered';
	await purchases.end(isStopped(run) ? 'stopped' : end);
	context.addExecutionHints(...unloggedHints(log.tally));
}

/** Gives up a run that could not be prepared, and that has no jobs yet. */
function failedItems(context: IExecuteFunctions, failure: Failure): INodeExecutionData[] {
	const stopsOnFail = !continuesOnFail(context);
	const run = { context, node: context.getNode(), isTool: isToolCall(context), stopsOnFail };
	const before = context.getInputData().map((_item, itemIndex) => {
		return { job: unplannedJob(run, itemIndex, failure), outcome: notStarted };
	});
	return giveUp(run, before, failure);
}
