import type { INodeExecutionData, INodeType } from 'n8n-workflow';

/**
 * A node that outputs the next items each time it runs.
 * @param isLooped whether it is part of a loop
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
		execute: async () => [next()],
	};
}

/** A node that takes as long as this, and passes its items on. */
export function laterNode(run: () => Promise<unknown> = async () => {}): INodeType {
	const { description } = itemsNode(() => [], true);
	return {
		description: { ...description, displayName: 'Later', name: 'later' },
		async execute() {
			await run();
			return [this.getInputData()];
		},
	};
}
