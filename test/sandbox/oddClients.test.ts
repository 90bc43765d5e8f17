import { gzipSync } from 'node:zlib';
import { startSandbox, type Sandbox } from '../../sandbox';
import { send, sendJson } from './clients';
import { disc } from './pictures';
import { rawHttp } from './rawHttp';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});
beforeEach(async () => {
	await sandbox.reset();
});

/** Sends a body byte by byte as given: each character is one byte. */
async function post(type: string, body: string, { path = '/api/text2img', headers = '' } = {}) {
	const answer = await rawHttp(
		sandbox.url,
		`POST ${path} HTTP/1.1\r\nhost: localhost\r\napi-key: test-key\r\nconnection: close\r\n` +
			`content-type: ${type}\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`,
	);
	const { err, status } = answer.body as { err?: string; status?: string };
	return [answer.status, err ?? status ?? 'made'];
}

const multipart = 'multipart/form-data; boundary=b';
const part = (name: string, body: string, { more = '', type = '' } = {}) =>
	`--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n` +
	`${type && `content-type: ${type}\r\n`}\r\n${body}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--b--\r\n`;
const latin1 = (utf8: string) => Buffer.from(utf8).toString('latin1');

describe('a part without a file name', () => {
	it.each(['image/jpeg', 'application/octet-stream'])('is an image: %s', async (type) => {
		const image = part('image', (await disc('jpeg')).toString('latin1'), { type });
		const text = part('text', 'blur');
		expect(await post(multipart, form(image, text), { path: '/api/image-editor' })).toEqual([
			200,
			'made',
		]);
		expect(sandbox.requests[0]?.files).toMatchObject([{ fileName: 'unnamed', mimeType: type }]);
	});

	it('is text in a text field, whatever its type', async () => {
		const text = part('text', latin1('ein Füchslein'), { type: 'application/octet-stream' });
		expect(await post(multipart, form(text))).toEqual([200, 'made']);
		expect(sandbox.ledger[0]?.fields).toEqual({ text: 'ein Füchslein' });
	});

	it('is refused without repeating its bytes if it is declared as text', async () => {
		const image = part('image', (await disc('jpeg')).toString('latin1'));
		expect(await post(multipart, form(image), { path: '/api/background-remover' })).toEqual([
			400,
			'image is not valid UTF-8. Declare another charset in its Content-Type, or send a file with a file name.',
		]);
	});
});

it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; x'])(
	'says that the boundary is missing: %s',
	async (type) => {
		expect(await post(type, form(part('text', 'x')))).toEqual([
			400,
			'Content-Type has no boundary. Let your HTTP client set this header: it chooses the boundary.',
		]);
	},
);

it.each(['gzip', 'br', 'x-own'])('refuses a body with Content-Encoding %s', async (encoding) => {
	const body = gzipSync('{"text":"x"}').toString('latin1');
	const headers = `content-encoding: ${encoding}\r\n`;
	const refusal = [415, `Content-Encoding is "${encoding}"; send the body without compression.`];
	expect(await post('application/json', body, { headers })).toEqual(refusal);
	expect(await post(multipart, body, { headers })).toEqual(refusal);
});

it('accepts Content-Encoding identity', async () => {
	const headers = 'content-encoding: identity\r\n';
	expect(await post('application/json', '{"text":"x"}', { headers })).toEqual([200, 'made']);
});

describe('text', () => {
	it.each([
		['application/json; charset=iso-8859-1', '{"text":"caf\xe9"}'],
		['application/json; charset="UTF-8"', latin1('{"text":"café"}')],
		['application/json', latin1('\uFEFF{"text":"café"}')],
		[
			'application/json; charset=utf-16le',
			Buffer.from('{"text":"café"}', 'utf16le').toString('latin1'),
		],
		['application/x-www-form-urlencoded; charset=latin1', 'text=caf%E9'],
		['application/x-www-form-urlencoded; charset=latin1', 'text=caf\xe9'],
		['application/x-www-form-urlencoded', 'text=caf%C3%A9'],
		[multipart, form(part('text', 'caf\xe9', { type: 'text/plain; charset=iso-8859-1' }))],
	])('is read in its charset: %s', async (type, body) => {
		expect(await post(type, body)).toEqual([200, 'made']);
		expect(sandbox.ledger[0]?.fields).toEqual({ text: 'café' });
	});

	it.each([
		['application/json', '{"text":"caf\xe9"}'],
		['application/x-www-form-urlencoded', 'text=caf%E9'],
		[multipart, form(part('text', 'caf\xe9'))],
	])('is refused and not charged if it is not in its charset: %s', async (type, body) => {
		expect(await post(type, body)).toEqual([
			400,
			expect.stringMatching(/^text is not valid UTF-8/),
		]);
		expect(sandbox.ledger).toEqual([]);
	});

	it('is refused in an unknown charset', async () => {
		expect(await post('application/json; charset=klingon', '{"text":"x"}')).toEqual([
			415,
			'The charset is "klingon", which the sandbox cannot read; send UTF-8.',
		]);
	});

	it.each(['', '  '])('that is empty is not called missing: %j', async (text) => {
		const answer = await sendJson(sandbox.url, 'text2img', { text });
		expect([answer.status, answer.message()]).toEqual([
			400,
			'text is required and was sent empty.',
		]);
	});
});

