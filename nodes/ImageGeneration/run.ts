import { hash } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Buying } from './buy/buyJob';
import { purchaseLimit } from './buy/purchaseLimit';
import { RateLimiter, sharedRate } from './buy/rateLimiter';
import { BadInput } from './failures/failures';
import { notStarted, settle, unwrap, type Outcome } from './failures/outcome';
import { readOptions } from './fields/field';
import { runOptions, type RunOptions } from './fields/options';
import type { Planning } from './plan/planAll';
import { openExecutionMemory } from './recall/executionMemory';
import { isVersion2 } from './recall/inlineWorkflow';
import { openPurchases } from './recall/openPurchases';
import type { RecallingRun } from './recall/recall';
import { abandon, beginAttempt } from './recall/recordingRun';
import { executionLog } from './report/executionLog';
import { CREDENTIAL, toService } from './service/service';
import type { FinishedJob, JobOutcome, PlannedJob } from './types';

/** One run of the node. */
export interface Run extends RunOptions, Planning, Buying, RecallingRun {
	/** Whether n8n, or an agent that reads the error, repeats it if it fails. */
	isRepeated: boolean;
}

/**
 * Prepares a run.
 * @throws Failed if n8n is too old, or if the credential or an option of the run is invalid.
 */
export async function setUp(context: IExecuteFunctions): Promise<Run> {
	assertSupportedHost(context);
	const node = context.getNode();
	const isTool = isToolCall(context);
	// An agent's loop counts each attempt of a tool as a separate run (read in n8n 2.40.3).
	const runName = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
	const attempt = beginAttempt(context, runName, isTool);
	const settings = await settle(readSettings(context));
	if ('failure' in settings) abandon(attempt);
	const { service, options } = unwrap(settings);
	const log = executionLog(context);
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const runOfNode = { context, service, attempt, signal };
	return {
		...{ ...options, context, node, runName, isTool, service, log, signal },
		memory: openExecutionMemory(context, runName),
		purchases: openPurchases(runOfNode, options.purchaseLog, log.unlogged),
		limit: purchaseLimit(context.getContext('node'), options.maxImages, isTool),
		limiters: {
			paid: new RateLimiter(sharedRate(service.account), options.requestInterval, log.hold),
			downloads: new RateLimiter(sharedRate(`${service.account} downloads`), 0, log.hold),
		},
		isManual: context.getMode() === 'manual',
		stopsOnFail: !continuesOnFail(context),
		isRepeated: attempt.isRepeated,
	};
}

/** Reads what concerns the whole run: the credential, and options that no item can change. */
async function readSettings(context: IExecuteFunctions) {
	const service = toService(await context.getCredentials(CREDENTIAL));
	// Read one by one, so that a broken expression in another option affects only its own item.
	const options = readOptions(runOptions, (name) =>
		context.getNodeParameter(`options.${name}`, 0, null),
	);
	return { service, options };
}

/** Whether it was stopped in n8n. */
export function isStopped({ signal }: Run): boolean {
	return signal.aborted;
}

/**
 * The outcome of each job: of this attempt, or as the execution remembers it if it was not started or
 * Stop ended its download.
 * @param bought Outcomes of this attempt; empty if no job has started.
 */
export function outcomesOf(
	{ memory }: Run,
	jobs: readonly PlannedJob[],
	bought: ReadonlyMap<PlannedJob, Outcome<FinishedJob>> = new Map(),
): JobOutcome[] {
	return jobs.map((job) => {
		if ('problem' in job) return { job, outcome: { failure: job.problem } };
		const outcome = bought.get(job) ?? notStarted;
		if ('value' in outcome || outcome.failure.kind !== 'not started') return { job, outcome };
		const known = memory.outcomeOf(job) ?? outcome;
		if ('failure' in known) return { job, outcome: known };
		return { job, outcome: { value: { result: known.value, image: undefined } } };
	});
}

/**
 * Whether failures become error items. As a tool the node continues by default, because a model can
 * act on a message: n8n 2.40.3 continues unless told to stop, 1.123.81 stops.
 */
export function continuesOnFail(context: IExecuteFunctions): boolean {
	const stops = context.getNode().onError === 'stopWorkflow';
	return context.continueOnFail() || (isToolCall(context) && !stops);
}

/**
 * Whether an AI agent calls the node. The type name of a tool node ends in `Tool`, whether the agent
 * or the engine runs it (2.40.3, 1.123.81).
 */
export function isToolCall(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Whether n8n takes output for a failure: if its first item has `json.error`, even one copied from the
 * input. n8n 2 ignores null and false there (2.40.3, 1.123.81).
 */
export function countsAsFailure(
	context: IExecuteFunctions,
	[first]: readonly INodeExecutionData[],
): boolean {
	const error = first?.json.error;
	const isNothing = error === null || error === false;
	return error !== undefined && !(isNothing && isVersion2(context));
}

/**
 * Checks that n8n and its Node.js have the newest functions that the node uses. Otherwise an item would
 * fail with a TypeError, possibly after others were bought.
 * @throws BadInput if they are too old.
 */
function assertSupportedHost(context: IExecuteFunctions): void {
	// Node.js has the second one since 20.12.
	const newest = [typeof context.getExecutionCancelSignal, typeof hash];
	if (newest.every((kind) => kind === 'function')) return;
	throw new BadInput(
		'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
		'Nothing was sent. Update n8n.',
	);
}
