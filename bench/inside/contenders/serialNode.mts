import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { benchNode } from './benchNode.mjs';
import { inEngine } from './inEngine.mjs';

/**
 * A node like most community nodes: it processes one item after the other, holds each image in
 * memory and uses n8n's helpers as they are.
 */
export const serialNode = inEngine(() => benchNode(oneByOne));

async function oneByOne(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { helpers } = context;
	const rows: INodeExecutionData[] = [];
	const items = context.getInputData();
	for (let index = 0; index < items.length; index++) {
		const field = context.getNodeParameter('field', index) as string;
		const { baseUrl } = await context.getCredentials('imageGenerationApi', index);
		const { fileName, mimeType } = helpers.assertBinaryData(index, field);
		const image = await helpers.getBinaryDataBuffer(index, field);
		const body = new FormData();
		body.append('image', new Blob([new Uint8Array(image)], { type: mimeType }), fileName);
		const url = `${baseUrl as string}/api/background-remover`;
		const job = (await helpers.httpRequestWithAuthentication.call(context, 'imageGenerationApi', {
			method: 'POST',
			url,
			body,
		})) as IDataObject;
		const result = (await helpers.httpRequest({
			url: job.output_url as string,
			encoding: 'arraybuffer',
		})) as Buffer;
		const data = await helpers.prepareBinaryData(result, 'output.png');
		rows.push({ json: job, binary: { data }, pairedItem: { item: index } });
	}
	return rows;
}
