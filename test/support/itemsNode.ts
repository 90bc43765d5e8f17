import type { INodeExecutionData, INodeType } from 'n8n-workflow';

/**
 * A node that gives the items of a workflow out, each time it runs.
 * @param isLooped Whether something leads back to it.
 */
export function itemsNode(next: () => INodeExecutionData[], isLooped = false): INodeType {
	return {
		description: {
			displayName: 'Items',
			name: 'items',
			group: ['input'],
			version: 1,
			description: '',
			defaults: { name: 'Items' },
			inputs: isLooped ? ['main'] : [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => await Promise.resolve([next()]),
	};
}
