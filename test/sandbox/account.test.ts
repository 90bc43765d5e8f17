import type { RateLimit } from '../../sandbox';
import { fileOf } from './clients';
import { useSandboxes } from './useSandbox';

const start = useSandboxes();

it('the account pays from the allowance, then from the wallet by version, then refuses with 402', async () => {
	const service = await start({ allowance: 1, walletCents: 20 });
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
	expect(account).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 3 });
});

it('the account never overspends when calls arrive at once', async () => {
	const service = await start({ allowance: 3, walletCents: 10 });
	const answers = await Promise.all(Array.from({ length: 12 }, async () => await service.make()));
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
	expect(answers.filter(({ status }) => status === 402)).toHaveLength(7);
	expect(service.sandbox.account).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 0 });
});

it('the account refills the allowance, not the wallet, in a new UTC month, once even if the clock is set back', async () => {
	let now = new Date('2026-11-30T23:59:59.900Z');
	const service = await start({ allowance: 1, walletCents: 5, now: () => now });
	expect(await service.statuses(3)).toStrictEqual([200, 200, 402]);
	now = new Date('2026-12-01T00:00:00.000Z');
	expect(await service.statuses(2)).toStrictEqual([200, 402]);
	for (const at of ['2026-11-30T23:00:00Z', '2026-12-31T00:00:00Z']) {
		now = new Date(at);
		expect(await service.statuses(1)).toStrictEqual([402]);
	}
});

it('the account has a ledger with job, tool, fields and file of each charge', async () => {
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

it('the account can be emptied, topped up, taken to the next month and reset over HTTP', async () => {
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
	expect((await control('POST', 'reset')).json()).toMatchObject({
		month: '2026-12',
		allowanceLeft: 2,
		walletCentsLeft: 7,
	});
});

it('the account may have several keys', async () => {
	const { sandbox, make } = await start({ apiKey: ['one', 'two'] });
	for (const key of ['one', 'two']) {
		expect((await make({}, { headers: { 'api-key': key } })).status).toBe(200);
	}
	expect((await make()).status).toBe(401);
	expect(sandbox.ledger).toHaveLength(2);
});

it('a reset also clears files, requests, faults and the rate limit', async () => {
	const service = await start({ allowance: 5 });
	const { sandbox } = service;
	const made = await service.make();
	sandbox.arm({ fault: 'status', times: Infinity });
	sandbox.limitRate({ calls: 1, seconds: 3600 });
	await sandbox.reset();
	expect([sandbox.ledger, sandbox.requests]).toStrictEqual([[], []]);
	expect((await fileOf(made)).status).toBe(404);
	expect(await service.statuses(2)).toStrictEqual([200, 200]);
	expect(sandbox.account.allowanceLeft).toBe(3);
});

/** Starts a sandbox whose clock only `pass` moves. */
async function startLimited(rateLimit?: RateLimit) {
	let time = Date.UTC(2026, 10, 20);
	const service = await start({ now: () => new Date(time), rateLimit });
	const pass = (seconds: number) => {
		time += seconds * 1000;
	};
	return { ...service, sandbox: service.sandbox, pass };
}

it('the rate limit allows a burst, then one call for each fraction of the period', async () => {
	const { statuses, pass } = await startLimited({ calls: 3, seconds: 60 });
	expect(await statuses(5)).toStrictEqual([200, 200, 200, 429, 429]);
	pass(19.9);
	expect(await statuses(1)).toStrictEqual([429]);
	pass(0.1);
	expect(await statuses(2)).toStrictEqual([200, 429]);
	pass(600);
	expect(await statuses(4)).toStrictEqual([200, 200, 200, 429]);
});

it('the rate limit refuses a call without a charge, and says the limit and how long to wait', async () => {
	const { sandbox, make, statuses, pass } = await startLimited({ calls: 2, seconds: 60 });
	await statuses(2);
	pass(4);
	const refused = await make();
	const message = 'Too many requests: this account may make 2 calls in 60 seconds.';
	expect(refused.outcome()).toStrictEqual([429, message]);
	expect(refused.headers).toMatchObject({ 'retry-after': '26' });
	expect(sandbox.ledger).toHaveLength(2);
});

it('the rate limit counts calls with an invalid parameter, but neither an invalid key nor a download', async () => {
	const { form, make, statuses } = await startLimited({ calls: 2, seconds: 60 });
	expect((await form('text2img', { text: 'x' }, {}, 'wrong')).status).toBe(401);
	expect((await form('text2img')).status).toBe(400);
	const made = await make();
	for (let time = 0; time < 2; time++) expect((await fileOf(made)).status).toBe(200);
	expect(await statuses(1)).toStrictEqual([429]);
});

it('the rate limit can be set, read and removed over HTTP, also without Retry-After', async () => {
	const { control, make, statuses } = await startLimited();
	const limit = { calls: 1, seconds: 60, retryAfter: false };
	expect((await control('GET', 'rate-limit')).json()).toStrictEqual({ limit: null, refused: 0 });
	await control('PUT', 'rate-limit', limit);
	expect(await statuses(1)).toStrictEqual([200]);
	const refused = await make();
	expect([refused.status, refused.headers['retry-after']]).toStrictEqual([429, undefined]);
	expect((await control('GET', 'rate-limit')).json()).toStrictEqual({ limit, refused: 1 });
	await control('DELETE', 'rate-limit');
	expect(await statuses(2)).toStrictEqual([200, 200]);
});
