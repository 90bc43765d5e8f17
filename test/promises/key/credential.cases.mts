import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startSandbox } from '../../../sandbox/index.js';
import { rowsOf } from '../../support/wholeN8n/execution.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { stock, webhook } from '../../support/wholeN8n/nodes.mjs';

/** The credential in n8n's HTTP Request node. */
export function credentialRequestCase(fixture: Fixture): void {
	it('HTTP Request with the credential sends its key to the service, nothing where others could read the key, and follows no redirect', async (context) => {
		const elsewhere = await startSandbox();
		context.after(() => elsewhere.close());
		const { url } = fixture.sandbox;
		const request = (name: string, base: string, more: Record<string, unknown> = {}) => ({
			...stock(name, 'httpRequest', 4.2, {
				method: 'POST',
				url: `${base}/api/text2img`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'imageGenerationApi',
				sendBody: true,
				contentType: 'multipart-form-data',
				bodyParameters: { parameters: [{ name: 'text', value: name }] },
				options: {},
				...more,
			}),
			credentials: fixture.credentials,
			onError: 'continueRegularOutput' as const,
		});
		const host = [{ name: 'HOST', value: 'elsewhere.example' }];
		const redirect = { redirect: { followRedirects: true, maxRedirects: 21 } };
		const redirects = [302, 307, 308];
		const location = `${elsewhere.url}/api/text2img`;
		for (const status of redirects) {
			fixture.sandbox.arm({ fault: 'redirect', status, location, when: `to ${status}` });
		}
		const execution = await fixture.run([
			webhook('by-hand'),
			request('Service', url),
			request('Origin', elsewhere.url),
			request('Proxy', url, { options: { proxy: elsewhere.url } }),
			request('Certificate', url, { options: { allowUnauthorizedCerts: true } }),
			request('Host', url, { sendHeaders: true, headerParameters: { parameters: host } }),
			...redirects.map((status) => request(`to ${status}`, url, { options: redirect })),
		]);

		const [job] = fixture.charged();
		assert.deepEqual(
			rowsOf(execution, 'Service').map(({ json }) => json),
			[{ id: job?.jobId, output_url: job?.outputUrl }],
		);
		for (const [node, words] of [
			['Origin', /but this credential is only for/],
			['Proxy', /The request goes through a proxy/],
			['Certificate', /does not check the certificate/],
			['Host', /has a header 'Host'/],
		] as const) {
			assert.match(JSON.stringify(rowsOf(execution, node)), words);
		}
		assert.deepEqual(
			fixture.calls().map(({ status, headers }) => [status, headers['api-key']]),
			[200, ...redirects].map((status) => [status, 'test-key']),
		);
		assert.deepEqual(elsewhere.requests, []);
	});
}
