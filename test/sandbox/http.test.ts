import { send, sendRaw } from './clients';
import { useSandbox, useSandboxes } from './useSandbox';

const service = useSandbox();
const start = useSandboxes();
const TOOL = '/api/text2img';
const host = 'host: localhost\r\n';
const key = 'api-key: test-key\r\nconnection: close\r\n';

/** Generates an image with these headers. */
async function call(headers: string, path = TOOL, url = service.sandbox.url) {
	const body = 'application/x-www-form-urlencoded\r\ncontent-length: 6\r\n\r\ntext=x';
	const head = `POST ${path} HTTP/1.1\r\n${headers}${key}content-type: `;
	return await sendRaw(url, `${head}${body}`);
}

describe('an unusual request', () => {
	const postTo = (path: string) => `POST ${path} HTTP/1.1\r\n`;
	const post = postTo(TOOL);
	const headers = `${host}${key}`;
	it.each([
		['nonsense', 'hello\r\n', 400, /^The request is not valid HTTP: /],
		['an unknown method', `BREW /api/text2img HTTP/1.1\r\n${host}`, 400, /not valid HTTP/],
		['a length that is not a number', `${post}${host}content-length: x\r\n`, 400, /./],
		['headers above 16 KiB', `${post}${host}x: ${'x'.repeat(2e4)}\r\n`, 431, /larger than 16 KiB/],
		['no Host', `${post}connection: close\r\n`, 400, /Host header is missing/],
		['a broken path', `${postTo('/api/%zz')}${headers}`, 400, /"\/api\/%zz" cannot be decoded/],
		['a long path', `${postTo(`/api/${'x'.repeat(8000)}`)}${headers}`, 404, /no tool at /],
	])('gets an err: %s', async (_what, request, status, message) => {
		const answer = await sendRaw(service.sandbox.url, `${request}\r\n`);
		expect(answer.json()).toStrictEqual({ err: expect.stringMatching(message) as unknown });
		expect(answer.status).toBe(status);
		expect(answer.headers['content-type']).toContain('application/json');
	});

	it('gets 405 with Allow for any method but POST', async () => {
		for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
			const request = `${method} /api/text2img HTTP/1.1\r\n${host}${key}\r\n`;
			const answer = await sendRaw(service.sandbox.url, request);
			expect(answer.outcome()).toStrictEqual([405, `${method} is not allowed here; use POST.`]);
			expect(answer.headers).toHaveProperty('allow', 'POST');
		}
	});
});

it.each(['text/xml', '/', 'multipart/mixed; boundary=x'])(
	'checks the Content-Type %s after the path and the key',
	async (type) => {
		const outcome = async (path: string, apiKey?: string) => {
			const headers = { 'content-type': type, ...(apiKey && { 'api-key': apiKey }) };
			const body = '<text>x</text>';
			const url = `${service.sandbox.url}${path}`;
			return (await send(url, { method: 'POST', body, headers })).outcome();
		};
		expect(await outcome('/v1/other')).toStrictEqual([404, 'There is nothing at POST /v1/other.']);
		expect(await outcome('/api/other')).toStrictEqual([
			404,
			'There is no tool at /api/other. Available tools: text2img, background-remover, image-editor.',
		]);
		expect((await outcome('/api/text2img'))[0]).toBe(401);
		expect(await outcome('/api/text2img', 'test-key')).toStrictEqual([
			415,
			`Content-Type is ${JSON.stringify(type.split(';')[0])}; it must be one of ` +
				'multipart/form-data, application/json, application/x-www-form-urlencoded.',
		]);
	},
);

it('accepts the api-key header twice, but not with two values', async () => {
	expect((await call(`${host}api-key: test-key\r\n`)).status).toBe(200);
	const message = 'The api-key header was sent with 2 different values.';
	expect((await call(`${host}api-key: other\r\n`)).outcome()).toStrictEqual([401, message]);
});

