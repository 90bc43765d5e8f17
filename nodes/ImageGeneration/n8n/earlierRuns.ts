import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isToolNode } from './execution';

/**
 * The file names that the node's runs in this execution returned, from one run on up to the present one: rounds of a
 * loop, also before a pause, or those that Retry begins with.
 */
export function fileNamesOfRuns(context: IExecuteFunctions, from: number): string[][] {
	// An agent's calls are no runs of the tool's node (2.41.1), and download nothing.
	if (isToolNode(context.getNode())) return [];
	return earlierRuns(context, from).map((items = []) =>
		items.map(({ json }) => json.fileName).filter((name) => typeof name === 'string'),
	);
}

/**
 * Whether the node has returned something before in this execution, as in a loop. Retry of a crashed execution begins with
 * a run of each node that n8n's event log names: without output, or with one made-up item (2.41.1).
 */
export function isLaterRound(context: IExecuteFunctions): boolean {
	return earlierRuns(context, 0).some(
		(items) =>
			items !== undefined &&
			!items.some(({ json }) => json.isArtificialRecoveredEventItem === true),
	);
}

/**
 * What the node's earlier runs in this execution returned at its first output, from one run on; undefined for those that
 * returned nothing.
 */
function earlierRuns(
	context: IExecuteFunctions,
	from: number,
): Array<INodeExecutionData[] | undefined> {
	const proxy = context.getWorkflowDataProxy(0);
	const { name } = context.getNode();
	const count = Math.max(0, Number(proxy.$runIndex) - from);
	return Array.from({ length: count }, (_, index) => {
		try {
			return proxy.$items(name, 0, from + index);
		} catch {
			return undefined;
		}
	});
}
