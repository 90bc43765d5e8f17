import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { askN8n, type Execution } from '../execution';
import { Purchases } from './purchases';
import type { Recording } from './runRecord';
import { dataTable } from './table/dataTable';
import { localTable } from './table/localTable';

/**
 * Opens the memory of what the node bought in all executions: this process's, or a Purchase Log.
 * @param account Identifies the account at the service.
 * @param log The table's name or id; empty if there is none.
 */
export function openPurchases(
	context: IExecuteFunctions,
	execution: Execution,
	account: string,
	log: string,
	attempt: Pick<Recording, 'process' | 'record' | 'onMissing'>,
): Purchases {
	const { workflow, parentId, signal } = execution;
	const node = context.getNode();
	const { operation } = node.parameters as { operation: string };
	const owner = JSON.stringify([account, workflow.id, node.id]);
	const purchases = new Purchases({
		...attempt,
		signal,
		table: log === '' ? localTable : dataTable(context, log),
		common: {
			operation,
			workflow: workflow.name,
			execution: execution.id ?? '',
			parent: parentId,
			node: hash('sha256', owner, 'base64url'),
		},
		n8n: askN8n(context),
	});
	purchases.begin();
	return purchases;
}
