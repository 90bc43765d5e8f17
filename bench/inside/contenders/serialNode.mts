import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { inEngine } from './inEngine.mjs';

/**
 * A node in the shape that most nodes of the field have: one item after the other, each image as a
 * whole in memory, with the helpers as they come.
 */
class SerialNode implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Serial',
		name: 'serial',
		group: ['transform'],
		version: 1,
		description: 'The plain node that the bench compares with',
		defaults: { name: 'Serial' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'imageGenerationApi', required: true }],
		properties: [{ displayName: 'Field', name: 'field', type: 'string', default: 'data' }],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const rows: INodeExecutionData[] = [];
		const items = this.getInputData();
		for (let index = 0; index < items.length; index++) {
			const field = this.getNodeParameter('field', index) as string;
			const { baseUrl } = await this.getCredentials('imageGenerationApi', index);
			const { fileName, mimeType } = this.helpers.assertBinaryData(index, field);
			const image = await this.helpers.getBinaryDataBuffer(index, field);
			const body = new FormData();
			body.append('image', new Blob([new Uint8Array(image)], { type: mimeType }), fileName);
			const job = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'imageGenerationApi',
				{ method: 'POST', url: `${baseUrl as string}/api/background-remover`, body },
			)) as IDataObject;
			const result = (await this.helpers.httpRequest({
				url: job.output_url as string,
				encoding: 'arraybuffer',
			})) as Buffer;
			rows.push({
				json: job,
				binary: { data: await this.helpers.prepareBinaryData(result, 'output.png') },
				pairedItem: { item: index },
			});
		}
		return [rows];
	}
}

export const serialNode = inEngine(() => ({
	steps: [
		{
			name: 'Serial',
			typeName: 'serial',
			type: new SerialNode(),
			typeVersion: 1,
			parameters: {},
		},
	],
	links: [{ from: 'Items', output: 0, to: 'Serial' }],
	last: 'Serial',
}));
