import { photo, type Fixture } from './fixture.mjs';
import type { Execution } from './N8nApi.mjs';
import { form, imageGeneration, webhook } from './nodes.mjs';
import { chain, workflow, type WorkflowBody, type WorkflowNode } from './workflow.mjs';

/** File names of the four photos sent together. */
const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'];

/** The service's message for the third photo. */
export const refusal = 'This is not allowed here';

/** A workflow that turns four uploaded photos black and white. */
export interface FourPhotos {
	/** How the photos arrive. */
	name: 'Webhook' | 'Form';
	publish: (fixture: Fixture, path: string) => Promise<string>;
	/** Sends the photos and waits for n8n's response. */
	send: (fixture: Fixture, path: string) => Promise<unknown>;
}

/** Four parts of one request, which become four items. */
export const byWebhook: FourPhotos = {
	name: 'Webhook',
	publish: async (fixture, path) =>
		await fixture.api.publish(
			editing(
				fixture,
				[webhook(path, { responseData: 'noData' }), splitFiles],
				'Edit photos by webhook',
			),
			`/webhook/${path}`,
		),
	send: async (fixture, path) => await post(`${fixture.n8n.url}/webhook/${path}`, 'photo'),
};

/** Four files in one form field, which arrive in one item. */
export const byForm: FourPhotos = {
	name: 'Form',
	publish: async (fixture, path) =>
		await fixture.api.publish(
			editing(fixture, [form(path, 'Photos', true)], 'Edit photos by form'),
			`/form/${path}`,
		),
	send: async (fixture, path) => await post(`${fixture.n8n.url}/form/${path}`, 'field-0'),
};

/**
 * Sends all four photos and has the service reject the third one once.
 * @returns the stopped execution, usually with two paid photos; a form once sent its files in
 * another order (n8n 2.40.3)
 */
export async function stopAtThird(
	fixture: Fixture,
	{ publish, send }: FourPhotos,
	path: string,
): Promise<{ workflowId: string; failed: Execution }> {
	const workflowId = await publish(fixture, path);
	refuseThird(fixture);
	await send(fixture, path);
	return { workflowId, failed: await fixture.api.lastExecution(workflowId) };
}

/** @param times number of executions in which the photo is rejected */
export function refuseThird(fixture: Fixture, times = 1): void {
	const body = { err: refusal };
	fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'three', times });
}

const splitFiles: WorkflowNode = {
	name: 'Split Files',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: '$binary', options: {} },
};

function editing(fixture: Fixture, before: WorkflowNode[], name: string): WorkflowBody {
	const edit = imageGeneration(
		'Edit',
		{
			operation: 'edit',
			inputType: 'all',
			prompt: 'make it black and white',
			options: { concurrency: 1 },
		},
		{ credentials: fixture.credentials },
	);
	const nodes = [...before, edit];
	return workflow(name, nodes, chain(...nodes.map((node) => node.name)));
}

async function post(address: string, field: string): Promise<Response> {
	const form = new FormData();
	for (const name of names) form.append(field, new File([photo], name, { type: 'image/jpeg' }));
	return await fetch(address, { method: 'POST', body: form });
}
