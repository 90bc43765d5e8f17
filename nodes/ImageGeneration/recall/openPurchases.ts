import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { askN8n, type Execution } from '../execution';
import { Purchases } from './purchases';
import type { Recording } from './runRecord';
import { dataTable } from './table/dataTable';
import { localTable } from './table/localTable';

/** Opens the purchases of a node for an attempt of a run, which its process counts as live from now on. */
export function openPurchases(recording: Recording): Purchases {
	const purchases = new Purchases(recording);
	purchases.begin();
	return purchases;
}

/**
 * What an attempt records its purchases with: in this process, or in a Purchase Log.
 * @param account Identifies the account at the service.
 * @param log The table's name or id; empty if there is none.
 */
export function recordingIn(
	context: IExecuteFunctions,
	execution: Execution,
	account: string,
	log: string,
	attempt: Pick<Recording, 'process' | 'record' | 'onMissing'>,
): Recording {
	const { workflow, parentId, signal } = execution;
	const node = context.getNode();
	const { operation } = node.parameters as { operation: string };
	const owner = JSON.stringify([account, workflow.id, node.id]);
	return {
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
	};
}
