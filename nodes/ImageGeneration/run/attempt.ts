import type { IExecuteFunctions } from 'n8n-workflow';

import type { Obtaining } from '../buy/obtain';
import type { RunOptions } from '../fields/options';
import { executionOf, isToolNode, type Execution } from '../n8n/execution';
import type { Planning } from '../plan/item';
import { ExecutionMemory } from '../recall/executionMemory';
import { NodeRun } from '../recall/nodeRun';
import type { PurchaseLog } from '../recall/purchaseLog';
import { identify } from '../recall/requestKey';
import type { ExecutionLog } from '../report/executionLog';
import type { Service } from '../service/service';
import { ExecutionState } from './executionState';
import type { N8nProcess } from './n8nProcess';

/** An attempt of a run that has begun, and what it knows from its start. */
export interface StartedAttempt extends Planning {
	process: N8nProcess;
	execution: Execution;
	state: ExecutionState;
	/** What all attempts of the run share. */
	run: NodeRun;
	/** What the execution has of its rows. */
	memory: ExecutionMemory;
	/** Whether no job starts after one fails. */
	stopsOnFail: boolean;
}

/** An attempt of a run that is prepared. */
export interface Attempt extends StartedAttempt, Obtaining {
	options: RunOptions;
	service: Service;
	purchaseLog: PurchaseLog | undefined;
	log: ExecutionLog;
}

/** Starts an attempt of a run. Nothing fails here, so that every later failure ends it in the same way. */
export function startAttempt(context: IExecuteFunctions, process: N8nProcess): StartedAttempt {
	const node = context.getNode();
	const isTool = isToolNode(node);
	// As a tool the node continues by default, because a model can act on a message: n8n 2.40.3 continues
	// unless told to stop, 1.123.81 stops.
	const continues = context.continueOnFail() || (isTool && node.onError !== 'stopWorkflow');
	const execution = executionOf(context);
	const state = ExecutionState.of(execution.context);
	// An agent's calls are no runs of the tool's node (2.41.1).
	const round = isTool ? state.countCall() : Number(context.getWorkflowDataProxy(0).$runIndex);
	return {
		context,
		node,
		isTool,
		runName: nameOf(node, isTool, round),
		process,
		execution,
		state,
		run: beginAttempt(state, node, isTool, () => {
			const { id, workflow } = execution;
			const holder = id === '' ? process.nameCall() : id;
			// In n8n's Agents each call comes from a node of its own (2.41.1): together they are one, so that they don't crowd
			// out others.
			return new NodeRun(identify(workflow.id, id === '' ? '' : node.id), holder, round, 0);
		}),
		memory: new ExecutionMemory(execution.context),
		stopsOnFail: !continues,
	};
}

/** Distinguishes runs in an execution. Where n8n repeats an agent's call by itself, it does not tell which one. */
function nameOf({ retryOnFail }: StartedAttempt['node'], isTool: boolean, round: number): string {
	if (!isTool) return String(round);
	return retryOnFail === true ? 'tool' : `tool ${round}`;
}

/** Counts an attempt of a run. */
function beginAttempt(
	state: ExecutionState,
	{ retryOnFail, maxTries }: StartedAttempt['node'],
	isTool: boolean,
	newRun: () => NodeRun,
): NodeRun {
	const fresh = newRun();
	// An agent's parallel calls share the state, and how often it repeats one, nobody knows.
	if (isTool || retryOnFail !== true) return fresh;
	const known = state.repeatedRuns.get(fresh.round);
	const run = known === undefined || known.isOver ? fresh : known;
	// As n8n counts them (2.40.3, 1.123.81).
	if (run === fresh) run.attemptsLeft = Math.min(5, Math.max(2, Number(maxTries) || 3));
	state.repeatedRuns.set(run.round, run);
	run.attemptsLeft--;
	return run;
}
