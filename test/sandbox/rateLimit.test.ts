import { startSandbox, type RateLimit, type Sandbox } from '../../sandbox';
import { clients, send, sendJson, type Answer } from './clients';

const open: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()));
});

/** Starts a sandbox whose clock only `pass` moves. */
async function start(rateLimit?: RateLimit) {
	let time = Date.UTC(2026, 10, 20);
	const now = () => new Date(time);
	const sandbox = await startSandbox({ now, ...(rateLimit && { rateLimit }) });
	open.push(sandbox);
	return { sandbox, pass: (seconds: number) => (time += seconds * 1000) };
}

const call = async ({ url }: Sandbox): Promise<Answer> =>
	await sendJson(url, 'text2img', { text: 'x', width: '128', height: '128' });

async function statuses(sandbox: Sandbox, count: number): Promise<number[]> {
	const answers: number[] = [];
	for (let index = 0; index < count; index++) answers.push((await call(sandbox)).status);
	return answers;
}

it('allows a burst, then one call for each fraction of the period', async () => {
	const { sandbox, pass } = await start({ calls: 3, seconds: 60 });
	expect(await statuses(sandbox, 5)).toEqual([200, 200, 200, 429, 429]);
	pass(19.9);
	expect(await statuses(sandbox, 1)).toEqual([429]);
	pass(0.1);
	expect(await statuses(sandbox, 2)).toEqual([200, 429]);
	pass(600);
	expect(await statuses(sandbox, 4)).toEqual([200, 200, 200, 429]);
});

it('does not charge a refused call, and says the limit and how long to wait', async () => {
	const { sandbox, pass } = await start({ calls: 2, seconds: 60 });
	await statuses(sandbox, 2);
	pass(4);
	const refused = await call(sandbox);
	expect([refused.status, refused.headers['retry-after'], refused.message()]).toEqual([
		429,
		'26',
		'Too many requests: this key may make 2 calls in 60 seconds.',
	]);
	expect(sandbox.ledger).toHaveLength(2);
	expect(sandbox.account.allowanceLeft).toBe(998);
});

it('leaves out Retry-After if retryAfter is false', async () => {
	const { sandbox } = await start({ calls: 1, seconds: 60, retryAfter: false });
	await call(sandbox);
	const refused = await call(sandbox);
	expect([refused.status, refused.headers['retry-after']]).toEqual([429, undefined]);
});

it('counts calls with an invalid parameter, but not with an invalid key', async () => {
	const { sandbox } = await start({ calls: 2, seconds: 60 });
	const fields = { text: 'x' };
	for (const key of ['wrong', 'no-subscription', null]) {
		const { status } = await clients.undici({ url: sandbox.url, tool: 'text2img', fields, key });
		expect([401, 403]).toContain(status);
	}
	expect((await sendJson(sandbox.url, 'text2img', {})).status).toBe(400);
	expect(await statuses(sandbox, 2)).toEqual([200, 429]);
});

it('limits calls, not downloads', async () => {
	const { sandbox } = await start({ calls: 1, seconds: 60 });
	const link = String((await call(sandbox)).json()['output_url']);
	expect((await send(link)).status).toBe(200);
	expect((await send(link)).status).toBe(200);
});

it('refills nothing when the clock is set back', async () => {
	const { sandbox, pass } = await start({ calls: 1, seconds: 60 });
	await call(sandbox);
	pass(-3600);
	expect(await statuses(sandbox, 1)).toEqual([429]);
	pass(60);
	expect(await statuses(sandbox, 2)).toEqual([200, 429]);
});

it('can be set, read and removed in code and over HTTP', async () => {
	const { sandbox } = await start();
	const url = `${sandbox.url}/sandbox/rate-limit`;
	const body = JSON.stringify({ calls: 1, seconds: 60, retryAfter: false });
	expect((await send(url)).json()).toEqual({ limit: null, refused: 0 });
	await send(url, { method: 'PUT', body });
	expect(await statuses(sandbox, 2)).toEqual([200, 429]);
	const limit = { calls: 1, seconds: 60, retryAfter: false };
	expect((await send(url)).json()).toEqual({ limit, refused: 1 });
	expect((await send(url, { method: 'DELETE' })).status).toBe(204);
	expect(await statuses(sandbox, 2)).toEqual([200, 200]);
	sandbox.limitRate({ calls: 1, seconds: 60 });
	expect(await statuses(sandbox, 2)).toEqual([200, 429]);
	sandbox.limitRate(undefined);
	expect(await statuses(sandbox, 1)).toEqual([200]);
});

it.each([
	[{ calls: 0, seconds: 1 }, /^calls is 0; it must be an integer from 1 to 1000000\.$/],
	[{ calls: '1', seconds: 1 }, /^calls is "1"; it must be an integer from 1 to 1000000\.$/],
	[{ calls: 1 }, /^seconds is missing; it must be a number above 0 and at most 86400\.$/],
	[
		{ calls: 1, seconds: 1, burst: 2 },
		/^A rate limit has no field "burst"; its fields are calls, /,
	],
	[{ calls: 1, seconds: 1, retryAfter: 'no' }, /^retryAfter is "no"; it must be true or false\.$/],
	[[], /^A rate limit must be an object with calls, seconds, retryAfter, not \[\]\.$/],
	[null, /not null\.$/],
])('refuses the rate limit %j and says why', async (limit, message) => {
	const { sandbox } = await start();
	const body = JSON.stringify(limit);
	const answer = await send(`${sandbox.url}/sandbox/rate-limit`, { method: 'PUT', body });
	expect([answer.status, answer.message()]).toEqual([400, expect.stringMatching(message)]);
});
