import { hash } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Buying } from '../buy/buyJob';
import { PurchaseLimit } from '../buy/purchaseLimit';
import { AccountRates, RateLimiters } from '../buy/rateLimiter';
import { executionOf, fileNamesOfRuns, isToolNode, isVersion2, type Execution } from '../execution';
import { BadInput } from '../failures/failures';
import { readFields } from '../fields/field';
import { runOptions, type RunOptions } from '../fields/options';
import type { Planning } from '../plan/item';
import type { NamesInUse } from '../plan/namesInUse';
import { ExecutionMemory } from '../recall/executionMemory';
import { openPurchases, recordingIn } from '../recall/openPurchases';
import { thisProcess, type PurchasingProcess } from '../recall/process/process';
import type { Recalling } from '../recall/recall';
import { newRun, type AttemptEnd, type RunRecord } from '../recall/runRecord';
import { executionLog, type ExecutionLog } from '../report/executionLog';
import { missingRowHints } from '../report/hints';
import { CREDENTIAL, toService } from '../service/service';
import { assertKeepable } from './agents';
import { ExecutionState } from './executionState';

/** An attempt of a run that has begun, and what it knows from its start. */
export interface StartedAttempt extends Planning {
	execution: Execution;
	state: ExecutionState;
	/** This n8n process, as far as the workflow goes. */
	process: PurchasingProcess;
	/** What all attempts of the run share. */
	record: RunRecord;
	/** Whether no job starts after one fails. */
	stopsOnFail: boolean;
}

/** An attempt of a run that is prepared. */
export interface Attempt extends StartedAttempt, RunOptions, Buying, Recalling {
	/** Names of the options that were added. */
	added: ReadonlySet<string>;
	/** What the node's earlier runs in the execution gave. */
	namesInUse: NamesInUse;
	log: ExecutionLog;
}

/** Starts an attempt of a run. Nothing fails here, so that every later failure ends it in the same way. */
export function startAttempt(context: IExecuteFunctions): StartedAttempt {
	const node = context.getNode();
	const isTool = isToolNode(node);
	// As a tool the node continues by default, because a model can act on a message: n8n 2.40.3 continues
	// unless told to stop, 1.123.81 stops.
	const continues = context.continueOnFail() || (isTool && node.onError !== 'stopWorkflow');
	// An agent's loop counts each attempt of a tool as a separate run (read in n8n 2.40.3).
	const runName = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
	const execution = executionOf(context);
	const state = ExecutionState.of(execution);
	const process = thisProcess(execution.workflow.id);
	return {
		context,
		node,
		isTool,
		runName,
		execution,
		state,
		process,
		record: beginAttempt(process, state, node, runName, isTool),
		stopsOnFail: !continues,
	};
}

/** Counts an attempt of a run. */
function beginAttempt(
	process: PurchasingProcess,
	state: ExecutionState,
	{ retryOnFail, maxTries }: StartedAttempt['node'],
	runName: string,
	isTool: boolean,
): RunRecord {
	// An agent's parallel calls share the state, and how often it repeats one, nobody knows.
	if (isTool) return newRun(process, Infinity);
	if (retryOnFail !== true) return newRun(process);
	// As n8n counts them (2.40.3, 1.123.81).
	const attempts = Math.min(5, Math.max(2, Number(maxTries) || 3));
	const record = state.repeatedRuns.get(runName) ?? newRun(process, attempts);
	state.repeatedRuns.set(runName, record);
	record.attemptsLeft--;
	return record;
}

/**
 * Prepares an attempt of a run: reads the credential, and the options that no item can change.
 * @throws Failed if n8n is too old, or if the credential or an option of the run is invalid.
 */
export async function setUp(start: StartedAttempt): Promise<Attempt> {
	const { context, execution, state, isTool } = start;
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
		(name, absent) => context.getNodeParameter(`options.${name}`, 0, null) ?? absent,
	);
	assertKeepable(execution, options);
	const { signal, isManual, isRetry } = execution;
	const { maxImages, purchaseLog, requestInterval, reuse } = options;
	const log = executionLog(context, execution);
	const { process, record } = start;
	const recording = recordingIn(context, execution, service.account, purchaseLog, {
		process,
		record,
		onMissing: log.missing,
	});
	state.namesInUse.learn((from) => fileNamesOfRuns(context, from));
	state.rates = AccountRates.join(service.account, state.rates);
	return {
		...start,
		...options,
		added: new Set(Object.keys(start.node.parameters.options ?? {})),
		service,
		namesInUse: state.namesInUse,
		signal,
		log,
		memory: new ExecutionMemory(state.jobs, start.runName, start.node.retryOnFail === true),
		purchases: openPurchases(recording),
		limit: new PurchaseLimit(execution.context, state.line, maxImages, isTool),
		limiters: new RateLimiters(state.rates, requestInterval, log.hold),
		policy: {
			reuses: reuse === 'always' || (reuse === 'manualRuns' && isManual),
			distrustsAddresses: reuse === 'manualRuns',
			isRetry,
			linkOrigin: service.baseUrl.origin,
		},
	};
}

/** Ends an attempt of a run. @param items Its output; undefined if it did not get that far. */
export async function endAttempt(
	run: Attempt,
	items: INodeExecutionData[] | undefined,
): Promise<void> {
	const how = howItEnded(run, items);
	run.memory.end(how === 'delivered');
	run.limit.end(how === 'delivered');
	// An agent goes on whatever it reads, and so does a Dry Run, which ends as failed although it has output.
	const goesOn = run.isTool || items !== undefined;
	await run.state.end(run.purchases, how, { signal: run.signal, goesOn });
	run.context.addExecutionHints(...missingRowHints(run.log.tally));
	run.limiters.leave();
}

function howItEnded(run: Attempt, items: INodeExecutionData[] | undefined): AttemptEnd {
	if (run.signal.aborted) return 'stopped';
	const hasAttempts = run.record.attemptsLeft > 0;
	const isOutput = items !== undefined && !(hasAttempts && countsAsFailure(run.context, items));
	// A Dry Run delivers nothing of what earlier attempts bought.
	if (isOutput) return run.dryRun ? 'failed' : 'delivered';
	// n8n starts the next attempt by itself, while an agent may never ask again.
	if (hasAttempts && !run.isTool) return 'continued';
	// n8n repeats the caller of a sub-workflow, with a new execution.
	return run.execution.isSubWorkflow ? 'stopped' : 'failed';
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
