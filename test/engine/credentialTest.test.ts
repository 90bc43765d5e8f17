import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, INodeType } from 'n8n-workflow';

import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';
import type { FaultRule } from '../../sandbox/faults/rules';
import { useFixture } from '../support/fixture';
import { text } from '../support/text';

const fixture = useFixture();

/** Runs the test as n8n's credential dialog does, with n8n's own request helper. */
async function test(data: { baseUrl?: string; apiKey?: string } = {}) {
	const node: INodeType = new ImageGeneration();
	const [{ testedBy } = { testedBy: undefined }] = node.description.credentials ?? [];
	const runTest = node.methods?.credentialTest?.[text(testedBy)];
	if (runTest === undefined) throw new Error('The credential is tested by nothing');
	const context: ICredentialTestFunctions = new CredentialTestContext();
	return await runTest.call(context, {
		id: '1',
		name: 'Sandbox',
		type: 'imageGenerationApi',
		data: { ...fixture.credential, ...data },
	});
}

async function testWith(fault: FaultRule) {
	fixture.sandbox.arm(fault);
	return await test();
}

describe('the credential test', () => {
	it('accepts a valid key and generates nothing', async () => {
		expect(await test()).toEqual({
			status: 'OK',
			message: 'The service accepted the key. Nothing was generated.',
		});
		expect(fixture.calls()[0]?.fields).not.toHaveProperty('text');
		expect(fixture.charged()).toBe(0);
	});

	it('reports a wrong key in the service’s words', async () => {
		const { status, message } = await test({ apiKey: 'wrong-key' });

		expect(status).toBe('Error');
		expect(message).toMatch(/^The service says: .+ The key was not accepted\. Check 'API Key'\.$/);
	});

	it.each([
		[401, "The key was not accepted. Check 'API Key'."],
		[402, 'The key has no API access, which requires a paid subscription.'],
		[403, 'The key has no API access, which requires a paid subscription.'],
		[429, 'Too many requests at the moment. Test again later.'],
	])('explains status %d if the service gives no message', async (status, message) => {
		const result = await testWith({ fault: 'status', status, body: { message: 'No' } });

		expect(result).toEqual({ status: 'Error', message });
	});

	it('reports a missing subscription in the service’s words', async () => {
		const { status, message } = await test({ apiKey: 'no-subscription' });

		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The service says: .*subscription.* no API access, which requires a paid/,
		);
	});

	it('reports an address with nothing behind it', async () => {
		const { status, message } = await test({ baseUrl: 'http://127.0.0.1:9' });

		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The service could not be reached \(.*ECONNREFUSED.*\)\. Nothing was charged\./,
		);
	});

	it.each<FaultRule>([
		{ fault: 'html-200' },
		{ fault: 'error-html', status: 404 },
		{ fault: 'array-200' },
		{ fault: 'status-in-200', body: { status: 'ok' } },
		{ fault: 'status', status: 400, body: { message: 'No' } },
		{ fault: 'status', status: 405, body: { status: 'error' } },
		{ fault: 'status', status: 409, body: { err: 'conflict' } },
	])('recognizes another web site: %j', async (fault) => {
		const { status, message } = await testWith(fault);

		expect(status).toBe('Error');
		expect(message).toContain('it is not this API');
	});

	it('reports a redirect and does not follow it with the key', async () => {
		const { status, message } = await testWith({
			fault: 'redirect',
			location: `${fixture.sandbox.url}/api/text2img`,
		});

		expect(status).toBe('Error');
		expect(message).toContain('redirects to another address');
		expect(fixture.calls()).toHaveLength(1);
	});

	it.each([429, 500, 503])('reports a service in trouble with status %d', async (status) => {
		const result = await testWith({ fault: 'status', status, body: { err: 'Busy' } });

		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/^The service says: Busy\. .*Test again later\.$/);
	});

	it.each([
		[{ baseUrl: '' }, "'Base URL' in the credential is empty."],
		[{ baseUrl: 'example.com' }, `'Base URL' in the credential is "example.com".`],
		[{ apiKey: 'two\nlines' }, "'API Key' in the credential contains a line break."],
	])('reports an unusable credential without sending anything: %j', async (data, sentence) => {
		const { status, message } = await test(data);

		expect(status).toBe('Error');
		expect(message).toContain(sentence);
		expect(fixture.calls()).toEqual([]);
	});

	it.each([
		[400, { err: 'Invalid api-key.' }, "The key was not accepted. Check 'API Key'."],
		[422, { status: 'Unknown API key' }, "The key was not accepted. Check 'API Key'."],
		[
			400,
			{ err: { message: 'You are not authorized' } },
			"The key was not accepted. Check 'API Key'.",
		],
		[200, { status: 'Invalid api key' }, "The key was not accepted. Check 'API Key'."],
		[
			400,
			{ err: 'Subscription required.' },
			'The key has no API access, which requires a paid subscription.',
		],
		[
			422,
			{ status: 'Please add a payment method' },
			'The key has no API access, which requires a paid subscription.',
		],
	])('decides by the service’s words about the key: %d %j', async (status, body, advice) => {
		const { status: result, message } = await testWith({ fault: 'status', status, body });

		expect(result).toBe('Error');
		expect(message).toMatch(/^The service says: /);
		expect(message).toContain(advice);
	});

	it.each([
		[400, { err: 'Missing required parameter text' }],
		[422, { status: 'The field "text" is required.' }],
		[400, { err: { message: 'No prompt was given' } }],
	])('accepts a key if the service asks only for the text: %d %j', async (status, body) => {
		expect(await testWith({ fault: 'status', status, body })).toMatchObject({ status: 'OK' });
	});

	it.each(['Bad request', 'Enter the text of your api key'])(
		'quotes the service if its words leave the key open: %s',
		async (err) => {
			const { status, message } = await testWith({ fault: 'status', status: 400, body: { err } });

			expect(status).toBe('Error');
			expect(message).toBe(
				`The service says: ${err}. It is unclear whether the key was accepted. Check 'API Key'.`,
			);
		},
	);

	it('says which path to remove from the address', async () => {
		const { message } = await test({ baseUrl: `${fixture.sandbox.url}/docs/v2` });

		expect(message).toContain('Remove the path /docs/v2 from its end.');
	});

	it('hides the key in its message', async () => {
		const { message } = await testWith({
			fault: 'status',
			status: 401,
			body: { err: 'Unknown: test-key' },
		});

		expect(message).toContain('Unknown: •••');
	});
});

describe('the key over plain http', () => {
	let server: Server;
	beforeAll(async () => {
		server = createServer((_request, response) => {
			response.writeHead(400, { 'content-type': 'application/json' }).end('{"err":"No text"}');
		});
		await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
	});
	afterAll(async () => {
		await new Promise((resolve) => server.close(resolve));
	});

	it('is reported if it goes to another machine', async () => {
		const { port } = server.address() as AddressInfo;
		const { status, message } = await test({ baseUrl: `http://0.0.0.0:${port}` });

		expect(status).toBe('OK');
		expect(message).toContain('the key is sent unencrypted');
	});
});
