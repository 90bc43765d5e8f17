import { randomUUID } from 'crypto';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../failures/outcome';
import { dataTable } from './dataTable';
import type { LogProcess } from './leases';
import { ownerOf, processPurchases, type NodeInExecution } from './processPurchases';
import { purchaseLog, type LogParts } from './purchaseLog';
import type { Purchases } from './purchases';

/** This n8n process, as later runs see it in a Purchase Log. */
const process: LogProcess = {
	name: randomUUID().slice(0, 8),
	runs: 0,
	live: new Set(),
	sightings: new Map(),
};

const clock = {
	now: () => Date.now(),
	wait: async (ms: number, signal?: AbortSignal) => {
		// n8n 1.123's `sleep` ignores the signal, so it ends a moment later.
		await settle(sleep(ms, signal));
	},
};

/**
 * Opens the memory of what the node bought in all executions: this process's, or a Purchase Log.
 * @param log The table's name or id; empty if there is none.
 */
export function openPurchases(
	run: NodeInExecution & { context: IExecuteFunctions },
	log: string,
	onMissing: LogParts['onMissing'],
): Purchases {
	if (log === '') return processPurchases(run);
	const { context, signal } = run;
	const { name: workflow = '' } = context.getWorkflow();
	const { operation } = context.getNode().parameters as { operation: string };
	// n8n 1.123.81 does not have this function. It gives the execution of a killed worker to another one.
	const isVersion2 = 'executeAgent' in context;
	return purchaseLog({
		table: dataTable(context, log, isVersion2),
		...{ process, clock, signal, onMissing },
		owner: ownerOf(run),
		place: { operation, workflow, execution: context.getExecutionId() },
		repeats: !isVersion2,
	});
}
