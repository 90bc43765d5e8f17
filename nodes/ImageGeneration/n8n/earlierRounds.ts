import type { IExecuteFunctions, INodeExecutionData, IWorkflowDataProxyData } from 'n8n-workflow';

import { isToolNode } from './execution';

/** The links that the node's earlier rounds in an execution have returned. */
export class EarlierRounds {
	readonly links = new Set<unknown>();

	/** How many rounds have been read. */
	#count = 0;

	/** Reads the rounds that have ended since; all in the first one after Wait, or after Retry, which begins with those of a loop. */
	read(context: IExecuteFunctions): void {
		// An agent's calls are no runs of the tool's node (2.41.1).
		if (isToolNode(context.getNode())) return;
		const proxy = context.getWorkflowDataProxy(0);
		const { name } = context.getNode();
		while (this.#count < Number(proxy.$runIndex)) {
			for (const { json } of outputOf(proxy, name, this.#count)) this.links.add(json.output_url);
			this.#count++;
		}
	}
}

function outputOf(
	proxy: IWorkflowDataProxyData,
	name: string,
	round: number,
): INodeExecutionData[] {
	try {
		return proxy.$items(name, 0, round);
	} catch {
		// The round returned nothing.
		return [];
	}
}
