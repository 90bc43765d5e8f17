import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { clients, send, sendJson, type Fields } from './clients';

const open: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()));
});

async function start(options: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	open.push(sandbox);
	return sandbox;
}

async function post({ url }: Sandbox, fields: Fields = {}) {
	return await sendJson(url, 'text2img', { text: 'x', width: '128', height: '128', ...fields });
}

describe('API key', () => {
	it.each(Object.entries(clients))('is required through %s', async (_name, client) => {
		const { url, ledger, requests } = await start({ apiKey: 'right' });
		const answers = [];
		for (const key of [null, 'wrong', 'no-subscription', 'right']) {
			const result = await client({ url, tool: 'text2img', fields: { text: 'x' }, key });
			answers.push([result.status, result.status === 200 ? '' : result.json()]);
		}
		expect(answers).toEqual([
			[401, { status: 'The api-key header is missing.' }],
			[401, { status: 'The api-key is not valid.' }],
			[403, { status: 'API access requires a paid subscription; this key has none.' }],
			[200, ''],
		]);
		expect(ledger).toHaveLength(1);
		expect(requests.map(({ status }) => status)).toEqual([401, 401, 403, 200]);
	});

	it('is checked before the parameters, and the parameters before the funds', async () => {
		const { url } = await start({ allowance: 0, walletCents: 0 });
		const status = async (fields: Fields, key: string) =>
			(await clients.undici({ url, tool: 'text2img', fields, key })).status;
		expect(await status({}, 'wrong')).toBe(401);
		expect(await status({}, 'no-subscription')).toBe(403);
		expect(await status({}, 'test-key')).toBe(400);
		expect(await status({ text: 'x' }, 'test-key')).toBe(402);
	});
});

describe('account', () => {
	it('charges the allowance, then the wallet by version, then refuses with 402', async () => {
		const sandbox = await start({ allowance: 1, walletCents: 20 });
		const versions = [{}, {}, { image_generator_version: 'genius' }, {}];
		const statuses = [];
		for (const fields of versions) statuses.push((await post(sandbox, fields)).status);
		expect(statuses).toEqual([200, 200, 200, 402]);
		expect(sandbox.ledger.map(({ source, cents }) => [source, cents])).toEqual([
			['allowance', 0],
			['wallet', 5],
			['wallet', 12],
		]);
		expect(sandbox.account).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 3 });
		expect((await post(sandbox)).message()).toBe(
			'The monthly allowance is used up and the wallet holds 3 cents; this generation costs 5 cents.',
		);
	});

	it('never overspends when calls arrive at once', async () => {
		const sandbox = await start({ allowance: 3, walletCents: 10 });
		const answers = await Promise.all(Array.from({ length: 12 }, async () => await post(sandbox)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
		expect(answers.filter(({ status }) => status === 402)).toHaveLength(7);
		expect(sandbox.account).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 0 });
		expect(sandbox.outputs.size).toBe(5);
	});

	it('refills the allowance, not the wallet, in a new UTC month', async () => {
		let now = new Date('2026-11-30T23:59:59.900Z');
		const sandbox = await start({ allowance: 1, walletCents: 5, now: () => now });
		await post(sandbox);
		await post(sandbox);
		expect((await post(sandbox)).status).toBe(402);
		now = new Date('2026-12-01T00:00:00.000Z');
		expect(sandbox.account).toMatchObject({ allowanceLeft: 1, walletCentsLeft: 0 });
		expect((await post(sandbox)).status).toBe(200);
		expect(sandbox.ledger.at(-1)).toMatchObject({ source: 'allowance', at: now.toISOString() });
	});

	it('refills nothing when the clock is set back a month', async () => {
		let now = new Date('2026-12-01T00:00:00Z');
		const sandbox = await start({ allowance: 1, walletCents: 0, now: () => now });
		await post(sandbox);
		now = new Date('2026-11-30T23:00:00Z');
		expect([sandbox.account.allowanceLeft, (await post(sandbox)).status]).toEqual([0, 402]);
		now = new Date('2026-12-31T00:00:00Z');
		expect((await post(sandbox)).status).toBe(402);
		now = new Date('2027-01-01T00:00:00Z');
		expect((await post(sandbox)).status).toBe(200);
	});

	it('uses prices set at the start or later', async () => {
		const prices = { hd: 2, 'background-remover': 0 };
		const sandbox = await start({ allowance: 0, walletCents: 10, prices });
		await post(sandbox, { image_generator_version: 'hd' });
		sandbox.account.setPrices({ standard: 3 });
		await post(sandbox);
		expect(sandbox.ledger.map(({ cents }) => cents)).toEqual([2, 3]);
		expect((await post(sandbox, { image_generator_version: 'genius' })).message()).toBe(
			'The monthly allowance is used up and the wallet holds 5 cents; this generation costs 12 cents.',
		);
	});

	it('records job, tool, fields and file of each charge', async () => {
		const sandbox = await start({ now: () => new Date('2026-11-20T12:00:00Z') });
		const result = (await post(sandbox)).json();
		expect(sandbox.ledger).toEqual([
			{
				jobId: result['id'],
				tool: 'text2img',
				source: 'allowance',
				cents: 0,
				fields: { text: 'x', width: '128', height: '128' },
				outputUrl: result['output_url'],
				at: '2026-11-20T12:00:00.000Z',
			},
		]);
	});

	it('is separate for each sandbox in a process', async () => {
		const [one, two] = [await start({ allowance: 5 }), await start({ allowance: 7 })];
		await post(one);
		expect([one.account.allowanceLeft, two.account.allowanceLeft]).toEqual([4, 7]);
		expect([one.ledger.length, two.ledger.length]).toEqual([1, 0]);
		expect(two.requests).toEqual([]);
	});
});

