import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { limitFailure, buyAll, finishedJobs, purchasesOf } from './buy/buyAll';
import { settle } from './failures/outcome';
import { planAll } from './plan/planAll';
import { includesInput } from './plan/planItem';
import { hintsFor } from './report/hints';
import {
	canceledError,
	limitError,
	nodeError,
	stopOnFailure,
	stopOnInvalid,
} from './report/nodeErrors';
import { toOutputItem } from './report/outputItems';
import { continuesOnFail, isToolCall, setUp, type Run } from './run';

/** Plans every job, buys them with limited concurrency, and returns output items in input order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const setup = await settle(setUp(context));
	if ('failure' in setup) return [setUpFailed(context, setup.failure)];
	const run = setup.value;
	try {
		return [await runAll(run)];
	} finally {
		run.limiters.leave();
	}
}

async function runAll(run: Run): Promise<INodeExecutionData[]> {
	const { context, node, ledger, signal } = run;
	const isStopped = () => signal?.aborted === true;
	const stopsOnFail = !run.continuesOnFail;

	const { jobs, skipped } = await planAll(run);
	if (stopsOnFail && !isStopped()) {
		stopOnInvalid(node, jobs);
		// A failure that no attempt can resolve stops this attempt before it buys anything.
		const before = purchasesOf(run, jobs);
		stopOnFailure(node, before);
		const tooMany = await limitFailure(run, jobs);
		if (tooMany !== undefined) throw limitError(node, tooMany, before);
	}

	const outcomes = await buyAll(run, jobs);
	if (isStopped()) {
		await run.earlierRuns?.handOver(finishedJobs(run, jobs));
		throw canceledError(node, purchasesOf(run, jobs, outcomes));
	}
	if (stopsOnFail) stopOnFailure(node, purchasesOf(run, jobs, outcomes));

	const output = outputItems(run, jobs, outcomes);
	// n8n retries if the first output item has `json.error`, even one copied from the input (2.40.3,
	// 1.123.81).
	const isLastAttempt = output[0]?.json.error === undefined;
	if (isLastAttempt && outcomes.every((outcome) => 'value' in outcome)) ledger.clear();
	const unclaimed = run.earlierRuns?.takeUnclaimed() ?? [];
	const limiter = run.limiters.paid;
	context.addExecutionHints(...hintsFor({ ...run.tally, skipped, unclaimed, limiter }));
	return output;
}

function outputItems(
	{ node, input }: Run,
	jobs: Awaited<ReturnType<typeof planAll>>['jobs'],
	outcomes: Awaited<ReturnType<typeof buyAll>>,
): INodeExecutionData[] {
	return jobs.flatMap((job, index) => {
		const outcome = outcomes[index];
		return outcome === undefined ? [] : [toOutputItem(node, job, outcome, input[job.itemIndex])];
	});
}

/**
 * Returns an error item for every input item.
 * @throws the failure as n8n's error if On Error is Stop.
 */
function setUpFailed(context: IExecuteFunctions, failure: unknown): INodeExecutionData[] {
	const node = context.getNode();
	if (!continuesOnFail(context)) throw nodeError(node, failure, {});
	return context.getInputData().map((item, itemIndex) => {
		const run = { context, isTool: isToolCall(context) };
		const job = { itemIndex, label: '', includesInput: includesInput(run, itemIndex), failure };
		return toOutputItem(node, job, { failure }, item);
	});
}
