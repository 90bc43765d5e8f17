import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buyAll } from './buy/buyAll';
import { notStarted } from './buy/runCapped';
import { BadInput } from './failures/failures';
import { settle, unwrap } from './failures/outcome';
import { planAll } from './plan/planAll';
import { includesInput } from './plan/planItem';
import { recall, takeOver, tellAll } from './recall/recall';
import { dryRunHint, dryRunItems } from './report/dryRun';
import { hintsFor, toHint, unloggedHints } from './report/hints';
import { jobOutcomes } from './report/jobOutcomes';
import {
	canceledError,
	limitError,
	nodeError,
	stopOnFailure,
	stopOnInvalid,
} from './report/nodeErrors';
import { toOutputItem } from './report/outputItems';
import { continuesOnFail, isToolCall, setUp, type Run } from './run';
import type { PlannedJob } from './types';

/** Plans every job, recalls what is bought already, buys the rest, and returns items in input order. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const setup = await settle(setUp(context));
	if ('failure' in setup) return [setUpFailed(context, setup.failure)];
	const run = setup.value;
	const outcome = await settle(runAll(run));
	// n8n retries if the first output item has `json.error`, even one copied from the input (2.40.3,
	// 1.123.81).
	const isOutput = 'value' in outcome && outcome.value[0]?.json.error === undefined;
	const isDelivered = isOutput && !run.dryRun;
	run.memory.end(isDelivered);
	await run.purchases.end(isStopped(run) ? 'stopped' : isDelivered ? 'delivered' : 'failed');
	context.addExecutionHints(...unloggedHints(run.tally));
	run.limiters.leave();
	if ('failure' in outcome && outcome.failure instanceof BadInput) {
		return [setUpFailed(context, outcome.failure)];
	}
	return [unwrap(outcome)];
}

async function runAll(run: Run): Promise<INodeExecutionData[]> {
	const { context, node, memory, limit } = run;
	const stopsOnFail = !run.continuesOnFail;

	// After a stop, finding what an earlier attempt bought still takes the full plan.
	const { jobs, skipped } = await planAll(run, memory.isEmpty() ? run.signal : undefined);
	if (stopsOnFail && !isStopped(run)) stopOnInvalid(node, jobs);

	const recalled = await recall(run, jobs);
	const { known, repeated, unclaimed } = recalled;
	const needed = jobs.filter((job) => !('failure' in job || known.has(job))).length;
	const tooMany = limit.hasRoomFor(needed) ? undefined : limit.failure(needed);
	if (stopsOnFail && !isStopped(run)) {
		// A failure that no attempt can resolve stops this attempt before it buys anything.
		const before = jobOutcomes(jobs, memory);
		stopOnFailure(node, before);
		if (tooMany !== undefined) throw limitError(node, tooMany, before);
	}
	if (run.dryRun) {
		const plan = { node, input: run.input, jobs, known, limit: tooMany };
		context.addExecutionHints(toHint(dryRunHint(plan)));
		return dryRunItems(plan);
	}
	if (!isStopped(run)) await takeOver(run, recalled);

	const outcomes = await buyAll(run, jobs, known);
	if (isStopped(run)) throw canceledError(node, jobOutcomes(jobs, memory, outcomes));
	await tellAll(recalled);
	if (stopsOnFail) stopOnFailure(node, jobOutcomes(jobs, memory, outcomes), unclaimed);

	const unwanted = run.isTool ? [] : memory.takeUnwanted();
	const limiter = run.limiters.paid;
	const isPaid = (_job: PlannedJob, index: number) => 'value' in (outcomes[index] ?? notStarted);
	const paidAgain = jobs.filter(isPaid).filter((job) => repeated.has(job)).length;
	const failed = jobs.flatMap((job, index) => {
		const outcome = outcomes[index] ?? notStarted;
		return 'failure' in outcome ? [{ job, failure: outcome.failure }] : [];
	});
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	const summary = {
		...run.tally,
		known,
		paidAgain,
		unclaimed,
		unwanted,
		skipped,
		limiter,
		failed,
		hasErrorOutput,
	};
	context.addExecutionHints(...hintsFor(summary));
	return jobs.flatMap((job, index) => {
		const outcome = outcomes[index];
		const item = run.input[job.itemIndex];
		return outcome === undefined ? [] : [toOutputItem(node, job, outcome, item)];
	});
}

function isStopped({ signal }: Run): boolean {
	return signal?.aborted === true;
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
