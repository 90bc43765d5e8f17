import type { IConnections } from 'n8n-workflow';

/** A workflow as n8n's editor saves it. */
export interface WorkflowBody {
	name: string;
	nodes: WorkflowNode[];
	connections: IConnections;
	settings: Record<string, unknown>;
}

/** A node of a workflow. Only its name, type, version and parameters are required. */
export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	position?: [number, number];
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	[setting: string]: unknown;
}

/** A connection between two nodes, from output 0 to input 0 by default. */
export interface Wire {
	from: string;
	output?: number;
	to: string;
	/** `main` by default; an agent's tools and models use other types. */
	type?: 'main' | 'ai_tool' | 'ai_languageModel';
}

/** What a workflow has besides its nodes. */
export interface Links {
	wires?: readonly Wire[];
	settings?: Record<string, unknown>;
}

/** Connects nodes in sequence. */
export function chain(...names: string[]): Wire[] {
	return names.slice(1).map((to, place) => ({ from: names[place] ?? '', to }));
}

/** Builds a workflow with its nodes in a row, which connects them unless there are wires. */
export function workflow(
	name: string,
	nodes: readonly WorkflowNode[],
	{ wires, settings }: Links = {},
): WorkflowBody {
	const connections: IConnections = {};
	const all = wires ?? chain(...nodes.map((node) => node.name));
	for (const { from, output = 0, to, type = 'main' } of all) {
		connections[from] ??= {};
		connections[from][type] ??= [];
		const outputs = connections[from][type];
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type, index: 0 });
	}
	return {
		name,
		nodes: nodes.map((node, place) => ({
			id: crypto.randomUUID(),
			position: [place * 220, 0],
			...node,
		})),
		connections,
		settings: { executionOrder: 'v1', ...settings },
	};
}