describe('the Host header', () => {
	it.each(['localhost:8080', '127.8.9.10', '[::1]:80', 'a.localhost'])(
		'may be %s and becomes the host of output_url',
		async (name) => {
			const answer = await call(`host: ${name}\r\n`);
			expect(answer.link()).toContain(`http://${name}/job-view-file/`);
		},
	);

	const refusal = [421, expect.stringMatching(/^The Host header is ".+--allow-host\.$/)];
	it.each([
		'evil.example:8080',
		'localhost.evil.example',
		'127.0.0.1.evil.example',
		'192.168.1.7',
		'localhost@evil.example',
		'[::2]',
		'a b',
	])('may not be %s', async (name) => {
		const before = service.sandbox.ledger.length;
		expect((await call(`host: ${name}\r\n`)).outcome()).toStrictEqual(refusal);
		const shown = `GET /sandbox/ledger HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`;
		expect((await sendRaw(service.sandbox.url, shown)).outcome()).toStrictEqual(refusal);
		expect(service.sandbox.ledger).toHaveLength(before);
	});

	it.each([
		[{ allowHosts: ['sandbox', 'Images.Example'] }, 'sandbox:8080', 'other.example'],
		[{ allowHosts: ['sandbox', 'Images.Example'] }, 'images.example', 'evil.example'],
		// Any IP address.
		[{ host: '0.0.0.0' }, '192.168.1.7:8080', 'evil.example'],
	])('with %j may be %s, but not %s', async (options, allowed, foreign) => {
		const url = (await start(options)).sandbox.url.replace('0.0.0.0', '127.0.0.1');
		expect((await call(`host: ${allowed}\r\n`, TOOL, url)).status).toBe(200);
		expect((await call(`host: ${foreign}\r\n`, TOOL, url)).status).toBe(421);
	});

	it.each([
		[true, 'https://images.example/job-view-file/'],
		[false, 'http://localhost/job-view-file/'],
	])('gives way to that of a proxy if trustProxy is %s: %s', async (trustProxy, base) => {
		const { sandbox } = await start({ trustProxy });
		const forwarded = 'x-forwarded-proto: https\r\nx-forwarded-host: images.example\r\n';
		expect((await call(`${host}${forwarded}`, TOOL, sandbox.url)).link()).toContain(base);
	});
});

describe('a change from another web page', () => {
	const message: unknown = expect.stringMatching(
		/^Another web page \(.+\) may not control this sandbox/,
	);
	it.each<Record<string, string>>([
		{ origin: 'https://evil.example' },
		{ origin: 'null' },
		{ origin: 'http://localhost:5678' },
		{ 'sec-fetch-site': 'same-site' },
	])('is refused with %j', async (headers) => {
		const { sandbox, make } = await start();
		const changes: [string, string, string?][] = [
			['POST', 'faults', '{"fault":"status"}'],
			['DELETE', 'faults'],
			['POST', 'reset'],
			['POST', 'account/top-up', '{"cents":5}'],
			['PUT', 'rate-limit', '{"calls":1,"seconds":60}'],
		];
		for (const [method, path, body = null] of changes) {
			const answer = await send(`${sandbox.url}/sandbox/${path}`, { method, headers, body });
			expect([path, answer.outcome()]).toStrictEqual([path, [403, message]]);
		}
		expect((await make()).status).toBe(200);
		expect(sandbox.account.walletCentsLeft).toBe(1000);
	});

	it('does not include changes by its own page or a program', async () => {
		const { url } = (await start()).sandbox;
		for (const headers of [{ origin: url, 'sec-fetch-site': 'same-origin' }, {}]) {
			const body = '{"fault":"status"}';
			const answer = await send(`${url}/sandbox/faults`, { method: 'POST', headers, body });
			expect(answer.status).toBe(201);
		}
	});
});

describe('a download', () => {
	const link = async () => (await service.make()).link();

	it('sends the requested Range of a file', async () => {
		const url = await link();
		const { body: whole } = await send(url);
		const part = await send(url, { headers: { range: 'bytes=10-19' } });
		const range = `bytes 10-19/${whole.length}`;
		expect([part.status, part.headers['content-range']]).toStrictEqual([206, range]);
		expect(part.body).toStrictEqual(whole.subarray(10, 20));
		const end = await send(url, { headers: { range: `bytes=${whole.length - 5}-` } });
		expect(end.body).toStrictEqual(whole.subarray(-5));
		const beyond = await send(url, { headers: { range: 'bytes=99999999-' } });
		const message = `Range is "bytes=99999999-"; the file has ${whole.length} bytes.`;
		expect(beyond.outcome()).toStrictEqual([416, message]);
		expect(beyond.headers['content-range']).toBe(`bytes */${whole.length}`);
	});

	it('can be a HEAD, and gets a JSON 404 if the file does not exist', async () => {
		const headed = await send(await link(), { method: 'HEAD' });
		expect([headed.status, headed.body.length]).toStrictEqual([200, 0]);
		const path = '/job-view-file/x/output.jpg';
		const missing = [404, `There is no file at ${path}.`];
		expect((await service.get(path)).outcome()).toStrictEqual(missing);
	});
});
