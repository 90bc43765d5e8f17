import type { FaultRule } from '../../sandbox/faults/rules';
import { useFixture } from '../support/fixture';
import { testCredential } from '../support/testCredential';

// An address of this machine, but no loopback address.
const OTHER_MACHINE = '0.0.0.0';
const fixture = useFixture({ allowHosts: [OTHER_MACHINE] });

async function test(data: { baseUrl?: string; apiKey?: string } = {}) {
	return await testCredential({ ...fixture.credential, ...data });
}

async function testWith(fault: FaultRule) {
	fixture.sandbox.arm(fault);
	return await test();
}
const response = (status: number, body: object): FaultRule => ({ fault: 'status', status, body });

const REFUSED = "The service does not accept the key. Check 'API Key' in the credential.";
const NO_ACCESS =
	'The key has no API access, which requires a paid subscription. Subscribe, or use another key.';
const NO_MONEY =
	'Your allowance and wallet are used up, or you have no subscription. Check your account.';
const SUBSCRIBE = 'Subscribe, or use another key.';
const CHECK_ACCOUNT = 'Check the allowance and the wallet of your account.';
const NO_TOOL = "The service does not have this tool. Check 'Base URL' in the credential.";
const OTHERWISE = 'If that does not help:';
const UNCLEAR = "It is unclear whether the key was accepted. Check 'API Key'.";

