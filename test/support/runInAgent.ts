import 'reflect-metadata';

import { ExecuteContext, ExecutionLifecycleHooks } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import { additionalData } from './additionalData';
import { credentialsHelper } from './credentialsHelper';

const TYPE = 'n8n-nodes-image-generation.imageGenerationTool';
let calls = 0;

/**
 * Calls the node as n8n's Agents and its instance AI do: by itself, without an execution, a saved workflow
 * or a way to stop it (read in n8n 2.41.1, `node-execution/ephemeral-node-executor`).
 * @param input What the model passes to the tool.
 */
export async function runInAgent(
	parameters: INodeParameters,
	credential: ICredentialDataDecryptedObject,
	input: IDataObject = {},
): Promise<INodeExecutionData[]> {
	const type: INodeType = new ImageGeneration();
	const node: INode = {
		id: `call ${++calls}`,
		name: 'Draw',
		type: TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { imageGenerationApi: { id: '1', name: 'Image Generation account' } },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	const data = additionalData(ExecutionLifecycleHooks, credentialsHelper(credential));
	delete data.executionId;
	const items = [{ json: input }];
	const context = new ExecuteContext(
		workflow,
		node,
		data,
		'internal',
		createEmptyRunExecutionData(),
		0,
		items,
		{ main: [items] },
		{ node, data: { main: [items] }, source: null },
		[],
	);
	// n8n-core's class is the interface, but for the name of a workflow that is not saved (2.41.1).
	const output = await type.execute?.call(context as IExecuteFunctions);
	const [rows] = Array.isArray(output) ? output : [];
	if (rows === undefined) throw new Error('The node has no output');
	return rows;
}
