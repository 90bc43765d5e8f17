import type { FaultRule } from '../../../sandbox/faults/rules';
import { useFixture } from '../../support/fixture';
import { testCredential } from '../../support/testCredential';

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

/** What a message can say, by words that it then has. */
const ADVICE = {
	'wrong key': 'does not accept the key',
	'no access': 'requires a paid subscription',
	'no money': 'allowance and wallet are used up',
	'not this API': 'it is not this API',
	later: 'Too many requests at the moment. Test again later.',
	'in trouble': 'having trouble',
	unclear: "It is unclear whether the key was accepted. Check 'API Key'.",
};
type Advice = keyof typeof ADVICE;

/** What a message says. */
function adviceIn(message: string): Advice[] {
	const names = Object.keys(ADVICE) as Advice[];
	return names.filter((name) => message.includes(ADVICE[name]));
}

/** What is said of an answer that is not the service's. */
const page = (came: string) => new RegExp(`^${came}.* proxy.* Check 'Base URL'.* administrator`);
/** The service's own words come first, and do not decide. */
const says = (words: string) => new RegExp(`^The service says: ${words}\\. `);

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
		['a wrong key', { apiKey: 'wrong-key' }, 'wrong key'],
		['a missing subscription', { apiKey: 'no-subscription' }, 'no access'],
	] as const)('reports %s in the service’s words', async (_what, data, advice) => {
		const { status, message } = await test(data);

		expect(status).toBe('Error');
		expect(message).toMatch(/^The service says: \w/);
		expect(adviceIn(message)).toStrictEqual([advice]);
	});

	const redirect: FaultRule = { fault: 'redirect', location: '/v2' };
	const words = (status: number, err: string): FaultRule => response(status, { err });
	const ok = { status: 'ok' };

	it.each<[what: string, fault: FaultRule, advice: Advice[], says?: RegExp]>([
		[
			'a firewall’s page',
			{ fault: 'error-html', status: 403 },
			[],
			page('A web page with status 403'),
		],
		[
			'no words',
			{ fault: 'error-empty', status: 401 },
			[],
			page('An empty response with status 401'),
		],
		['a redirect', redirect, [], /\/v2\. If that address is the service's, set 'Base URL'/],
		['a web page', { fault: 'html-200' }, ['not this API']],
		['a list', { fault: 'array-200' }, ['not this API']],
		['another result', { fault: 'status-in-200', body: ok }, ['not this API']],
		['a rejection in other words', response(400, { message: 'No' }), ['not this API']],
		['a refused method', response(405, { status: 'error' }), ['not this API']],
		['a conflict', words(409, 'conflict'), ['not this API']],
		['status 401', words(401, 'Out of API credits'), ['wrong key'], says('Out of API credits')],
		['status 402', words(402, 'No key was sent'), ['no money'], says('No key was sent')],
		['status 403', words(403, 'Invalid token'), ['no access'], says('Invalid token')],
		['status 404', words(404, 'Unknown key'), ['not this API'], says('Unknown key')],
		['status 429', words(429, 'Out of credits'), ['later'], says('Out of credits')],
		['status 500', words(500, 'Redis key not found'), ['in trouble'], says('Redis key not found')],
		['status 400', words(400, 'Invalid api-key'), ['unclear'], says('Invalid api-key')],
		['status 422', words(422, 'Subscription required'), ['unclear'], says('Subscription required')],
	])('tells by %s, after one request, what is wrong', async (...row) => {
		const [, fault, advice, sentence = /./] = row;
		const { status, message } = await testWith(fault);

		expect(status).toBe('Error');
		expect(message).toMatch(sentence);
		expect(adviceIn(message)).toStrictEqual(advice);
		expect(fixture.calls()).toHaveLength(1);
	});

	it.each([
		[{ baseUrl: '' }, "'Base URL' in the credential is empty."],
		[{ apiKey: ' ' }, "'API Key' in the credential is empty."],
		[{ apiKey: 'two\nlines' }, "'API Key' in the credential is not a key."],
		[{ baseUrl: 'http://127.0.0.1:9' }, 'The service could not be reached (connect ECONNREFUSED'],
	])('reports an unusable credential without sending anything: %j', async (data, sentence) => {
		const { status, message } = await test(data);

		expect(status).toBe('Error');
		expect(message).toContain(sentence);
		expect(fixture.calls()).toStrictEqual([]);
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