describe('the credential test', () => {
	it('accepts a valid key and generates nothing', async () => {
		expect(await test()).toStrictEqual({
			status: 'OK',
			message: 'The service accepted the key. Nothing was generated.',
		});
		expect(fixture.calls()[0]?.fields).not.toHaveProperty('text');
		expect(fixture.charged()).toBe(0);
	});

	it.each([
		[400, { err: 'Missing required parameter text' }],
		[422, { status: 'The field "text" is required.' }],
		[400, { err: { message: 'No prompt was given' } }],
	])('accepts a key if the service asks only for the text: %d %j', async (status, body) => {
		expect(await testWith(response(status, body))).toMatchObject({ status: 'OK' });
	});

	it.each([
		['a wrong key', { apiKey: 'wrong-key' }, REFUSED],
		['a missing subscription', { apiKey: 'no-subscription' }, SUBSCRIBE],
	])('reports %s in the service’s words', async (_what, data, advice) => {
		const { status, message } = await test(data);

		expect(status).toBe('Error');
		expect(message).toMatch(/^The service says: \w/);
		expect(message.endsWith(` ${advice}`)).toBe(true);
	});

	it('says once that the key has no subscription', async () => {
		const { message } = await test({ apiKey: 'no-subscription' });

		expect(message.match(/subscription/g)).toHaveLength(1);
	});

	it.each<[what: string, fault: FaultRule, came: string]>([
		['a firewall’s page', { fault: 'error-html', status: 403 }, 'A web page with status 403'],
		['a web page for 404', { fault: 'error-html', status: 404 }, 'A web page with status 404'],
		['an outage’s page', { fault: 'error-html', status: 502 }, 'A web page with status 502'],
		['no words', { fault: 'error-empty', status: 401 }, 'An empty response with status 401'],
	])(
		'tells %s from the service, and that nothing is wrong with the key',
		async (_what, fault, came) => {
			const { status, message } = await testWith(fault);

			expect(status).toBe('Error');
			expect(message).toBe(
				`${came} came instead of the service's answer. It comes from a proxy, a firewall or another server. Check 'Base URL' in the credential, or ask your n8n administrator whether the address is blocked.`,
			);
		},
	);

	it.each<[what: string, fault: FaultRule, advice: string]>([
		[
			'a redirect',
			{ fault: 'redirect', location: '/v2' },
			"/v2. If that address is the service's, set 'Base URL'",
		],
		['a web page', { fault: 'html-200' }, 'it is not this API'],
		['a list', { fault: 'array-200' }, 'it is not this API'],
		['another result', { fault: 'status-in-200', body: { status: 'ok' } }, 'it is not this API'],
		['a rejection in other words', response(400, { message: 'No' }), 'it is not this API'],
		['a refused method', response(405, { status: 'error' }), 'it is not this API'],
		['a conflict', response(409, { err: 'conflict' }), 'it is not this API'],
	])('recognizes another web site by %s, after one request', async (_what, fault, advice) => {
		const { status, message } = await testWith(fault);

		expect(status).toBe('Error');
		expect(message).toContain(advice);
		expect(fixture.calls()).toHaveLength(1);
	});

	it.each([429, 500, 503])('reports a service in trouble with status %d', async (status) => {
		const result = await testWith(response(status, { err: 'Busy' }));

		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/^The service says: Busy\. .*Test again later\.$/);
	});

	it.each<[status: number, body: object, said: string, advice: string]>([
		[401, { message: 'No' }, '', REFUSED],
		[402, { message: 'No' }, '', NO_MONEY],
		[403, { message: 'No' }, '', NO_ACCESS],
		[429, { message: 'No' }, '', 'Too many requests at the moment. Test again later.'],
		[400, { err: 'Invalid api-key.' }, 'Invalid api-key.', REFUSED],
		[422, { status: 'Unknown API key' }, 'Unknown API key.', REFUSED],
		[400, { err: { message: 'You are not authorized' } }, 'You are not authorized.', REFUSED],
		[200, { status: 'Invalid api key' }, 'Invalid api key.', REFUSED],
		[400, { err: 'Subscription required.' }, 'Subscription required.', SUBSCRIBE],
		[422, { status: 'Please add a payment method' }, 'Please add a payment method.', CHECK_ACCOUNT],
		[
			401,
			{ status: 'Quota exceeded' },
			'Quota exceeded.',
			`${CHECK_ACCOUNT} ${OTHERWISE} ${REFUSED}`,
		],
		[403, { err: 'Invalid token' }, 'Invalid token.', `${REFUSED} ${OTHERWISE} ${NO_ACCESS}`],
		[404, { err: 'Unknown key' }, 'Unknown key.', `${REFUSED} ${OTHERWISE} ${NO_TOOL}`],
		[
			429,
			{ err: 'Out of credits' },
			'Out of credits.',
			`${CHECK_ACCOUNT} Too many requests at the moment. Test again later.`,
		],
		[400, { err: 'Blocked by our policy' }, 'Blocked by our policy.', UNCLEAR],
		[400, { err: 'Bad request' }, 'Bad request.', UNCLEAR],
		[400, { err: 'Enter the text of your api key' }, 'Enter the text of your api key.', UNCLEAR],
	])(
		'decides by the service’s words, and by the status: %d %j',
		async (status, body, said, advice) => {
			const message = `${said && `The service says: ${said} `}${advice}`;

			expect(await testWith(response(status, body))).toStrictEqual({ status: 'Error', message });
		},
	);

	it.each([
		[{ baseUrl: '' }, "'Base URL' in the credential is empty."],
		[{ apiKey: 'two\nlines' }, "'API Key' in the credential is not a key."],
		[{ baseUrl: 'http://127.0.0.1:9' }, 'The service could not be reached (connect ECONNREFUSED'],
	])('reports an unusable credential without sending anything: %j', async (data, sentence) => {
		const { status, message } = await test(data);

		expect(status).toBe('Error');
		expect(message).toContain(sentence);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('says which path to remove from the address', async () => {
		const { message } = await test({ baseUrl: `${fixture.sandbox.url}/docs/v2` });

		expect(message).toContain('Remove the path /docs/v2 from its end.');
	});

	it('hides the key in its message', async () => {
		const { message } = await testWith(response(401, { err: 'Unknown: test-key' }));

		expect(message).toContain('Unknown: •••');
	});

	it('warns of a key that is sent unencrypted to another machine', async () => {
		const { status, message } = await test({
			baseUrl: fixture.sandbox.url.replace('127.0.0.1', OTHER_MACHINE),
		});

		expect(status).toBe('OK');
		expect(message).toContain('the key is sent unencrypted');
	});
});
