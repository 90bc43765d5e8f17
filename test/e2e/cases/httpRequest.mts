import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSandbox } from '../../../sandbox/index.js';
import { rowsOf } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { stock, webhook } from '../support/nodes.mjs';

/** n8n's HTTP Request node with our credential. */
export function httpRequestCases(fixture: Fixture): void {
	const request = (name: string, url: string, parameters: Record<string, unknown> = {}) => ({
		...stock(name, 'httpRequest', 4.2, {
			method: 'POST',
			url: `${url}/api/text2img`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'imageGenerationApi',
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: { parameters: [{ name: 'text', value: 'a fox' }] },
			options: {},
			...parameters,
		}),
		credentials: fixture.credentials,
		onError: 'continueRegularOutput' as const,
	});

	describe('HTTP Request with the credential', () => {
		it('sends its key in the header', async () => {
			const execution = await fixture.run([
				webhook('by-hand'),
				request('By hand', fixture.sandbox.url),
			]);

			const [call, ...others] = fixture.calls();
			assert.deepEqual(others, []);
			assert.equal(call?.headers['api-key'], 'test-key');
			const [job] = fixture.charged();
			assert.deepEqual(
				rowsOf(execution, 'By hand').map(({ json }) => json),
				[{ id: job?.jobId, output_url: job?.outputUrl }],
			);
		});

		it('sends nothing where others could read the key, and says why', async (context) => {
			const elsewhere = await startSandbox();
			context.after(async () => {
				await elsewhere.close();
			});
			const { url } = fixture.sandbox;
			const host = [{ name: 'HOST', value: 'elsewhere.example' }];
			const execution = await fixture.run([
				webhook('unsafe'),
				request('Origin', elsewhere.url),
				request('Proxy', url, { options: { proxy: elsewhere.url } }),
				request('Certificate', url, { options: { allowUnauthorizedCerts: true } }),
				request('Host', url, { sendHeaders: true, headerParameters: { parameters: host } }),
			]);

			for (const [node, words] of [
				['Origin', /but this credential is only for/],
				['Proxy', /The request goes through a proxy/],
				['Certificate', /does not check the certificate/],
				['Host', /has a header 'Host'/],
			] as const) {
				assert.match(JSON.stringify(rowsOf(execution, node)), words);
			}
			assert.deepEqual(fixture.calls(), []);
			assert.deepEqual(elsewhere.requests, []);
		});

		it('does not follow a redirect to another origin, even if told to', async (context) => {
			const elsewhere = await startSandbox();
			context.after(async () => {
				await elsewhere.close();
			});
			const location = `${elsewhere.url}/api/text2img`;
			for (const status of [302, 307, 308]) {
				fixture.sandbox.arm({ fault: 'redirect', status, location });
			}
			const redirect = { redirect: { followRedirects: true, maxRedirects: 21 } };
			const told = { options: { redirect } };
			await fixture.run([
				webhook('redirected'),
				...['302', '307', '308'].map((name) => request(name, fixture.sandbox.url, told)),
			]);

			assert.deepEqual(
				fixture.calls().map(({ status }) => status),
				[302, 307, 308],
			);
			assert.deepEqual(elsewhere.requests, []);
		});
	});
}
