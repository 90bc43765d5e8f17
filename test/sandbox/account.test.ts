import { startSandbox } from '../../sandbox';
import { fileOf, type Fields } from './clients';
import { useSandboxes, type Service } from './useSandbox';

const start = useSandboxes();

it('checks the key before the parameters, and the parameters before the funds', async () => {
	const { form } = await start({ allowance: 0, walletCents: 0 });
	const outcomes: Array<[key: string | null, Fields, status: number, message: RegExp]> = [
		[null, {}, 401, /^The api-key header is missing\.$/],
		['wrong', {}, 401, /^The api-key is not valid\.$/],
		['no-subscription', {}, 403, /^API access requires a paid subscription; this key has none\.$/],
		['test-key', {}, 400, /^text is required/],
		['test-key', { text: 'x' }, 402, /^The monthly allowance is used up/],
	];
	for (const [key, fields, status, message] of outcomes) {
		const answer = await form('text2img', fields, {}, key);
		expect(answer.outcome()).toStrictEqual([status, expect.stringMatching(message)]);
	}
});

describe('the account', () => {
	it('pays from the allowance, then from the wallet by version, then refuses with 402', async () => {
		const service = await start({ allowance: 1, walletCents: 20, prices: { hd: 2 } });
		const { ledger, account } = service.sandbox;
		for (const fields of [{}, {}, { image_generator_version: 'genius' }]) {
			expect((await service.make(fields)).status).toBe(200);
		}
		expect(ledger.map(({ source, cents }) => [source, cents])).toStrictEqual([
			['allowance', 0],
			['wallet', 5],
			['wallet', 12],
		]);
		expect((await service.make()).outcome()).toStrictEqual([
			402,
			'The monthly allowance is used up and the wallet holds 3 cents; this generation costs 5 cents.',
		]);
		expect((await service.make({ image_generator_version: 'hd' })).status).toBe(200);
		account.setPrices({ standard: 1 });
		expect((await service.make()).status).toBe(200);
		expect(account).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 0 });
	});

	it('never overspends when calls arrive at once', async () => {
		const service = await start({ allowance: 3, walletCents: 10 });
		const answers = await Promise.all(Array.from({ length: 12 }, async () => await service.make()));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
		expect(answers.filter(({ status }) => status === 402)).toHaveLength(7);
		expect(service.sandbox.account).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 0 });
		expect(service.sandbox.outputs.size).toBe(5);
	});

	it('refills the allowance, not the wallet, in a new UTC month, once even if the clock is set back', async () => {
		let now = new Date('2026-11-30T23:59:59.900Z');
		const service = await start({ allowance: 1, walletCents: 5, now: () => now });
		expect(await service.statuses(3)).toStrictEqual([200, 200, 402]);
		now = new Date('2026-12-01T00:00:00.000Z');
		expect(service.sandbox.account).toMatchObject({ allowanceLeft: 1, walletCentsLeft: 0 });
		expect(await service.statuses(2)).toStrictEqual([200, 402]);
		const last = service.sandbox.ledger.at(-1);
		expect(last).toMatchObject({ source: 'allowance', at: now.toISOString() });
		for (const at of ['2026-11-30T23:00:00Z', '2026-12-31T00:00:00Z']) {
			now = new Date(at);
			expect(await service.statuses(1)).toStrictEqual([402]);
		}
	});

	it('has a ledger with job, tool, fields and file of each charge', async () => {
		const service = await start({ now: () => new Date('2026-11-20T12:00:00Z') });
		const result = await service.make();
		expect(service.sandbox.ledger).toStrictEqual([
			{
				jobId: result.json()['id'],
				tool: 'text2img',
				source: 'allowance',
				cents: 0,
				fields: { text: 'x', width: '128', height: '128' },
				outputUrl: result.link(),
				at: '2026-11-20T12:00:00.000Z',
			},
		]);
	});

	it('can be emptied, topped up, taken to the next month and reset over HTTP', async () => {
		const now = new Date('2026-12-20T12:00:00Z');
		const service = await start({ allowance: 2, walletCents: 7, now: () => now });
		const { control } = service;
		await control('POST', 'account/use-up');
		expect(await service.statuses(1)).toStrictEqual([402]);
		const topped = await control('POST', 'account/top-up', { cents: 5 });
		expect(topped.json()).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 5 });
		expect(await service.statuses(2)).toStrictEqual([200, 402]);
		const next = await control('POST', 'account/next-month');
		expect(next.json()).toMatchObject({ month: '2027-01', allowanceLeft: 2, walletCentsLeft: 0 });
		await control('PUT', 'account/prices', { hd: 1 });
		expect((await control('POST', 'reset')).json()).toMatchObject({
			month: '2026-12',
			allowanceLeft: 2,
			walletCentsLeft: 7,
			prices: { hd: 8 },
		});
	});
});

