import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buyAll } from './buy/buyAll';
import type { Failure } from './failures/failures';
import { settle } from './failures/outcome';
import { planAll } from './plan/planAll';
import { includesInput } from './plan/planItem';
import { recall, takeOver, tellAll } from './recall/recall';
import { dryRunHint, dryRunItems } from './report/dryRun';
import { hintsFor, toHint, unloggedHints } from './report/hints';
import { canceledError, nodeError, stopOnFailure, stopOnInvalid } from './report/nodeErrors';
import { toOutputItem } from './report/outputItems';
import { jobOutcomes, purchaseDetails } from './report/purchaseDetails';
import { continuesOnFail, countsAsFailure, isToolCall, setUp, type Run } from './run';
import type { Job } from './types';

/** Plans every job, recalls what is bought already, buys the rest, and returns items in input order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const setup = await settle(setUp(context));
	if ('failure' in setup) return [setUpFailed(context, setup.failure)];
	const run = setup.value;
	let items: INodeExecutionData[] | undefined;
	try {
		items = await runAll(run);
		return [items];
	} finally {
		await endRun(run, items);
	}
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

async function runAll(run: Run): Promise<INodeExecutionData[]> {
	const { options, planning, buying, stopsOnFail } = run;
	const { context, node, isTool } = planning;
	const { memory, limit, limiters, log } = buying;
	const input = context.getInputData();

	// After a stop, finding what an earlier attempt bought still takes the full plan.
	const { jobs, skipped } = await planAll(planning, memory.isEmpty() ? buying.signal : undefined);
	if (stopsOnFail && !isStopped(run)) stopOnInvalid(node, jobs);

	const valid = jobs.filter((job): job is Job => !('problem' in job));
	const found = await settle(recall({ ...buying, isTool, reuse: options.reuse }, valid));
	if ('failure' in found) return setUpFailed(context, found.failure);
	const recalled = found.value;
	const { known, unclaimed } = recalled;
	const tooMany = limit.refusal(valid.filter((job) => !known.has(job)).length);
	if (stopsOnFail && !isStopped(run)) {
		// A failure that no attempt can resolve stops this attempt before it buys anything.
		const before = jobOutcomes(jobs, memory);
		stopOnFailure(node, before);
		if (tooMany !== undefined) throw nodeError(node, tooMany, purchaseDetails(before));
	}
	if (options.dryRun) {
		const plan = { node, input, jobs, known, tooMany };
		context.addExecutionHints(toHint(dryRunHint(plan)));
		return dryRunItems(plan);
	}
	const taken = await settle(isStopped(run) ? Promise.resolve() : takeOver(buying, recalled));
	if ('failure' in taken) return setUpFailed(context, taken.failure);

	const { concurrency } = options;
	const outcomes = await buyAll(buying, jobs, known, { concurrency, stopOnFailure: stopsOnFail });
	if (isStopped(run)) throw canceledError(node, jobOutcomes(jobs, memory, outcomes));
	tellAll(buying.purchases, recalled);
	if (stopsOnFail) stopOnFailure(node, jobOutcomes(jobs, memory, outcomes), unclaimed);

	const unwanted = isTool ? [] : memory.takeUnwanted();
	const { tally } = log;
	const { paid: limiter } = limiters;
	context.addExecutionHints(
		...hintsFor({ node, jobs, outcomes, recalled, tally, skipped, unwanted, limiter }),
	);
	return jobs.flatMap((job, index) => {
		const outcome = outcomes[index];
		return outcome === undefined ? [] : [toOutputItem(node, job, outcome, input[job.itemIndex])];
	});
}

function isStopped({ buying }: Run): boolean {
	return buying.signal?.aborted === true;
}

/**
 * Returns an error item for every input item.
 * @throws the failure as n8n's error if On Error is Stop.
 */
function setUpFailed(context: IExecuteFunctions, failure: Failure): INodeExecutionData[] {
	const node = context.getNode();
	if (!continuesOnFail(context)) throw nodeError(node, failure, {});
	return context.getInputData().map((item, itemIndex) => {
		const run = { context, isTool: isToolCall(context) };
		const job = { itemIndex, label: '', includesInput: includesInput(run, itemIndex) };
		return toOutputItem(node, { ...job, problem: failure }, { failure }, item);
	});
}
