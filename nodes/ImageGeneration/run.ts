import { hash } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Buying } from './buy/buyJob';
import { purchaseLimit } from './buy/purchaseLimit';
import { joinRateLimiters } from './buy/rateLimiter';
import { BadInput } from './failures/failures';
import { readFields } from './fields/field';
import { runOptions, type RunOptions } from './fields/options';
import type { Planning } from './plan/item';
import { openExecutionMemory } from './recall/executionMemory';
import { isVersion2 } from './recall/namedTable';
import type { RecallingRun } from './recall/recall';
import { beginAttempt, openPurchases, type RecordedRun } from './recall/recordingRun';
import { executionLog } from './report/executionLog';
import { unloggedHints } from './report/hints';
import { CREDENTIAL, toService } from './service/service';

/** What a run knows from its start. */
export interface RunStart extends Planning, Pick<Buying, 'stopsOnFail'> {
	recorded: RecordedRun;
}

/** One run of the node. */
export type Run = RunStart & RunOptions & Buying & RecallingRun;

/** Starts a run. Nothing fails here, so that every later failure ends it in the same way. */
export function startRun(context: IExecuteFunctions): RunStart {
	const node = context.getNode();
	// So ends the type name of a tool node, whether the agent or the engine runs it (2.40.3, 1.123.81).
	const isTool = node.type.endsWith('Tool');
	// As a tool the node continues by default, because a model can act on a message: n8n 2.40.3 continues
	// unless told to stop, 1.123.81 stops.
	const continues = context.continueOnFail() || (isTool && node.onError !== 'stopWorkflow');
	// An agent's loop counts each attempt of a tool as a separate run (read in n8n 2.40.3).
	const runName = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
	const recorded = beginAttempt(context, runName, isTool);
	return { context, node, isTool, stopsOnFail: !continues, runName, recorded };
}

/**
 * Prepares a run: reads the credential, and the options that no item can change.
 * @throws Failed if n8n is too old, or if the credential or an option of the run is invalid.
 */
export async function setUp(start: RunStart): Promise<Run> {
	const { context, isTool, runName } = start;
	// Otherwise an item would fail with a TypeError, possibly after others were bought. These are the newest
	// functions that the node uses; Node.js has the second one since 20.12.
	if (typeof context.getExecutionCancelSignal !== 'function' || typeof hash !== 'function') {
		throw new BadInput(
			'This n8n is too old. Image Generation needs n8n 1.123.81 or newer on Node.js 20.19 or newer.',
			'Nothing was sent. Update n8n.',
		);
	}
	const service = toService(await context.getCredentials(CREDENTIAL));
	// Read one by one, so that a broken expression in another option affects only its own item.
	const options = readFields(
		runOptions,
		(name, unset) => context.getNodeParameter(`options.${name}`, 0, null) ?? unset,
	);
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const store = context.getContext('node');
	const log = executionLog(context);
	const attempt = { run: start.recorded, signal, onMissing: log.unlogged };
	return {
		...{ ...start, ...options, service, signal, log },
		memory: openExecutionMemory(context, runName),
		purchases: openPurchases(context, service.account, options.purchaseLog, attempt),
		limit: purchaseLimit(store, options.maxImages, isTool),
		limiters: joinRateLimiters(service.account, store, options.requestInterval, log.hold),
		isManual: context.getMode() === 'manual',
	};
}

/** Ends a run. @param items Its output; undefined if it did not get that far. */
export async function endRun(run: Run, items: INodeExecutionData[] | undefined): Promise<void> {
	const { context, memory, purchases, limiters, log } = run;
	const isRepeated = run.recorded.attemptsLeft > 0;
	const isOutput = items !== undefined && !(isRepeated && countsAsFailure(context, items));
	const isDelivered = isOutput && !run.dryRun;
	memory.end(isDelivered);
	// An agent may never ask again.
	const willRepeat = isRepeated && !isOutput && !run.isTool;
	const end = isDelivered ? 'delivered' : willRepeat ? 'repeated' : 'undelivered';
	await purchases.end(run.signal.aborted ? 'stopped' : end);
	context.addExecutionHints(...unloggedHints(log.tally));
	limiters.leave();
}

/**
 * Whether n8n takes output for a failure: if its first item has `json.error`, even one copied from the
 * input. n8n 2 ignores null and false there (2.40.3, 1.123.81).
 */
export function countsAsFailure(context: IExecuteFunctions, [first]: INodeExecutionData[]) {
	const error = first?.json.error;
	const isNothing = error === null || error === false;
	return error !== undefined && !(isNothing && isVersion2(context));
}
