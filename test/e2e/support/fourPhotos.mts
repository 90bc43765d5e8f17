import { photo, type Fixture } from './fixture.mjs';
import type { Execution } from './N8nApi.mjs';
import { imageGeneration, webhook } from './nodes.mjs';
import { chain, workflow, type WorkflowBody, type WorkflowNode } from './workflow.mjs';

/** The file names of the four photos that arrive together. */
const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'];

/** The words of the service for the third photo. */
export const refusal = 'This is not allowed here';

/** Turns four uploaded photos black and white. */
export interface FourPhotos {
	/** What the photos come by. */
	name: 'Webhook' | 'Form';
	publish: (fixture: Fixture, path: string) => Promise<string>;
	/** Sends the photos, and resolves when n8n has answered. */
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

/** Four files in one field of a form, which arrive in one item. */
export const byForm: FourPhotos = {
	name: 'Form',
	publish: async (fixture, path) =>
		await fixture.api.publish(
			editing(fixture, [formTrigger(path)], 'Edit photos by form'),
			`/form/${path}`,
		),
	send: async (fixture, path) => await post(`${fixture.n8n.url}/form/${path}`, 'field-0'),
};

/**
 * Has the service refuse the third photo once, and sends all four.
 * @returns the execution that stopped, usually with two photos paid for: now and then a form hands
 * its files over in another order (seen once on n8n 2.40.3)
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

/** @param times how many executions meet the refusal */
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

function formTrigger(path: string): WorkflowNode {
	return {
		name: 'Form',
		type: 'n8n-nodes-base.formTrigger',
		typeVersion: 2.2,
		webhookId: path,
		parameters: {
			formTitle: 'Photos',
			formFields: { values: [{ fieldLabel: 'Photos', fieldType: 'file', multipleFiles: true }] },
			options: { path },
		},
	};
}

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
