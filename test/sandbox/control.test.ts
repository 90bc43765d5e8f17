import { get } from 'node:http';
import { faults } from '../../sandbox/faults/table';
import { send } from './clients';
import { useSandbox, useSandboxes } from './useSandbox';

const service = useSandbox({ allowance: 3 });
const start = useSandboxes();
const { control, json } = service;

it('says on the page and in the control API that no AI model runs here', async () => {
	for (const path of ['/', '/sandbox']) {
		const { body } = await send(`${service.sandbox.url}${path}`);
		expect(body.toString()).toContain('No AI model runs here');
	}
});

it('GET /sandbox lists every fault with what it does', async () => {
	const about = (await send(`${service.sandbox.url}/sandbox`)).json();
	expect(about['faults']).toHaveLength(Object.keys(faults).length);
	expect(about['faults']).toContainEqual({
		name: 'no-id',
		target: 'tool',
		moment: 'after',
		description: 'charges; the job result has no `id`',
	});
});

it('shows the same ledger and account over HTTP as in the process', async () => {
	await json('text2img', { text: 'x' });
	expect((await control('GET', 'ledger')).json()).toStrictEqual(service.sandbox.ledger);
	expect((await control('GET', 'account')).json()).toStrictEqual({
		month: new Date().toISOString().slice(0, 7),
		allowance: 3,
		allowanceLeft: 2,
		walletCentsLeft: 1000,
		charges: 1,
		prices: { standard: 5, hd: 8, genius: 12, super_genius: 25, 'background-remover': 5 },
	});
});

it('GET /sandbox/state has the latest requests, newest first, with what came of them and shortened texts', async () => {
	await json('text2img', { text: 'x'.repeat(3000) });
	await json('text2img', {});
	service.sandbox.arm({ fault: 'reset-before' });
	await json('text2img', { text: 'x' }).catch(() => undefined);
	const { requests } = (await control('GET', 'state')).json();
	expect(requests).toMatchObject([
		{ number: 3, status: null, fault: 'reset-before', charge: null },
		{ number: 2, status: 400, refusal: 'text is required and was not sent.', charge: null },
		{
			number: 1,
			status: 200,
			fields: [['text', `${'x'.repeat(2000)}…`]],
			charge: { source: 'allowance' },
		},
	]);
});

it('arms faults over HTTP and disarms them', async () => {
	const rule = { fault: 'status', status: 418, times: 9 };
	expect((await control('POST', 'faults', rule)).json()).toMatchObject([rule]);
	expect((await json('text2img', { text: 'x' })).status).toBe(418);
	expect((await control('GET', 'faults')).json()).toMatchObject([{ fault: 'status', times: 8 }]);
	expect((await control('DELETE', 'faults')).json()).toStrictEqual([]);
	expect((await json('text2img', { text: 'x' })).status).toBe(200);
});

it.each([
	['POST', 'faults', 'nonsense', 'JSON'],
	['POST', 'faults', {}, 'fault: Invalid option: expected one of "status"|'],
	['POST', 'faults', { fault: 'html', on: 'text2img' }, 'The fault html applies to a download'],
	['POST', 'faults', { fault: 'status', wen: 'fox' }, 'Unrecognized key: "wen"'],
	['PUT', 'rate-limit', { calls: 0, seconds: 1 }, 'calls: Too small'],
	['POST', 'account/top-up', { cents: -5 }, 'cents: Too small'],
])('refuses %s %s with %j and says why', async (method, path, body, message) => {
	const answer = await control(method, path, body);
	expect(answer.outcome()).toStrictEqual([400, expect.stringContaining(message)]);
});

describe('the header x-sandbox-fault', () => {
	const call = async (fault: string) =>
		await json('text2img', { text: 'x' }, { headers: { 'x-sandbox-fault': fault } });

	it('x-sandbox-fault strikes this one request, before the armed faults', async () => {
		service.sandbox.arm({ fault: 'status', status: 500 });
		expect((await call('rate-limit')).status).toBe(429);
		expect((await call('{"fault":"status","status":418}')).status).toBe(418);
		expect((await json('text2img', { text: 'x' })).status).toBe(500);
		expect((await json('text2img', { text: 'x' })).status).toBe(200);
		expect((await call('5xx-after')).status).toBe(500);
		expect(service.sandbox.ledger).toHaveLength(2);
		await expect(call('refuse')).rejects.toThrow('fetch failed');
	});

	it('x-sandbox-fault strikes a download', async () => {
		const url = (await json('text2img', { text: 'x' })).link();
		const headers = { 'x-sandbox-fault': 'download-404' };
		const statuses = [(await send(url, { headers })).status, (await send(url)).status];
		expect(statuses).toStrictEqual([404, 200]);
	});

	it.each([
		['nope', /^x-sandbox-fault: fault: Invalid option/],
		['truncated', /^x-sandbox-fault: The fault truncated applies to a download/],
		['{"fault":"status","times":2}', /^x-sandbox-fault: Unrecognized key: "times"/],
	])('x-sandbox-fault is refused if it is %s', async (fault, message) => {
		expect((await call(fault)).outcome()).toStrictEqual([400, expect.stringMatching(message)]);
		expect(service.sandbox.ledger).toStrictEqual([]);
	});
});

describe('the Host header', () => {
	/** Asks for a path with this Host header, which fetch does not let one set. */
	async function ask(host: string, url = service.sandbox.url) {
		const { hostname, port } = new URL(url);
		return await new Promise<number | undefined>((resolve, reject) => {
			const request = get({ hostname, port, path: '/sandbox', headers: { host } }, (response) => {
				response.resume();
				resolve(response.statusCode);
			});
			request.once('error', reject);
		});
	}

	it.each(['localhost:8080', 'a.localhost', '192.168.1.7:8080', '[::1]:80'])(
		'the Host header may be %s',
		async (host) => {
			expect(await ask(host)).toBe(200);
		},
	);

	it.each(['evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example'])(
		'the Host header may not be %s, to which a web page could point its domain',
		async (host) => {
			expect(await ask(host)).toBe(421);
		},
	);

	it('the Host header may be a name of allowHosts', async () => {
		const { url } = (await start({ allowHosts: ['host.docker.internal'] })).sandbox;
		expect(await ask('host.docker.internal:8080', url)).toBe(200);
	});
});

it('another web page may not change anything', async () => {
	const { url } = service.sandbox;
	const topUp = async (origin: string) =>
		await send(`${url}/sandbox/account/top-up`, {
			method: 'POST',
			headers: { origin },
			body: '{"cents":5}',
		});
	for (const origin of ['https://evil.example', 'null', 'http://localhost:5678']) {
		expect((await topUp(origin)).status).toBe(403);
	}
	expect((await topUp(url)).status).toBe(200);
	expect(service.sandbox.account.walletCentsLeft).toBe(1005);
});
