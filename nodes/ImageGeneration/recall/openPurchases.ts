import { hash } from 'crypto';
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../failures/outcome';
import type { Service } from '../service/service';
import { dataTable } from './dataTable';
import { isVersion2, type CallingContext } from './inlineWorkflow';
import { processTable } from './processTable';
import { thisProcess, type Attempt, type RecordingRun } from './recordingRun';
import { recordPurchases, type Purchases } from './recordPurchases';

/** What identifies the run of a node, and its account. */
interface RunOfNode {
	context: CallingContext & Pick<IExecuteFunctions, 'getNode'>;
	service: Pick<Service, 'account'>;
	attempt: Attempt;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
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
	{ context, service, signal, attempt: { run, rows } }: RunOfNode,
	log: string,
	onMissing: RecordingRun['onMissing'],
): Purchases {
	const { id, name: workflow = '' } = context.getWorkflow();
	const node = context.getNode();
	const { operation } = node.parameters as { operation: string };
	const owner = JSON.stringify([service.account, id, node.id]);
	return recordPurchases({
		table: log === '' ? processTable : dataTable(context, log),
		...{ process: thisProcess, clock, signal, onMissing, rows },
		place: {
			...{ operation, workflow, execution: context.getExecutionId(), run },
			node: hash('sha256', owner, 'base64url'),
		},
		// n8n 1.123.81 gives the execution of a killed worker to another one.
		repeats: log !== '' && !isVersion2(context),
	});
}
