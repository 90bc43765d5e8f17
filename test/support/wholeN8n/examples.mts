import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/tools/checkout.mjs';
import { assertSuccess, type Execution } from './execution.mjs';
import type { Fixture } from './fixture.mjs';
import type { WorkflowBody } from './workflow.mjs';

/** An example as it ships, with the fixture's credential and output folder. */
export function shipped(fixture: Fixture, file: string): WorkflowBody {
	const folder = JSON.stringify(fixture.files);
	const text = readFileSync(join(root, 'examples', file), 'utf8')
		.replace(
			/("name": "outputFolder",\s+"type": "string",\s+"value": )"output"/,
			(_, start: string) => start + folder,
		)
		.replace('"=output/', () => `"=${folder.slice(1, -1)}/`);
	const body = JSON.parse(text) as WorkflowBody & { id?: string };
	// n8n assigns its own id.
	delete body.id;
	for (const node of body.nodes) {
		if (node.credentials !== undefined) node.credentials = fixture.credentials;
	}
	return body;
}

/** Changes fields of an example's node Settings. */
export function setUp({ nodes }: WorkflowBody, settings: Record<string, string | number>): void {
	const { assignments } = nodes.find(({ name }) => name === 'Settings')?.parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const field of assignments) field.value = settings[field.name] ?? field.value;
}

/** Presses "Execute workflow" of a saved workflow. */
export async function click(
	{ session }: Fixture,
	id: string,
	body: WorkflowBody,
	trigger = 'Start',
): Promise<void> {
	await session.post(`/workflows/${id}/run`, {
		// n8n 1.123.81 needs the whole workflow.
		workflowData: { ...body, id },
		triggerToStartFrom: { name: trigger },
	});
}

/** Executes a saved workflow by hand. @returns the execution, which has succeeded */
export async function execute(
	fixture: Fixture,
	id: string,
	body: WorkflowBody,
	trigger?: string,
): Promise<Execution> {
	const execution = await fixture.api.run(id, () => click(fixture, id, body, trigger));
	assertSuccess(execution);
	return execution;
}

/** Saves a workflow and executes it by hand. */
export async function start(
	fixture: Fixture,
	body: WorkflowBody,
	trigger?: string,
): Promise<Execution> {
	return await execute(fixture, await fixture.api.createWorkflow(body), body, trigger);
}
