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

/** The links that the node's earlier rounds in this execution returned; Retry begins with those of a loop. */
export function linksOfEarlierRounds(context: IExecuteFunctions): ReadonlySet<unknown> {
	const items = earlierRuns(context, 0).flatMap((returned = []) => returned);
	return new Set(items.map(({ json }) => json.output_url));
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
