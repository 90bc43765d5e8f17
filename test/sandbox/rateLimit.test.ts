import type { RateLimit } from '../../sandbox';
import { fileOf } from './clients';
import { useSandboxes } from './useSandbox';

const startSandbox = useSandboxes();

/** Starts a sandbox whose clock only `pass` moves. */
async function start(rateLimit?: RateLimit) {
	let time = Date.UTC(2026, 10, 20);
	const now = () => new Date(time);
	const service = await startSandbox({ now, ...(rateLimit && { rateLimit }) });
	const pass = (seconds: number) => {
		time += seconds * 1000;
	};
	return { ...service, pass };
}

it('allows a burst, then one call for each fraction of the period', async () => {
	const { statuses, pass } = await start({ calls: 3, seconds: 60 });
	expect(await statuses(5)).toStrictEqual([200, 200, 200, 429, 429]);
	pass(19.9);
	expect(await statuses(1)).toStrictEqual([429]);
	pass(0.1);
	expect(await statuses(2)).toStrictEqual([200, 429]);
	pass(600);
	expect(await statuses(4)).toStrictEqual([200, 200, 200, 429]);
});

it('does not charge a refused call, and says the limit and how long to wait', async () => {
	const { sandbox, make, statuses, pass } = await start({ calls: 2, seconds: 60 });
	await statuses(2);
	pass(4);
	const refused = await make();
	const message = 'Too many requests: this key may make 2 calls in 60 seconds.';
	expect(refused.outcome()).toStrictEqual([429, message]);
	expect(refused.headers).toMatchObject({ 'retry-after': '26' });
	expect(sandbox.ledger).toHaveLength(2);
	expect(sandbox.account.allowanceLeft).toBe(998);
});

it('counts calls with an invalid parameter, but not with an invalid key', async () => {
	const { form, statuses } = await start({ calls: 2, seconds: 60 });
	for (const key of ['wrong', 'no-subscription', null]) {
		expect([401, 403]).toContain((await form('text2img', { text: 'x' }, {}, key)).status);
	}
	expect((await form('text2img')).status).toBe(400);
	expect(await statuses(2)).toStrictEqual([200, 429]);
});

it('limits calls, not downloads', async () => {
	const { make } = await start({ calls: 1, seconds: 60 });
	const made = await make();
	expect((await fileOf(made)).status).toBe(200);
	expect((await fileOf(made)).status).toBe(200);
});

it('can be set, read and removed in code and over HTTP, also without Retry-After', async () => {
	const { sandbox, control, make, statuses } = await start();
	const limit = { calls: 1, seconds: 60, retryAfter: false };
	expect((await control('GET', 'rate-limit')).json()).toStrictEqual({ limit: null, refused: 0 });
	await control('PUT', 'rate-limit', limit);
	expect(await statuses(1)).toStrictEqual([200]);
	const refused = await make();
	expect([refused.status, refused.headers['retry-after']]).toStrictEqual([429, undefined]);
	expect((await control('GET', 'rate-limit')).json()).toStrictEqual({ limit, refused: 1 });
	expect((await control('DELETE', 'rate-limit')).status).toBe(204);
	expect(await statuses(2)).toStrictEqual([200, 200]);
	sandbox.limitRate({ calls: 1, seconds: 60 });
	expect(await statuses(2)).toStrictEqual([200, 429]);
	sandbox.limitRate(undefined);
	expect(await statuses(1)).toStrictEqual([200]);
});
