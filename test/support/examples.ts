import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import type { ExportedWorkflow } from './runWorkflow';

const folder = 'examples';

/** File names of the example workflows. */
export const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

/** An example workflow as it ships. */
export function example(file: string): ExportedWorkflow {
	return JSON.parse(readFileSync(join(folder, file), 'utf8')) as ExportedWorkflow;
}

/** The value that a Set node assigns to each field. */
export function assignmentsOf({ assignments: of }: INodeParameters): Record<string, string> {
	const { assignments } = of as { assignments: Array<{ name: string; value: string }> };
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}
