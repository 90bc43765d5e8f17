import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';

import type { ExportedWorkflow } from './runWorkflow';

const folder = 'examples';

/** File names of the example workflows. */
export const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

/** An example workflow as it ships. */
export function example(file: string): ExportedWorkflow {
	return JSON.parse(readFileSync(join(folder, file), 'utf8')) as ExportedWorkflow;
}

/** A node of an example. @throws Error if it does not exist */
export function nodeOf({ nodes }: ExportedWorkflow, name: string): INode {
	const node = nodes.find((candidate) => candidate.name === name);
	if (node === undefined) throw new Error(`There is no node ${name}`);
	return node;
}

/** The value that a Set node assigns to each field. */
export function assignmentsOf({ assignments: of }: INodeParameters): Record<string, string> {
	const { assignments } = of as { assignments: Array<{ name: string; value: string }> };
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

/**
 * Replaces `$fromAI(…)` in the parameters by a model's values.
 * @returns the parameters, and the names that the model was asked for
 */
export function withModelValues(parameters: INodeParameters, values: Record<string, string>) {
	const asked: string[] = [];
	const filled = JSON.parse(JSON.stringify(parameters), (_key, value: unknown) => {
		const [, name] =
			typeof value === 'string' ? (/^=\{\{ \$fromAI\('(\w+)'/.exec(value) ?? []) : [];
		if (name === undefined) return value;
		asked.push(name);
		return values[name] ?? `no value for ${name}`;
	}) as INodeParameters;
	return { filled, asked };
}
