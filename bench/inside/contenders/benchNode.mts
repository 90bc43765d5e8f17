import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import type { Flow } from '../engine.mjs';

/** Creates a workflow of one node that does this work with the service's credential. */
export function benchNode(
	work: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>,
): Flow {
	class BenchNode implements INodeType {
		description: INodeType['description'] = {
			displayName: 'Bench',
			name: 'bench',
			group: ['transform'],
			version: 1,
			description: 'A node to compare with',
			defaults: { name: 'Bench' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'imageGenerationApi', required: true }],
			properties: [{ displayName: 'Field', name: 'field', type: 'string', default: 'data' }],
		};

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return [await work(this)];
		}
	}

	const name = 'Bench';
	return {
		steps: [{ name, typeName: 'bench', type: new BenchNode(), typeVersion: 1, parameters: {} }],
		links: [{ from: 'Items', output: 0, to: name }],
		last: name,
	};
}
