import 'reflect-metadata';

import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeType,
	type IRun,
	type IRunExecutionData,
	type IWorkflowSettings,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData, storeExecution } from './additionalData';
import { credentialsHelper } from './credentialsHelper';
import type { N8nTables } from './n8nTables';

/** A workflow that n8n's engine can run. */
export interface Runnable {
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
	/** Its node types, by name. */
	types: ReadonlyMap<string, INodeType>;
	/** Name of the first node. */
	start: string;
	/** The execution that calls it as a sub-workflow. */
	caller?: string | undefined;
	/** n8n's data tables; none by default. */
	tables?: N8nTables | undefined;
}

/** Runs a workflow in n8n's engine. @returns a promise with a cancel method */
export function execute(
	runnable: Runnable,
	credential: ICredentialDataDecryptedObject,
	mode: WorkflowExecuteMode = 'trigger',
) {
	const { workflow, startNode, data } = prepare(runnable, credential);
	const execution = new WorkflowExecute(data, mode, createRunExecutionData());
	const running = execution.run({ workflow, startNode });
	void storeExecution(data, running, runnable.caller);
	return running;
}

/**
 * Repeats a failed execution like Retry in n8n's list of executions: from the stored data, without
 * the failed node's last run (read in n8n 2.41.1).
 */
export function retry(
	runnable: Runnable,
	credential: ICredentialDataDecryptedObject,
	failed: IRun,
) {
	const { workflow, data } = prepare(runnable, credential);
	const stored = parse(stringify(failed.data)) as IRunExecutionData;
	const { lastNodeExecuted = '', runData } = stored.resultData;
	delete stored.resultData.error;
	runData[lastNodeExecuted]?.pop();
	for (const entry of stored.executionData?.nodeExecutionStack ?? []) {
		entry.node = workflow.getNode(entry.node.name) ?? entry.node;
	}
	const running = new WorkflowExecute(data, 'retry', stored).processRunExecutionData(workflow);
	void storeExecution(data, running);
	return running;
}

function prepare(
	{ nodes, connections, settings, types, start, tables }: Runnable,
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
	if (tables !== undefined) data.executeWorkflow = tables.executeWorkflow;
	return { workflow, startNode, data };
}
