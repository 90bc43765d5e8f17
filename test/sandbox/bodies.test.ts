import { gzipSync } from 'node:zlib';
import { sendRaw } from './clients';
import { disc } from './pictures';
import { useSandbox } from './useSandbox';

const service = useSandbox();
beforeEach(async () => {
	await service.sandbox.reset();
});

const MADE = [200, ''];

/** Sends a body byte by byte as given: each character is one byte. */
async function post(type: string, body: string, { tool = 'text2img', headers = '' } = {}) {
	const answer = await sendRaw(
		service.sandbox.url,
		`POST /api/${tool} HTTP/1.1\r\nhost: localhost\r\napi-key: test-key\r\nconnection: close\r\n` +
			`content-type: ${type}\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`,
	);
	return answer.outcome();
}

const json = 'application/json';
const urlEncoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const part = (name: string, body: string, type = '') =>
	`--b\r\ncontent-disposition: form-data; name="${name}"\r\n` +
	`${type && `content-type: ${type}\r\n`}\r\n${body}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--b--\r\n`;
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

describe('JSON', () => {
	it.each([
		[{ text: 'x', width: 512 }, 'width must be a string such as "512", not 512.'],
		[{ text: true }, 'text must be a string such as "true", not true.'],
		[{ text: null }, 'text must be a string, not null.'],
		[{ text: { a: 'x'.repeat(70) } }, `text must be a string, not {"a":"${'x'.repeat(54)}….`],
		[[], 'The JSON body must be an object, not "[]".'],
		['{"text":', 'The body is not JSON: "{\\"text\\":".'],
	])('%j is refused', async (body, message) => {
		expect((await service.json('text2img', body)).outcome()).toStrictEqual([400, message]);
	});

	it('may have tens of thousands of fields, up to 1 MiB', async () => {
		const names = Array.from({ length: 70_000 }, (_, n) => `f${n}`);
		const fields = Object.fromEntries(names.map((name) => [name, '']));
		expect((await service.json('text2img', { ...fields, text: 'x' })).status).toBe(200);
		expect(service.sandbox.requests.at(-1)?.fieldOrder).toHaveLength(70_001);
		const large = await service.json('text2img', { text: 'x'.repeat(2 ** 20) });
		expect(large.outcome()).toStrictEqual([413, 'A body without a file may be at most 1 MiB.']);
	});
});

describe('a multipart form', () => {
	// Python's requests sends such a part for files={'image': (None, bytes, 'image/jpeg')}.
	it.each(['image/jpeg', 'application/octet-stream'])(
		'may have an image without a file name: %s',
		async (type) => {
			const image = part('image', (await disc('jpeg')).toString('latin1'), type);
			const body = form(image, part('text', 'blur'));
			expect(await post(multipart, body, { tool: 'image-editor' })).toStrictEqual(MADE);
			expect(service.sandbox.requests[0]?.files).toMatchObject([
				{ fileName: 'unnamed', mimeType: type },
			]);
		},
	);

	it('may have text of any type', async () => {
		const text = part('text', bytesOf('ein Füchslein'), 'application/octet-stream');
		expect(await post(multipart, form(text))).toStrictEqual(MADE);
		expect(service.sandbox.ledger[0]?.fields).toStrictEqual({ text: 'ein Füchslein' });
	});

	it('is refused without repeating the bytes of an image that is declared as text', async () => {
		const image = part('image', (await disc('jpeg')).toString('latin1'));
		expect(await post(multipart, form(image), { tool: 'background-remover' })).toStrictEqual([
			400,
			'image is not valid UTF-8. Declare another charset in its Content-Type, or send a file with a file name.',
		]);
	});

	it('must have a boundary', async () => {
		const outcome = await post('multipart/form-data', form(part('text', 'x')));
		const advice = 'Let your HTTP client set this header: it chooses the boundary.';
		expect(outcome).toStrictEqual([400, `Content-Type has no boundary. ${advice}`]);
	});

	it('may have 1000 parts, and no more', async () => {
		const parts = Array.from({ length: 999 }, (_, n) => part(`f${n}`, ''));
		const most = [part('text', 'x'), ...parts];
		expect(await post(multipart, form(...most))).toStrictEqual(MADE);
		const more = await post(multipart, form(...most, part('more', '')));
		expect(more).toStrictEqual([413, 'The form has more than 1000 parts.']);
	});

	it.each([
		[part('text', 'x'), 'The body ends before its last boundary.'],
		[
			form(part('constructor', 'x')),
			'A form field may not have the name of a JavaScript property.',
		],
		[form(part('text', '{', json)), 'A part is declared as application/json but is not JSON.'],
		[form(part('text', 'x'), part('text', 'x')), 'text was sent more than once.'],
	])('that cannot be read is refused in plain words', async (body, message) => {
		expect(await post(multipart, body)).toStrictEqual([400, message]);
	});

	it('may not have a text above 1 MiB', async () => {
		const fields = { text: 'x', 'a field': 'x'.repeat(2 ** 20 + 1) };
		const answer = await service.form('text2img', fields);
		expect(answer.outcome()).toStrictEqual([413, '"a field" is longer than 1 MiB.']);
	});

	it.each([
		['text', {}],
		['negative_prompt', { text: 'x' }],
	])('may not have a file in %s, but in an unused or unknown field', async (field, fields) => {
		const bytes = Buffer.from('256');
		const refused = await service.form('text2img', fields, { [field]: { bytes } });
		expect(refused.outcome()).toStrictEqual([400, `${field} must be a form field, not a file.`]);
		expect(service.sandbox.ledger).toStrictEqual([]);
		const files = { resolution: { bytes }, other: { bytes } };
		expect((await service.form('text2img', { text: 'x' }, files)).status).toBe(200);
	});
});

