import type { INodeParameters, IVersionedNodeType } from 'n8n-workflow';
import type { Job } from '../../job.mjs';
import type { Flow, Step } from '../engine.mjs';
import { hostRequire } from '../hosted.mjs';
import { inEngine } from './inEngine.mjs';

/** Two HTTP Request nodes, as users would connect them: send the file, then get the image. */
export const httpRequest = inEngine(chain);

/** The same in a Loop Over Items node, n8n's way to limit concurrency. */
export const httpRequestLoop = inEngine((job) => {
	const { steps } = chain(job);
	const loop = {
		name: 'Loop Over Items',
		typeName: 'n8n-nodes-base.splitInBatches',
		type: builtIn('SplitInBatches'),
		typeVersion: 3,
		parameters: { batchSize: job.concurrency },
	};
	return {
		steps: [loop, ...steps],
		links: [
			{ from: 'Items', output: 0, to: loop.name },
			{ from: loop.name, output: 1, to: 'Send' },
			{ from: 'Send', output: 0, to: 'Get' },
			{ from: 'Get', output: 0, to: loop.name },
		],
		last: loop.name,
	};
});

function chain({ service }: Job): Flow {
	const send = request('Send', {
		method: 'POST',
		url: `${service}/api/background-remover`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'imageGenerationApi',
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: {
			parameters: [{ parameterType: 'formBinaryData', name: 'image', inputDataFieldName: 'data' }],
		},
	});
	const get = request('Get', {
		url: '={{ $json.output_url }}',
		options: { response: { response: { responseFormat: 'file' } } },
	});
	return {
		steps: [send, get],
		links: [
			{ from: 'Items', output: 0, to: send.name },
			{ from: send.name, output: 0, to: get.name },
		],
		last: get.name,
	};
}

function request(name: string, parameters: INodeParameters): Step {
	const typeName = 'n8n-nodes-base.httpRequest';
	return { name, typeName, type: builtIn('HttpRequest'), typeVersion: 4.5, parameters };
}

function builtIn(name: string): IVersionedNodeType {
	const module = hostRequire(`n8n-nodes-base/dist/nodes/${name}/${name}.node.js`) as Record<
		string,
		new () => IVersionedNodeType
	>;
	const Type = module[name];
	if (Type === undefined) throw new Error(`n8n has no node ${name}.`);
	return new Type();
}