describe('account over HTTP', () => {
	async function change(sandbox: Sandbox, method: string, path: string, body?: unknown) {
		return await send(`${sandbox.url}/sandbox/${path}`, {
			method,
			body: body === undefined ? null : JSON.stringify(body),
		});
	}

	it('can be emptied, topped up, taken to the next month and reset', async () => {
		const now = new Date('2026-12-20T12:00:00Z');
		const sandbox = await start({ allowance: 2, walletCents: 7, now: () => now });
		await post(sandbox);
		await change(sandbox, 'POST', 'account/use-up');
		expect((await post(sandbox)).status).toBe(402);
		const topped = await change(sandbox, 'POST', 'account/top-up', { cents: 5 });
		expect(topped.json()).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 5 });
		expect((await post(sandbox)).status).toBe(200);
		expect((await post(sandbox)).status).toBe(402);
		const next = await change(sandbox, 'POST', 'account/next-month');
		expect(next.json()).toMatchObject({ month: '2027-01', allowanceLeft: 2, walletCentsLeft: 0 });
		expect((await post(sandbox)).status).toBe(200);
		expect(sandbox.ledger.map(({ source }) => source)).toEqual([
			'allowance',
			'wallet',
			'allowance',
		]);
		await change(sandbox, 'PUT', 'account/prices', { hd: 1 });
		const reset = await change(sandbox, 'POST', 'reset');
		expect(reset.json()).toMatchObject({
			month: '2026-12',
			allowanceLeft: 2,
			walletCentsLeft: 7,
			prices: { hd: 8 },
		});
	});

	it('clears files, requests, faults and the rate limit on reset', async () => {
		const sandbox = await start({ allowance: 5 });
		const link = String((await post(sandbox)).json()['output_url']);
		sandbox.arm({ fault: 'status', times: Infinity });
		sandbox.limitRate({ calls: 1, seconds: 3600 });
		await sandbox.reset();
		expect([sandbox.ledger, sandbox.requests, sandbox.outputs.size]).toEqual([[], [], 0]);
		expect((await send(link)).status).toBe(404);
		expect([(await post(sandbox)).status, (await post(sandbox)).status]).toEqual([200, 200]);
		expect(sandbox.account.allowanceLeft).toBe(3);
	});

	it.each([
		['POST', 'account/top-up', {}, 'cents is missing; it must be an integer from 1 to 1000000.'],
		[
			'POST',
			'account/top-up',
			{ cents: -5 },
			'cents is -5; it must be an integer from 1 to 1000000.',
		],
		['POST', 'account/top-up', undefined, 'The body must be an object with cents, not missing.'],
		[
			'PUT',
			'account/prices',
			{ gold: 1 },
			'A list of prices has no field "gold"; ' +
				'its fields are standard, hd, genius, super_genius, background-remover.',
		],
		[
			'PUT',
			'account/prices',
			{ hd: 1.5 },
			'The price of hd is 1.5; it must be an integer from 0 to 1000000.',
		],
	])('refuses %s %s %j and says why', async (method, path, body, message) => {
		const answer = await change(await start({}), method, path, body);
		expect([answer.status, answer.message()]).toEqual([400, message]);
	});
});
