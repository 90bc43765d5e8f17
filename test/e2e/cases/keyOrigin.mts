import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSandbox, type Sandbox } from '../../../sandbox/index.js';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { httpRequest, webhook } from '../support/nodes.mjs';
import { chain, workflow } from '../support/workflow.mjs';

/** n8n's HTTP Request node with our credential, sending to another service. */
export function keyOriginCases(fixture: Fixture): void {
	let elsewhere: Sandbox;
	before(async () => {
		elsewhere = await startSandbox();
	});
	after(async () => {
		await elsewhere.close();
	});

	const runRequest = async (path: string, url: string, options: object) => {
		const request = httpRequest(url, fixture.credentials, { options });
		const id = await fixture.api.publish(
			workflow(
				path,
				[webhook(path, { responseData: 'noData' }), request],
				chain('Webhook', 'HTTP Request'),
			),
			`/webhook/${path}`,
		);
		await callWebhook(fixture, path, {});
		return await fixture.api.lastExecution(id);
	};

	describe('HTTP Request with the credential', () => {
		it('sends nothing to a URL of another origin, and says why', async () => {
			const url = `${elsewhere.url}/api/text2img`;
			const execution = await runRequest('another-origin', url, {});

			assert.equal(execution.status, 'error');
			assert.match(
				JSON.stringify(execution.data.resultData.error),
				/but this credential is only for/,
			);
			assert.deepEqual(elsewhere.requests, []);
		});

		for (const status of [302, 307, 308]) {
			it(`does not follow a redirect to another origin (status ${status}), even if told to`, async () => {
				const location = `${elsewhere.url}/api/text2img`;
				fixture.sandbox.arm({ fault: 'redirect', status, location });
				const redirect = { redirect: { followRedirects: true, maxRedirects: 21 } };
				const url = `${fixture.sandbox.url}/api/text2img`;
				await runRequest(`redirect-${status}`, url, { redirect });

				assert.equal(fixture.calls().length, 1);
				assert.deepEqual(elsewhere.requests, []);
			});
		}
	});
}
