import type { Fixture } from './fixture.mjs';

/** Calls a webhook with JSON. @returns its response */
export async function callWebhook(
	fixture: Fixture,
	path: string,
	body: unknown,
): Promise<Response> {
	return await fetch(`${fixture.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** Uploads a file to a webhook as a web form does. @returns its response */
export async function uploadToWebhook(
	fixture: Fixture,
	path: string,
	file: Buffer,
	fields: Record<string, string> = {},
): Promise<Response> {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append('photo', new File([file], 'astronaut.jpg', { type: 'image/jpeg' }));
	return await fetch(`${fixture.n8n.url}/webhook/${path}`, { method: 'POST', body: form });
}
