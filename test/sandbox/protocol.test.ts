import { METHODS } from 'node:http';
import { startSandbox, type Sandbox } from '../../sandbox';
import { clients, send, sendJson } from './clients';
import { disc } from './pictures';
import { rawHttp } from './rawHttp';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

const key = 'api-key: test-key\r\nconnection: close\r\n';

describe('an unusual request', () => {
	const host = 'host: localhost\r\n';
	it.each([
		['nonsense', 'hello\r\n\r\n', 400, /^The request is not valid HTTP: /],
		['an unknown method', `BREW /api/text2img HTTP/1.1\r\n${host}\r\n`, 400, /not valid HTTP/],
		[
			'a length that is not a number',
			`POST / HTTP/1.1\r\n${host}content-length: x\r\n\r\n`,
			400,
			/./,
		],
		[
			'headers above 16 KiB',
			`GET / HTTP/1.1\r\n${host}x: ${'x'.repeat(20_000)}\r\n\r\n`,
			431,
			/^The headers are larger than 16 KiB\.$/,
		],
		[
			'no Host',
			'POST /api/text2img HTTP/1.1\r\nconnection: close\r\n\r\n',
			400,
			/Host header is missing/,
		],
		[
			'CONNECT',
			`CONNECT example.org:443 HTTP/1.1\r\n${host}\r\n`,
			405,
			/^CONNECT is not allowed here; use POST\.$/,
		],
		[
			'a foreign Expect',
			`POST /api/text2img HTTP/1.1\r\n${host}${key}expect: tea\r\n\r\n`,
			417,
			/^Expect is "tea"; it must be 100-continue\.$/,
		],
		[
			'a broken path',
			`POST /api/%zz HTTP/1.1\r\n${host}${key}\r\n`,
			400,
			/^The path "\/api\/%zz" cannot be decoded\.$/,
		],
		[
			'a path of 8,000 characters',
			`POST /api/${'x'.repeat(8000)} HTTP/1.1\r\n${host}${key}\r\n`,
			404,
			/^There is no tool at /,
		],
	])('gets an err: %s', async (_what, request, status, message) => {
		const answer = await rawHttp(sandbox.url, request);
		expect(answer).toMatchObject({
			status,
			body: { err: expect.stringMatching(message) as unknown },
		});
		expect(answer.head).toContain('content-type: application/json');
	});

	it('gets 405 with Allow for every method but POST', async () => {
		for (const method of METHODS.filter((name) => !['POST', 'HEAD', 'CONNECT'].includes(name))) {
			const answer = await rawHttp(
				sandbox.url,
				`${method} /api/text2img HTTP/1.1\r\n${host}${key}\r\n`,
			);
			const err = `${method} is not allowed here; use POST.`;
			expect(answer).toMatchObject({ status: 405, body: { err } });
			expect(answer.head).toContain('allow: post');
		}
	});

	it('can be HTTP/1.0 without a Host header', async () => {
		const body = 'text=a+fox';
		const answer = await rawHttp(
			sandbox.url,
			'POST /api/text2img HTTP/1.0\r\napi-key: test-key\r\n' +
				`content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
		);
		expect(answer).toMatchObject({
			status: 200,
			body: { output_url: expect.stringContaining(`${sandbox.url}/job-view-file/`) as unknown },
		});
	});
});

describe('the order of checks', () => {
	it.each(['text/xml', 'nonsense', 'a/b/c', '/', 'multipart/mixed; boundary=x'])(
		'checks the Content-Type %s after path, method, key and subscription',
		async (type) => {
			const call = async (path: string, apiKey?: string) => {
				const answer = await send(`${sandbox.url}${path}`, {
					method: 'POST',
					body: '<text>x</text>',
					headers: { 'content-type': type, ...(apiKey && { 'api-key': apiKey }) },
				});
				return [answer.status, answer.message()];
			};
			expect(await call('/v1/other')).toEqual([404, 'There is nothing at POST /v1/other.']);
			expect(await call('/api/other')).toEqual([
				404,
				'There is no tool at /api/other. Available tools: text2img, background-remover, image-editor.',
			]);
			expect(await call('/api/text2img')).toEqual([401, 'The api-key header is missing.']);
			expect(await call('/api/text2img', 'no-subscription')).toEqual([403, expect.any(String)]);
			expect(await call('/api/text2img', 'test-key')).toEqual([
				415,
				`Content-Type is ${JSON.stringify(type.split(';')[0])}; it must be one of ` +
					'multipart/form-data, application/json, application/x-www-form-urlencoded.',
			]);
		},
	);
});

describe('fields', () => {
	it.each([
		['text2img', 'text'],
		['text2img', 'width'],
		['text2img', 'image_generator_version'],
		['text2img', 'negative_prompt'],
		['image-editor', 'text'],
		['image-editor', 'image_generator_version'],
	])('%s refuses a file in %s and charges nothing', async (tool, field) => {
		const before = sandbox.ledger.length;
		const image = { bytes: await disc() };
		for (const client of [clients['form-data'], clients.undici]) {
			const files = { [field]: { bytes: Buffer.from('256') }, image };
			const fields = field === 'text' ? {} : { text: 'blur' };
			const answer = await client({ url: sandbox.url, tool, fields, files });
			expect([answer.status, answer.message()]).toEqual([
				400,
				`${field} must be a form field, not a file.`,
			]);
		}
		expect(sandbox.ledger).toHaveLength(before);
	});

	it('ignores a file in an unused or unknown field', async () => {
		const files = { resolution: { bytes: Buffer.from('4k') }, other: { bytes: Buffer.from('x') } };
		const call = { url: sandbox.url, tool: 'text2img', fields: { text: 'x' }, files };
		expect((await clients.undici(call)).status).toBe(200);
	});

	it('reads a body of a hundred thousand fields', async () => {
		const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, '']));
		const answer = await sendJson(sandbox.url, 'text2img', body);
		expect([answer.status, answer.message()]).toEqual([413, expect.stringContaining('1 MiB')]);
		const fewer = Object.fromEntries(Object.entries(body).slice(0, 70_000));
		const read = await sendJson(sandbox.url, 'text2img', { ...fewer, text: 'x' });
		expect(read.status).toBe(200);
		expect(sandbox.requests.at(-1)?.fieldOrder).toHaveLength(70_001);
	});

	it('quotes an unusual field name', async () => {
		const fields = { text: 'x', 'a field': 'x'.repeat(2 ** 20 + 1) };
		const answer = await clients.undici({ url: sandbox.url, tool: 'text2img', fields });
		expect(answer.message()).toBe('"a field" is longer than 1 MiB.');
	});
});

describe('downloads', () => {
	async function link(): Promise<string> {
		const made = await sendJson(sandbox.url, 'text2img', { text: 'x' });
		return String(made.json()['output_url']);
	}

	it('sends the requested Range of a file', async () => {
		const url = await link();
		const whole = (await send(url)).body;
		const part = await send(url, { headers: { range: 'bytes=10-19' } });
		expect(part).toMatchObject({
			status: 206,
			headers: {
				'content-range': `bytes 10-19/${whole.length}`,
				'content-length': '10',
				'content-type': 'image/jpeg',
			},
		});
		expect(part.body.equals(whole.subarray(10, 20))).toBe(true);
		const end = await send(url, { headers: { range: `bytes=${whole.length - 5}-` } });
		expect(end.body.equals(whole.subarray(-5))).toBe(true);
		expect((await send(url)).headers).toMatchObject({ 'accept-ranges': 'bytes' });
	});

	it('refuses a Range beyond the end with 416', async () => {
		const url = await link();
		const { length } = (await send(url)).body;
		const answer = await send(url, { headers: { range: 'bytes=99999999-' } });
		expect([answer.status, answer.headers['content-range'], answer.message()]).toEqual([
			416,
			`bytes */${length}`,
			`Range is "bytes=99999999-"; the file has ${length} bytes.`,
		]);
	});
});
