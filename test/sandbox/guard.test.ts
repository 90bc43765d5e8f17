import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { send, sendJson } from './clients';
import { rawHttp } from './rawHttp';

const open: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()));
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	open.push(sandbox);
	return sandbox;
}

/** Makes a call with a Host header. */
async function callWithHost({ url }: Sandbox, host: string, headers = '', body = 'text=x') {
	return await rawHttp(
		url,
		`POST /api/text2img HTTP/1.1\r\nhost: ${host}\r\napi-key: test-key\r\nconnection: close\r\n` +
			`${headers}content-type: application/x-www-form-urlencoded\r\n` +
			`content-length: ${body.length}\r\n\r\n${body}`,
	);
}

describe('the Host header', () => {
	it.each(['localhost', 'localhost:8080', '127.0.0.1:1', '127.8.9.10', '[::1]:80', 'a.localhost'])(
		'may be %s and becomes the host of output_url',
		async (host) => {
			const answer = await callWithHost(await start(), host);
			expect(answer).toMatchObject({
				status: 200,
				body: { output_url: expect.stringContaining(`http://${host}/job-view-file/`) as unknown },
			});
		},
	);

	it.each([
		'evil.example',
		'evil.example:8080',
		'localhost.evil.example',
		'127.0.0.1.evil.example',
		'192.168.1.7',
		'localhost@evil.example',
		'localhost/x',
		'[::2]',
		'a b',
	])('may not be %s', async (host) => {
		const sandbox = await start();
		const answer = await callWithHost(sandbox, host);
		expect(answer).toMatchObject({
			status: 421,
			body: { err: expect.stringMatching(/^The Host header is ".+--allow-host\.$/) as unknown },
		});
		expect(sandbox.ledger).toEqual([]);
		expect((await rawHttp(sandbox.url, pageRequest(host))).status).toBe(421);
	});

	it('may be a name from allowHosts', async () => {
		const sandbox = await start({ allowHosts: ['sandbox', 'Images.Example'] });
		expect((await callWithHost(sandbox, 'sandbox:8080')).status).toBe(200);
		expect((await callWithHost(sandbox, 'images.example')).status).toBe(200);
		expect((await callWithHost(sandbox, 'other.example')).status).toBe(421);
	});

	it('may be any IP address, but no foreign name, if the sandbox listens on all interfaces', async () => {
		const sandbox = await start({ host: '0.0.0.0' });
		const reached = { ...sandbox, url: sandbox.url.replace('0.0.0.0', '127.0.0.1') };
		expect((await callWithHost(reached, '192.168.1.7:8080')).status).toBe(200);
		expect((await callWithHost(reached, 'evil.example')).status).toBe(421);
	});
});

const pageRequest = (host: string) =>
	`GET /sandbox/ledger HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

describe('a proxy', () => {
	const forwarded = 'x-forwarded-proto: https\r\nx-forwarded-host: images.example\r\n';

	it('sets host and scheme of output_url if it is trusted', async () => {
		const sandbox = await start({ trustProxy: true });
		const { body } = await callWithHost(sandbox, 'localhost', forwarded);
		expect(body).toMatchObject({
			output_url: expect.stringMatching(/^https:\/\/images\.example\/job-view-file\//) as unknown,
		});
	});

	it('is ignored by default', async () => {
		const { body } = await callWithHost(await start(), 'localhost', forwarded);
		expect(body).toMatchObject({
			output_url: expect.stringMatching(/^http:\/\/localhost\/job-view-file\//) as unknown,
		});
	});
});

describe('a change from another web page', () => {
	it.each([
		[{ origin: 'https://evil.example' }],
		[{ origin: 'null' }],
		[{ origin: 'http://localhost:5678' }],
		[{ 'sec-fetch-site': 'cross-site' }],
		[{ 'sec-fetch-site': 'same-site' }],
	])('is refused with %j', async (headers) => {
		const sandbox = await start();
		const changes: [string, string, string?][] = [
			['POST', 'faults', '{"fault":"status"}'],
			['DELETE', 'faults'],
			['POST', 'reset'],
			['POST', 'account/top-up', '{"cents":5}'],
			['PUT', 'rate-limit', '{"calls":1,"seconds":60}'],
		];
		for (const [method, path, body] of changes) {
			const answer = await send(`${sandbox.url}/sandbox/${path}`, {
				method,
				headers,
				body: body ?? null,
			});
			expect([path, answer.status, answer.message()]).toEqual([
				path,
				403,
				expect.stringMatching(/^Another web page \(.+\) may not control this sandbox/),
			]);
		}
		expect((await sendJson(sandbox.url, 'text2img', { text: 'x' })).status).toBe(200);
		expect(sandbox.account.walletCentsLeft).toBe(1000);
	});

	it('does not include changes by its own page or a program', async () => {
		const { url } = await start();
		const own = { origin: url, 'sec-fetch-site': 'same-origin' };
		for (const headers of [own, {}]) {
			const body = '{"fault":"status"}';
			const answer = await send(`${url}/sandbox/faults`, { method: 'POST', headers, body });
			expect(answer.status).toBe(201);
		}
	});
});

describe('startSandbox', () => {
	it.each<[SandboxOptions, string]>([
		[
			{ apiKey: 'same', unsubscribedKey: 'same' },
			'apiKey and unsubscribedKey are both "same"; they must differ.',
		],
		[{ allowance: -1 }, 'allowance is -1; it must be an integer of at least 0.'],
		[{ walletCents: 1.5 }, 'walletCents is 1.5; it must be an integer of at least 0.'],
		[{ delayMs: NaN }, 'delayMs is NaN; it must be an integer of at least 0.'],
		[{ keepRequests: 0 }, 'keepRequests is 0; it must be an integer of at least 1.'],
		[{ maxImageBytes: 0 }, 'maxImageBytes is 0; it must be an integer of at least 1.'],
		[
			{ rateLimit: { calls: 0, seconds: 1 } },
			'calls is 0; it must be an integer from 1 to 1000000.',
		],
		[{ prices: { hd: -1 } }, 'The price of hd is -1; it must be an integer from 0 to 1000000.'],
	])('refuses %j', async (options, message) => {
		await expect(startSandbox(options)).rejects.toThrow(message);
	});
});
