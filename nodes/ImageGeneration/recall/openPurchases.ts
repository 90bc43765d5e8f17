import { createHash } from 'crypto';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../failures/outcome';
import type { Service } from '../service/service';
import { isVersion2, process, type Attempt } from './attempt';
import { dataTable } from './dataTable';
import { processTable } from './processTable';
import type { Purchases } from './purchases';
import type { RecordingRun } from './recordingRun';
import { recordPurchases } from './recordPurchases';

/** What identifies the run of a node, and its account. */
export interface RunOfNode {
	context: Pick<
		IExecuteFunctions,
		'executeWorkflow' | 'getExecutionId' | 'getNode' | 'getWorkflow'
	>;
	service: Pick<Service, 'account'>;
	attempt: Attempt;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal | undefined;
}

const clock = {
	// Unlike the time of day, it is never set back.
	now: () => performance.now(),
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
	running: RunOfNode,
	log: string,
	onMissing: RecordingRun['onMissing'],
): Purchases {
	const { context, service, signal, attempt } = running;
	const { run, rows } = attempt;
	const { id, name: workflow = '' } = context.getWorkflow();
	const node = context.getNode();
	const { operation } = node.parameters as { operation: string };
	const owner = JSON.stringify([service.account, id, node.id]);
	const isOn2 = isVersion2(context);
	return recordPurchases({
		table: log === '' ? processTable : dataTable(context, log, isOn2),
		...{ process, clock, signal, onMissing, rows },
		place: {
			...{ operation, workflow, execution: context.getExecutionId(), run },
			node: createHash('sha256').update(owner).digest('base64url'),
		},
		// n8n 1.123.81 gives the execution of a killed worker to another one.
		repeats: log !== '' && !isOn2,
	});
}
