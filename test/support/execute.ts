import 'reflect-metadata';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeType,
	type IWorkflowSettings,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { credentialsHelper } from './credentialsHelper';

/** A workflow that n8n's engine can run. */
export interface Runnable {
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
	/** The types of its nodes, by name. */
	types: ReadonlyMap<string, INodeType>;
	/** The name of the node to start from. */
	start: string;
}

/** Runs a workflow in n8n's engine. What comes back can be canceled while it runs. */
export function execute(
	{ nodes, connections, settings, types, start }: Runnable,
	credential: ICredentialDataDecryptedObject,
) {
	const typeOf = (name: string) => {
		const type = types.get(name);
		if (type === undefined) throw new Error(`There is no node type ${name}`);
		return type;
	};
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Test',
		active: false,
		nodes,
		connections,
		nodeTypes: {
			getByName: typeOf,
			getByNameAndVersion: typeOf,
			getKnownTypes: () => ({}),
		},
		settings,
	});
	const startNode = workflow.getNode(start);
	if (startNode === null) throw new Error('The workflow has no start');
	const data = additionalData(ExecutionLifecycleHooks, credentialsHelper(credential));
	return new WorkflowExecute(data, 'manual', createRunExecutionData()).run({ workflow, startNode });
}
