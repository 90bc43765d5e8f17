import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { startSandbox, type RateLimit } from '../../sandbox';
import { until } from '../support/until';
import { failure, fileOf, sendJson, useSandboxes } from './useSandbox';

const start = useSandboxes();

it('the account pays from the allowance, then from the wallet by version, then refuses with 402', async () => {
	const now = new Date('2026-11-20T12:00:00Z');
	const { make, sandbox } = await start({ allowance: 1, walletCents: 20, now: () => now });
	const result = await make();
	for (const fields of [{}, { image_generator_version: 'genius' }]) {
		expect((await make(fields)).status).toBe(200);
	}
	expect(sandbox.ledger).toMatchObject([
		{
			jobId: result.json()['id'],
			tool: 'text2img',
			source: 'allowance',
			cents: 0,
			fields: { text: 'x', width: '128', height: '128' },
			outputUrl: result.link(),
			at: '2026-11-20T12:00:00.000Z',
		},
		{ source: 'wallet', cents: 5 },
		{ source: 'wallet', cents: 12 },
	]);
	expect((await make()).outcome()).toStrictEqual([
		402,
		'The monthly allowance is used up and the wallet holds 3 cents; this generation costs 5 cents.',
	]);
});

it('the account never overspends when calls arrive at once', async () => {
	const { make, sandbox } = await start({ allowance: 3, walletCents: 10 });
	const answers = await Promise.all(Array.from({ length: 12 }, async () => await make()));
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
	expect(sandbox.account).toMatchObject({ allowanceLeft: 0, walletCentsLeft: 0 });
});

it('the account refills the allowance, not the wallet, in a new UTC month', async () => {
	let now = new Date('2026-11-30T23:59:59.900Z');
	const { statuses } = await start({ allowance: 1, walletCents: 5, now: () => now });
	expect(await statuses(3)).toStrictEqual([200, 200, 402]);
	now = new Date('2026-12-01T00:00:00.000Z');
	expect(await statuses(2)).toStrictEqual([200, 402]);
});

it('the ledger and the account are the same over HTTP as in the process', async () => {
	const { control, make, sandbox } = await start({ allowance: 3 });
	await make();
	expect((await control('GET', 'ledger')).json()).toStrictEqual(sandbox.ledger);
	expect((await control('GET', 'account')).json()).toStrictEqual({
		month: new Date().toISOString().slice(0, 7),
		allowance: 3,
		allowanceLeft: 2,
		walletCentsLeft: 1000,
		charges: 1,
		prices: { standard: 5, hd: 8, genius: 12, super_genius: 25, 'background-remover': 5 },
	});
});

it('a reset also clears files, requests, faults and the rate limit', async () => {
	const { make, sandbox, statuses } = await start();
	const made = await make();
	sandbox.arm({ fault: 'status', times: Infinity });
	sandbox.limitRate({ calls: 1, seconds: 3600 });
	await sandbox.reset();
	expect([sandbox.ledger, sandbox.requests]).toStrictEqual([[], []]);
	expect((await fileOf(made)).status).toBe(404);
	expect(await statuses(2)).toStrictEqual([200, 200]);
});

describe('the rate limit', () => {
	/** Starts a sandbox whose clock only `pass` moves. */
	async function startLimited(rateLimit?: RateLimit) {
		let time = Date.UTC(2026, 10, 20);
		const service = await start({ now: () => new Date(time), rateLimit });
		const pass = (seconds: number) => {
			time += seconds * 1000;
		};
		return { ...service, sandbox: service.sandbox, pass };
	}

	it('allows a burst, then one call for each fraction of the period, and says how long to wait', async () => {
		const { make, pass, sandbox, statuses } = await startLimited({ calls: 3, seconds: 60 });
		expect(await statuses(5)).toStrictEqual([200, 200, 200, 429, 429]);
		pass(4);
		const refused = await make();
		const message = 'Too many requests: this account may make 3 calls in 60 seconds.';
		expect(refused.outcome()).toStrictEqual([429, message]);
		expect(refused.headers).toMatchObject({ 'retry-after': '16' });
		pass(16);
		expect(await statuses(2)).toStrictEqual([200, 429]);
		pass(600);
		expect(await statuses(4)).toStrictEqual([200, 200, 200, 429]);
		expect(sandbox.ledger).toHaveLength(7);
		sandbox.limitRate({ calls: 1, seconds: 60, retryAfter: false });
		expect(await statuses(1)).toStrictEqual([200]);
		expect((await make()).headers).not.toHaveProperty('retry-after');
	});

	it('counts calls with an invalid parameter, but neither an invalid key nor a download', async () => {
		const { form, make, statuses } = await startLimited({ calls: 2, seconds: 60 });
		expect((await make({}, { headers: { 'api-key': 'wrong' } })).status).toBe(401);
		expect((await form('text2img')).status).toBe(400);
		const made = await make();
		for (let time = 0; time < 2; time++) expect((await fileOf(made)).status).toBe(200);
		expect(await statuses(1)).toStrictEqual([429]);
	});
});

it('an upload that is cut off is recorded with what arrived, without a status or a charge', async () => {
	const { sandbox } = await start();
	const headers = {
		'content-type': 'multipart/form-data; boundary=b',
		'content-length': 10_000_000,
		'api-key': 'test-key',
	};
	const upload = request(`${sandbox.url}/api/background-remover`, { method: 'POST', headers });
	upload.on('error', () => undefined);
	const part = 'content-disposition: form-data; name="image"; filename="a.png"';
	upload.write(`--b\r\n${part}\r\ncontent-type: image/png\r\n\r\nx`);
	upload.write(Buffer.alloc(500_000));
	await until(() => (sandbox.requests[0]?.bytesReceived ?? 0) > 400_000);
	expect(sandbox.requests[0]).toMatchObject({ status: null, isOver: false });
	upload.destroy();
	await until(() => sandbox.requests[0]?.isOver === true);
	expect([sandbox.requests[0]?.status, sandbox.ledger]).toStrictEqual([null, []]);
});

it('a client that leaves after the charge has paid', async () => {
	const { make, sandbox } = await start({ delayMs: 60_000 });
	const client = new AbortController();
	const failed = failure(make({}, { signal: client.signal }));
	await until(() => sandbox.ledger.length === 1);
	client.abort();
	expect(await failed).toBe('AbortError');
	expect(sandbox.requests[0]?.status).toBeNull();
});

it('close cuts connections, frees the port and removes the files; it can be called again', async () => {
	const foldersNow = () =>
		readdirSync(tmpdir()).filter((name) => name.startsWith('image-sandbox-'));
	const before = foldersNow();
	const sandbox = await startSandbox({ delayMs: 60_000 });
	const [folder = ''] = foldersNow().filter((name) => !before.includes(name));
	const delayed = failure(sendJson(sandbox.url, 'text2img', { text: 'x' }));
	await until(() => sandbox.ledger.length === 1);
	await Promise.all([sandbox.close(), sandbox.close()]);
	expect(await delayed).toMatch(/^(SOCKET|ECONNRESET|UND_ERR_SOCKET)$/);
	expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
	const port = Number(new URL(sandbox.url).port);
	expect((await start({ port })).sandbox.url).toBe(sandbox.url);
});