it('ignores unknown and unused fields whatever they hold, but records them', async () => {
	const fields = { text: 'x', seed: 7, tags: ['a'], nothing: null, resolution: 4 };
	expect((await sendJson(sandbox.url, 'text2img', fields)).status).toBe(200);
	expect(sandbox.requests[0]?.fields).toEqual({
		...{ text: 'x', seed: '7', tags: '["a"]', nothing: 'null', resolution: '4' },
	});
	const body = form(part('text', 'x'), part('seed', '1'), part('seed', '2'), part('seed', '\xff'));
	expect(await post(multipart, body)).toEqual([200, 'made']);
});

describe('the api-key header', () => {
	it('may be sent twice with the same value', async () => {
		const headers = 'api-key: test-key\r\n';
		expect(await post('application/json', '{"text":"x"}', { headers })).toEqual([200, 'made']);
	});

	it('may not have two values', async () => {
		const headers = 'api-key: other\r\n';
		expect(await post('application/json', '{"text":"x"}', { headers })).toEqual([
			401,
			'The api-key header was sent with 2 different values.',
		]);
	});
});

describe('a form', () => {
	it('may have 1000 parts, and no more', async () => {
		const parts = Array.from({ length: 999 }, (_, n) => part(`f${n}`, ''));
		expect(await post(multipart, form(part('text', 'x'), ...parts))).toEqual([200, 'made']);
		expect(await post(multipart, form(part('text', 'x'), part('more', ''), ...parts))).toEqual([
			413,
			'The form has more than 1000 parts.',
		]);
	});

	it.each([
		[part('text', 'x'), 'The body ends before its last boundary.'],
		[
			form(part('constructor', 'x')),
			'A form field may not have the name of a JavaScript property.',
		],
		[
			form(part('text', '{', { type: 'application/json' })),
			'A part is declared as application/json but is not JSON.',
		],
	])('that cannot be read is refused in plain words', async (body, message) => {
		expect(await post(multipart, body)).toEqual([400, message]);
	});
});

describe('the request target', () => {
	it.each([
		'/api/text%32img',
		'/%61pi/text2img',
		'http://localhost/api/text2img',
		'HTTP://LOCALHOST:1/api/text2img?x',
	])('may be %s', async (path) => {
		expect(await post('application/json', '{"text":"x"}', { path })).toEqual([200, 'made']);
	});

	it('of a foreign host is refused, whatever Host says', async () => {
		const path = 'http://evil.example/api/text2img';
		expect(await post('application/json', '{"text":"x"}', { path })).toEqual([
			421,
			expect.any(String),
		]);
	});

	it('that is encoded does not get around the check of other web pages', async () => {
		const options = { path: '/%73andbox/faults', headers: 'origin: https://evil.example\r\n' };
		expect(await post('application/json', '{"fault":"hang"}', options)).toEqual([
			403,
			expect.stringMatching(/^Another web page/),
		]);
	});
});

describe('a password', () => {
	it('in an image address is refused, and neither repeated nor kept', async () => {
		const image = 'http://ann:s3cret@example.org/a.png';
		const answer = await sendJson(sandbox.url, 'background-remover', { image });
		expect([answer.status, answer.message()]).toEqual([
			400,
			'image is "http://***@example.org/a.png"; it must be an address without a user name or password.',
		]);
		for (const path of ['calls', 'requests']) {
			const shown = await send(`${sandbox.url}/sandbox/${path}`);
			expect(shown.body.toString()).not.toContain('s3cret');
		}
	});

	it('in the Base URL is not shown', async () => {
		const { host } = new URL(sandbox.url);
		const secret = 's3cret';
		const headers = `authorization: Basic ${secret}\r\ncookie: ${secret}\r\n`;
		await post('application/json', '{}', {
			path: `http://ann:${secret}@${host}/api/text2img`,
			headers,
		});
		const shown = await send(`${sandbox.url}/sandbox/requests`);
		expect(shown.body.toString()).toContain('/api/text2img');
		expect(shown.body.toString()).not.toContain(secret);
	});
});

it('counts only tools, and POST to an unknown path, as calls', async () => {
	for (const path of ['/favicon.ico', '/robots.txt', '/v1', '/job-view-file/x/output.jpg']) {
		expect((await send(`${sandbox.url}${path}`)).status).toBe(404);
	}
	await post('application/json', '{}', { path: '/job-view-file/x/output.jpg' });
	await post('application/json', '{}', { path: '/v1/text2img' });
	await send(`${sandbox.url}/api/other`);
	const calls = await send(`${sandbox.url}/sandbox/calls`);
	expect(JSON.parse(calls.body.toString())).toMatchObject([
		{ number: 2, path: '/api/other' },
		{ number: 1, path: '/v1/text2img' },
	]);
});
