import { randomUUID } from 'crypto';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../failures/outcome';
import type { Service } from '../service/service';
import { dataTable } from './dataTable';
import type { NodeProcess } from './leases';
import { processTable } from './processTable';
import type { Purchases } from './purchases';
import { noRows, type RecordingRun, type RunRows } from './recordingRun';
import { recordPurchases } from './recordPurchases';

/** What identifies the run of a node, and its account. */
export interface RunOfNode {
	context: Pick<
		IExecuteFunctions,
		'executeWorkflow' | 'getContext' | 'getExecutionId' | 'getNode' | 'getWorkflow'
	>;
	service: Pick<Service, 'account'>;
	/** Distinguishes the node's runs in one execution, such as the rounds of a loop. */
	name: string;
	isTool: boolean;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
}

/** This n8n process, as later runs see it. */
const process: NodeProcess = {
	...{ name: randomUUID().slice(0, 8), names: 0 },
	...{ live: new Map(), sightings: new Map() },
};

const clock = {
	now: () => Date.now(),
	wait: async (ms: number, signal?: AbortSignal) => {
		// n8n 1.123's `sleep` ignores the signal, so it ends a moment later.
		await settle(sleep(ms, signal));
	},
};

/** The runs that Retry On Fail repeats, by the node's context in the execution. */
const repeated = new WeakMap<object, Map<string, RepeatedRun>>();

interface RepeatedRun {
	run: string;
	attempts: number;
	rows: RunRows;
}

/**
 * Opens the memory of what the node bought in all executions: this process's, or a Purchase Log.
 * @param log The table's name or id; empty if there is none.
 */
export function openPurchases(
	running: RunOfNode,
	log: string,
	onMissing: RecordingRun['onMissing'],
): Purchases {
	const { context, service, signal } = running;
	const { id, name: workflow = '' } = context.getWorkflow();
	const node = context.getNode();
	const { operation } = node.parameters as { operation: string };
	const { run, rows } = attemptOf(running);
	// n8n 1.123.81 does not have this function. It gives the execution of a killed worker to another one.
	const isVersion2 = 'executeAgent' in context;
	return recordPurchases({
		table: log === '' ? processTable : dataTable(context, log, isVersion2),
		...{ process, clock, signal, onMissing, rows },
		owner: JSON.stringify([service.account, id, node.id]),
		place: { operation, workflow, execution: context.getExecutionId(), run },
		repeats: log !== '' && !isVersion2,
	});
}

function attemptOf({ context, name, isTool }: RunOfNode): RepeatedRun {
	const first: RepeatedRun = {
		run: `${process.name}.${++process.names}.${context.getExecutionId()}`,
		attempts: 0,
		rows: noRows(),
	};
	const { retryOnFail, maxTries } = context.getNode();
	// An agent's parallel calls share the context.
	if (retryOnFail !== true || isTool) return first;
	const store = context.getContext('node');
	const runs = repeated.get(store) ?? new Map<string, RepeatedRun>();
	const run = runs.get(name) ?? first;
	repeated.set(store, runs.set(name, run));
	// As n8n counts them (2.40.3, 1.123.81).
	run.rows.isLastAttempt = ++run.attempts >= Math.min(5, Math.max(2, maxTries ?? 3));
	return run;
}
