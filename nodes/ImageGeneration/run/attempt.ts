import type { IExecuteFunctions } from 'n8n-workflow';

import type { Buying } from '../buy/buyJob';
import type { RunOptions } from '../fields/options';
import { executionOf, isToolNode, type Execution } from '../n8n/execution';
import type { Planning } from '../plan/item';
import type { NamesInUse } from '../plan/namesInUse';
import type { Purchase } from '../recall/purchase';
import type { Recalling } from '../recall/recalling';
import type { ExecutionLog } from '../report/executionLog';
import { ExecutionState, Run } from './executionState';
import type { N8nProcess } from './n8nProcess';

/** An attempt of a run that has begun, and what it knows from its start. */
export interface StartedAttempt extends Planning {
	process: N8nProcess;
	execution: Execution;
	state: ExecutionState;
	/** The state that all attempts of the run share. */
	run: Run;
	/** Whether no job starts after one fails. */
	stopsOnFail: boolean;
}

/** An attempt of a run that is prepared. */
export interface Attempt extends StartedAttempt, Omit<RunOptions, 'dryRun'>, Buying, Recalling {
	/** Names of the options that were added. */
	added: ReadonlySet<string>;
	/** The file names of the node's earlier runs in the execution. */
	namesInUse: NamesInUse;
	log: ExecutionLog;
	/** Purchases of other runs that it tells of. */
	toTell: Purchase[];
}

/** Starts an attempt of a run. Nothing fails here, so that every later failure ends it in the same way. */
export function startAttempt(context: IExecuteFunctions, process: N8nProcess): StartedAttempt {
	const node = context.getNode();
	const isTool = isToolNode(node);
	// As a tool the node continues by default, because a model can act on a message: n8n 2.40.3 continues
	// unless told to stop, 1.123.81 stops.
	const continues = context.continueOnFail() || (isTool && node.onError !== 'stopWorkflow');
	// An agent's loop counts each attempt of a tool as a separate run (read in n8n 2.40.3).
	const runName = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
	const execution = executionOf(context);
	const state = ExecutionState.of(execution);
	return {
		context,
		node,
		isTool,
		runName,
		process,
		execution,
		state,
		run: beginAttempt(process, state, node, runName, isTool),
		stopsOnFail: !continues,
	};
}

/** Counts an attempt of a run. */
function beginAttempt(
	process: N8nProcess,
	state: ExecutionState,
	{ retryOnFail, maxTries }: StartedAttempt['node'],
	runName: string,
	isTool: boolean,
): Run {
	// An agent's parallel calls share the state, and how often it repeats one, nobody knows.
	if (isTool) return new Run(process.nameRun(), Infinity);
	if (retryOnFail !== true) return new Run(process.nameRun(), 0);
	// As n8n counts them (2.40.3, 1.123.81).
	const attempts = Math.min(5, Math.max(2, Number(maxTries) || 3));
	const run = state.repeatedRuns.get(runName) ?? new Run(process.nameRun(), attempts);
	state.repeatedRuns.set(runName, run);
	run.attemptsLeft--;
	return run;
}
