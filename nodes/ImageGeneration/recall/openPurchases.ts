import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Service } from '../service/service';
import { dataTable } from './dataTable';
import { thisProcess } from './leases';
import { isVersion2, type CallingContext } from './namedTable';
import { processTable } from './processTable';
import type { RecordedRun, Recording } from './recordingRun';
import { recordPurchases, type Purchases } from './recordPurchases';

/** What identifies the run of a node, and its account. */
interface RunOfNode {
	context: CallingContext & Pick<IExecuteFunctions, 'getNode'>;
	service: Pick<Service, 'account'>;
	run: RecordedRun;
	/** Aborted when the execution is stopped in n8n. */
	signal: AbortSignal;
}

/**
 * Opens the memory of what the node bought in all executions: this process's, or a Purchase Log.
 * @param log The table's name or id; empty if there is none.
 */
export function openPurchases(
	{ context, service, signal, run }: RunOfNode,
	log: string,
	onMissing: Recording['onMissing'],
): Purchases {
	const { id, name: workflow = '' } = context.getWorkflow();
	const node = context.getNode();
	const { operation } = node.parameters as { operation: string };
	const owner = JSON.stringify([service.account, id, node.id]);
	return recordPurchases({
		table: log === '' ? processTable : dataTable(context, log),
		...{ process: thisProcess, signal, onMissing, run },
		place: {
			...{ operation, workflow, execution: context.getExecutionId() },
			node: hash('sha256', owner, 'base64url'),
		},
		// n8n 1.123.81 gives the execution of a killed worker to another one.
		repeats: log !== '' && !isVersion2(context),
	});
}
