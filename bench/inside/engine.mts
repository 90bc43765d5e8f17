import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IVersionedNodeType,
} from 'n8n-workflow';
import { additionalData } from '../../test/support/additionalData.js';
import { itemsNode } from '../../test/support/itemsNode.js';
import { credentialsHelper } from './credentialsHelper.mjs';
import {
	Container,
	createRunExecutionData,
	ExecutionLifecycleHooks,
	Expression,
	GlobalConfig,
	NodeHelpers,
	Workflow,
	WorkflowExecute,
} from './hosted.mjs';
import { results } from './storage.mjs';

/** A node of a workflow. */
export interface Step {
	name: string;
	/** As in saved workflows. n8n recognizes its HTTP Request node by it. */
	typeName: string;
	type: INodeType | IVersionedNodeType;
	typeVersion: number;
	parameters: INodeParameters;
}

/** Which output of a step leads to which step. */
export interface Link {
	from: string;
	output: number;
	to: string;
}

/** A workflow that starts with a step named `Items`, which outputs the items. */
export interface Flow {
	steps: Step[];
	links: Link[];
	/** The step whose first output is the workflow's result. */
	last: string;
}

/** Makes n8n evaluate expressions like its server, with the default settings. */
export async function startExpressions(): Promise<void> {
	await Expression.initExpressionEngine(Container.get(GlobalConfig).expressionEngine);
}

/**
 * Runs a workflow in n8n's engine and returns its output.
 * @throws the error that stopped it
 */
export async function execute(
	flow: Flow,
	items: INodeExecutionData[],
	credential: ICredentialDataDecryptedObject,
): Promise<INodeExecutionData[]> {
	const workflow = workflowOf(flow, items);
	const startNode = workflow.getNode('Items');
	if (startNode === null) throw new Error('The workflow has no start node.');
	const { data } = await new WorkflowExecute(
		additionalData(ExecutionLifecycleHooks, credentialsHelper(credential)),
		'trigger',
		createRunExecutionData(),
	).run({ workflow, startNode });
	const { error, runData } = data.resultData;
	if (error !== undefined) throw error;
	return runData[flow.last]?.at(-1)?.data?.main?.[0] ?? [];
}

function workflowOf({ steps, links }: Flow, items: INodeExecutionData[]) {
	const first = { name: 'Items', typeName: 'items', type: itemsNode(() => items), typeVersion: 1 };
	const all: Step[] = [{ ...first, parameters: {} }, ...steps];
	const typeOf = (name: string) => {
		const step = all.find(({ typeName }) => typeName === name);
		if (step === undefined) throw new Error(`There is no node type ${name}.`);
		return step.type;
	};
	return new Workflow({
		id: results.workflowId,
		name: 'Bench',
		active: false,
		nodes: all.map(
			({ name, typeName, typeVersion, parameters }): INode => ({
				id: name,
				name,
				type: typeName,
				typeVersion,
				position: [0, 0],
				parameters,
				credentials: { imageGenerationApi: { id: '1', name: 'Sandbox' } },
			}),
		),
		connections: Object.fromEntries(
			all.map(({ name }) => [name, { main: outputsOf(name, links) }]),
		),
		nodeTypes: {
			getByName: typeOf,
			getByNameAndVersion: (name, version) =>
				NodeHelpers.getVersionedNodeType(typeOf(name), version),
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1' },
	});
}

function outputsOf(name: string, links: Link[]) {
	const own = links.filter(({ from }) => from === name);
	const count = Math.max(0, ...own.map(({ output }) => output + 1));
	return Array.from({ length: count }, (_, output) =>
		own
			.filter((link) => link.output === output)
			.map(({ to }) => ({ node: to, type: 'main' as const, index: 0 })),
	);
}
