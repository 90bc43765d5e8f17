import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startSandbox } from '../../../sandbox/index.js';
import { assertSuccess, rowsOf } from '../../support/wholeN8n/execution.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { FourImages } from '../../support/wholeN8n/FourImages.mjs';
import { stock, webhook } from '../../support/wholeN8n/nodes.mjs';

const keysIn = (requests: readonly { headers: Record<string, string> }[]) =>
	requests.map(({ headers }) => headers['api-key']);

/** The credential while somebody edits it. */
export function editedCredentialCase(fixture: Fixture): void {
	it('a credential that is edited in the middle of a batch gives neither service the key of the other, and takes effect with the next run', async (context) => {
		const apiKey = 'key-of-the-other';
		const other = await startSandbox({ apiKey });
		context.after(() => other.close());
		const credential = ['Edited', 'imageGenerationApi'] as const;
		const first = { baseUrl: fixture.sandbox.url, apiKey: 'test-key' };
		const id = await fixture.api.createCredential(...credential, first);
		const credentials = { imageGenerationApi: { id, name: 'Edited' } };
		const flow = await FourImages.publish(fixture, 'edited', { node: { credentials } });
		const [, hare, crow] = flow.prompts;
		const stopped = await flow.runAndDo(async () => {
			await fixture.api.editCredential(id, ...credential, { baseUrl: other.url, apiKey });
			assert.equal(fixture.calls(hare)[0]?.status, null);
		});

		assert.equal(stopped.status, 'error');
		const { message = '' } = stopped.data.resultData.error ?? {};
		const edit = 'The credential was edited while the workflow was running';
		assert.ok(message.startsWith(`Item 3, "${crow}": ${edit}`), message);
		assert.deepEqual(keysIn(fixture.calls()), ['test-key', 'test-key']);
		assert.deepEqual(other.requests, []);

		const next = await flow.run();
		assertSuccess(next);
		assert.equal(rowsOf(next, 'Generate').length, 4);
		assert.equal(fixture.calls().length, 2);
		const calls = other.requests.filter(({ method }) => method === 'POST');
		assert.deepEqual(
			keysIn(calls),
			flow.prompts.map(() => apiKey),
		);
	});
}

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
