import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolNode } from './execution';

/** The links that the node's earlier rounds in this execution returned; Retry begins with those of a loop. */
export function linksOfEarlierRounds(context: IExecuteFunctions): ReadonlySet<unknown> {
	// An agent's calls are no runs of the tool's node (2.41.1).
	if (isToolNode(context.getNode())) return new Set();
	const proxy = context.getWorkflowDataProxy(0);
	const { name } = context.getNode();
	const rounds = Array.from({ length: Number(proxy.$runIndex) }, (_, round) => {
		try {
			return proxy.$items(name, 0, round);
		} catch {
			// The round returned nothing.
			return [];
		}
	});
	return new Set(rounds.flat().map(({ json }) => json.output_url));
}