describe('text', () => {
	it.each([
		[`${json}; charset=iso-8859-1`, '{"text":"caf\xe9"}'],
		[`${json}; charset="UTF-8"`, bytesOf('{"text":"café"}')],
		[json, bytesOf('\uFEFF{"text":"café"}')],
		[`${urlEncoded}; charset=latin1`, 'text=caf%E9'],
		[urlEncoded, 'text=caf%C3%A9'],
		[multipart, form(part('text', 'caf\xe9', 'text/plain; charset=iso-8859-1'))],
	])('is read in its charset: %s', async (type, body) => {
		expect(await post(type, body)).toStrictEqual(MADE);
		expect(service.sandbox.ledger[0]?.fields).toStrictEqual({ text: 'café' });
	});

	it.each([
		[json, '{"text":"caf\xe9"}'],
		[urlEncoded, 'text=caf%E9'],
		[multipart, form(part('text', 'caf\xe9'))],
	])('is refused and not charged if it is not in its charset: %s', async (type, body) => {
		const message = expect.stringMatching(/^text is not valid UTF-8/) as unknown;
		expect(await post(type, body)).toStrictEqual([400, message]);
		expect(service.sandbox.ledger).toStrictEqual([]);
	});

	it.each(['utf-16le', 'klingon'])('is refused in the charset %s', async (charset) => {
		const message = `The charset is "${charset}", which the sandbox cannot read; send UTF-8.`;
		expect(await post(`${json}; charset=${charset}`, '{"text":"x"}')).toStrictEqual([415, message]);
	});
});

it('refuses a compressed body, but accepts Content-Encoding identity', async () => {
	const body = gzipSync('{"text":"x"}').toString('latin1');
	const headers = 'content-encoding: gzip\r\n';
	const message = 'Content-Encoding is "gzip"; send the body without compression.';
	expect(await post(json, body, { headers })).toStrictEqual([415, message]);
	expect(await post(multipart, body, { headers })).toStrictEqual([415, message]);
	const identity = { headers: 'content-encoding: identity\r\n' };
	expect(await post(json, '{"text":"x"}', identity)).toStrictEqual(MADE);
});

it('ignores unknown and unused fields whatever they hold, but records them', async () => {
	const fields = { text: 'x', seed: 7, tags: ['a'], nothing: null, resolution: 4 };
	expect((await service.json('text2img', fields)).status).toBe(200);
	expect(service.sandbox.requests[0]?.fields).toStrictEqual({
		text: 'x',
		seed: '7',
		tags: '["a"]',
		nothing: 'null',
		resolution: '4',
	});
	const body = form(part('text', 'x'), part('seed', '1'), part('seed', '2'), part('seed', '\xff'));
	expect(await post(multipart, body)).toStrictEqual(MADE);
});
