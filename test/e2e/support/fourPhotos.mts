import type { Execution } from './execution.mjs';
import { photo, upload, type Fixture } from './fixture.mjs';
import { form, stock, webhook } from './nodes.mjs';

/** A workflow that turns four uploaded photos black and white. */
export interface FourPhotos {
	/** How the photos arrive. */
	name: 'Webhook' | 'Form';
	publish: (fixture: Fixture, path: string) => Promise<string>;
	/** Sends the photos and waits for n8n's response. */
	send: (fixture: Fixture, path: string) => Promise<unknown>;
}

const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'];
const photosIn = (part: string) => upload(...names.map((name) => [part, name, photo] as const));
const edit = (fixture: Fixture) =>
	fixture.node('Edit', {
		operation: 'edit',
		inputType: 'all',
		prompt: 'make it black and white',
		options: { concurrency: 1 },
	});
const splitFiles = stock('Split Files', 'splitOut', 1, { fieldToSplitOut: '$binary', options: {} });

/** Four parts of one request, which become four items. */
export const byWebhook: FourPhotos = {
	name: 'Webhook',
	publish: async (fixture, path) =>
		await fixture.publish([webhook(path), splitFiles, edit(fixture)]),
	send: async (fixture, path) => await fixture.call(path, photosIn('photo')),
};

/** Four files in one form field, which arrive in one item. */
export const byForm: FourPhotos = {
	name: 'Form',
	publish: async (fixture, path) =>
		await fixture.publish([form(path, 'Photos', true), edit(fixture)]),
	send: async ({ n8n }, path) =>
		await fetch(`${n8n.url}/form/${path}`, { method: 'POST', body: photosIn('field-0') }),
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
	const body = { err: 'This is not allowed here' };
	fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'three', times });
}
