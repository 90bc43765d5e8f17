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

	const runRequest = async (path: string, url: string, parameters: object) => {
		const request = httpRequest(url, fixture.credentials, { ...parameters });
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

		const unsafe: [what: string, parameters: object, words: RegExp][] = [
			[
				'through a proxy of the workflow',
				{ options: { proxy: '=PROXY' } },
				/The request goes through a proxy/,
			],
			[
				'without checking the certificate',
				{ options: { allowUnauthorizedCerts: true } },
				/does not check the certificate/,
			],
			[
				'with a Host header',
				{
					sendHeaders: true,
					headerParameters: { parameters: [{ name: 'HOST', value: 'elsewhere.example' }] },
				},
				/has a header 'Host'/,
			],
		];
		for (const [what, parameters, words] of unsafe) {
			it(`sends nothing ${what}, and says why`, async () => {
				const path = words.source.replace(/[^a-z]+/gi, '-').toLowerCase();
				const written = JSON.stringify(parameters).replace('=PROXY', elsewhere.url);
				const url = `${fixture.sandbox.url}/api/text2img`;
				const execution = await runRequest(path, url, JSON.parse(written) as object);

				assert.equal(execution.status, 'error');
				assert.match(JSON.stringify(execution.data.resultData.error), words);
				assert.deepEqual(fixture.calls(), []);
				assert.deepEqual(elsewhere.requests, []);
			});
		}

		for (const status of [302, 307, 308]) {
			it(`does not follow a redirect to another origin (status ${status}), even if told to`, async () => {
				const location = `${elsewhere.url}/api/text2img`;
				fixture.sandbox.arm({ fault: 'redirect', status, location });
				const redirect = { redirect: { followRedirects: true, maxRedirects: 21 } };
				const url = `${fixture.sandbox.url}/api/text2img`;
				await runRequest(`redirect-${status}`, url, { options: { redirect } });

				assert.equal(fixture.calls().length, 1);
				assert.deepEqual(elsewhere.requests, []);
			});
		}
	});
}
