import type {
	IConnections,
	ICredentialDataDecryptedObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	IWorkflowSettings,
} from 'n8n-workflow';

import { execute } from './execute';
import { nodeIn } from './remembered';

/** Type of the node under test in exported workflows; as a tool it ends in `Tool`. */
export const TYPE = 'n8n-nodes-image-generation.imageGeneration';

/** A workflow as n8n exports it. */
export interface ExportedWorkflow {
	id: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
	active: boolean;
	pinData: Record<string, unknown>;
}

/** Replaces a stock node: maps its input items to items for each output. */
export type StandIn = (input: INodeExecutionData[]) => INodeExecutionData[][];

/** What the stock nodes of a run received in all its runs, by name. Nodes that did not run are missing. */
interface Seen {
	received: Map<string, INodeExecutionData[]>;
	/** Their evaluated parameters, for each item they received. */
	parameters: Map<string, INodeParameters[]>;
}

/**
 * Runs a workflow with our node in n8n's engine. Stock nodes are not installed here, so each is
 * replaced by a stand-in that passes its items on, unless `standIns` defines its output.
 * @returns what its nodes received, and why it stopped, if it did
 */
export async function runWorkflow(
	{ nodes, connections, settings }: Pick<ExportedWorkflow, 'nodes' | 'connections' | 'settings'>,
	credential: ICredentialDataDecryptedObject,
	standIns: Record<string, StandIn>,
) {
	const seen: Seen = { received: new Map(), parameters: new Map() };
	const flow = nodes.filter(({ type }) => !type.endsWith('stickyNote'));
	const unknown = Object.keys(standIns).filter((name) => !flow.some((node) => node.name === name));
	if (unknown.length > 0) throw new Error(`There is no node ${unknown.join(', ')}`);
	const targets = new Set(
		Object.values(connections).flatMap(({ main = [] }) =>
			main.flatMap((output) => (output ?? []).map(({ node }) => node)),
		),
	);
	const types = new Map<string, INodeType>([[TYPE, nodeIn()]]);
	for (const node of flow) {
		const { name, type } = node;
		if (type !== TYPE) types.set(name, standInFor(node, targets.has(name), standIns, seen));
	}
	const run = await execute(
		{
			nodes: flow.map((node) => (node.type === TYPE ? node : { ...node, type: node.name })),
			connections,
			settings,
			types,
			start: flow.find(({ name }) => !targets.has(name))?.name ?? '',
		},
		credential,
	);
	return { ...seen, error: run.data.resultData.error };
}

function standInFor(
	{ name, parameters: given }: INode,
	hasInput: boolean,
	standIns: Record<string, StandIn>,
	{ received, parameters }: Seen,
): INodeType {
	return {
		description: {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name },
			inputs: hasInput ? ['main'] : [],
			outputs: ['main'],
			// n8n drops parameters that a description does not define.
			properties: Object.keys(given).map(plainField),
		},
		async execute() {
			const input = hasInput ? this.getInputData() : [];
			received.set(name, [...(received.get(name) ?? []), ...input]);
			const workedOut = input.map((_, index) =>
				Object.fromEntries(
					Object.keys(given).map((field) => [field, this.getNodeParameter(field, index)]),
				),
			);
			parameters.set(name, [...(parameters.get(name) ?? []), ...(workedOut as INodeParameters[])]);
			const output = standIns[name]?.(input) ?? [
				input.map((item, index) => ({ ...item, pairedItem: { item: index } })),
			];
			return output;
		},
	};
}

function plainField(name: string): INodeProperties {
	return { displayName: name, name, type: 'string', default: '' };
}