it('a reset also clears files, requests, faults and the rate limit', async () => {
	const service = await start({ allowance: 5 });
	const { sandbox } = service;
	const made = await service.make();
	sandbox.arm({ fault: 'status', times: Infinity });
	sandbox.limitRate({ calls: 1, seconds: 3600 });
	await sandbox.reset();
	expect([sandbox.ledger, sandbox.requests, sandbox.outputs.size]).toStrictEqual([[], [], 0]);
	expect((await fileOf(made)).status).toBe(404);
	expect(await service.statuses(2)).toStrictEqual([200, 200]);
	expect(sandbox.account.allowanceLeft).toBe(3);
});

describe('each of several keys', () => {
	const keys = { apiKey: ['a', 'b'] };
	const call = async ({ json }: Service, key: string) =>
		await json('text2img', { text: 'x' }, { headers: { 'api-key': key } });

	it('has its own account, ledger, rate limit and requests', async () => {
		const service = await start(keys);
		const { sandbox, control } = service;
		sandbox.forKey('b').account.useUp();
		expect((await call(service, 'a')).status).toBe(200);
		expect((await call(service, 'b')).status).toBe(402);
		await control('POST', 'account/top-up?key=b', { cents: 5 });
		expect((await call(service, 'b')).status).toBe(200);
		expect(sandbox.ledger).toMatchObject([{ source: 'allowance' }]);
		expect((await control('GET', 'ledger?key=b')).json()).toMatchObject([{ cents: 5 }]);
		expect((await control('GET', 'account')).json()).toMatchObject({ walletCentsLeft: 1000 });
		expect((await control('GET', 'requests?key=b')).json()).toHaveLength(2);
		await control('PUT', 'rate-limit?key=b', { calls: 1, seconds: 60 });
		const answers = [];
		for (const key of ['b', 'b', 'a', 'a']) answers.push((await call(service, key)).status);
		expect(answers).toStrictEqual([402, 429, 200, 200]);
	});

	it('has its own faults, also for downloads of its files', async () => {
		const service = await start(keys);
		service.sandbox.forKey('b').arm({ fault: 'status', status: 418 });
		await service.control('POST', 'faults?key=b', { fault: 'download-404' });
		const a = await call(service, 'a');
		expect([a.status, (await call(service, 'b')).status]).toStrictEqual([200, 418]);
		expect((await fileOf(a)).status).toBe(200);
		expect((await fileOf(await call(service, 'b'))).status).toBe(404);
		expect((await service.control('GET', 'faults?key=b')).json()).toStrictEqual([]);
	});

	it('is reset by itself', async () => {
		const service = await start(keys);
		const [a, b] = [await call(service, 'a'), await call(service, 'b')];
		service.sandbox.arm({ fault: 'status' });
		await service.control('POST', 'reset?key=b');
		expect([service.sandbox.ledger, service.sandbox.forKey('b').ledger]).toMatchObject([[{}], []]);
		expect([(await fileOf(a)).status, (await fileOf(b)).status]).toStrictEqual([200, 404]);
		expect((await call(service, 'a')).status).toBe(500);
	});

	it('must be known', async () => {
		const { sandbox, control } = await start(keys);
		const unknown = await control('GET', 'account?key=c');
		expect(unknown.message()).toBe('There is no API key "c".');
		expect(() => sandbox.forKey('c')).toThrow('There is no API key "c"; apiKey does not list it.');
		await expect(startSandbox({ apiKey: ['a', 'a'] })).rejects.toThrow(
			'apiKey has "a" more than once.',
		);
		await expect(startSandbox({ apiKey: [] })).rejects.toThrow('apiKey is an empty list');
	});
});
