import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { clients, fileOf, send, type Fields } from './clients';
import { disc, pixel } from './pictures';
import { useSandbox } from './useSandbox';

const service = useSandbox();
beforeEach(async () => {
	await service.sandbox.reset();
});

const post = async (fields: Fields) => await service.form('text2img', fields);

describe.each(Object.entries(clients))('%s', (_name, client) => {
	it('receives id and output_url of an image that needs no key', async () => {
		const { sandbox } = service;
		const result = await client({ url: sandbox.url, tool: 'text2img', fields: { text: 'a fox' } });
		expect(result.status).toBe(200);
		const id = String(result.json()['id']);
		expect(result.json()).toStrictEqual({
			id,
			output_url: `${sandbox.url}/job-view-file/${id}/outputs/output.jpg`,
		});
		expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
		const { headers, body } = await fileOf(result);
		expect(headers).toMatchObject({
			'content-type': 'image/jpeg',
			'content-length': `${body.length}`,
		});
		expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 512 });
		expect(body.equals(await sandbox.output(id))).toBe(true);
	});

	it('receives a PNG of the same size with alpha if it uploads an image to cut out', async () => {
		const files = { image: { bytes: await disc() } };
		const result = await client({ url: service.sandbox.url, tool: 'background-remover', files });
		expect(result.link()).toMatch(/\/output\.png$/);
		const { headers, body } = await fileOf(result);
		expect(headers['content-type']).toBe('image/png');
		const shape = { format: 'png', width: 96, height: 64, hasAlpha: true };
		expect(await sharp(body).metadata()).toMatchObject(shape);
		expect([(await pixel(body, 2, 2))[3], (await pixel(body, 40, 34))[3]]).toStrictEqual([0, 255]);
	});

	it('receives a JPEG if it uploads an image to edit, and its whole request is recorded', async () => {
		const bytes = await disc();
		const result = await client({
			url: service.sandbox.url,
			tool: 'image-editor',
			fields: { text: 'make it grayscale', more: '1' },
			files: { image: { bytes, name: 'Föto 1.png' } },
		});
		expect(result.link()).toMatch(/\/output\.jpg$/);
		const [red, green, blue] = await pixel((await fileOf(result)).body, 40, 34);
		expect([red, green]).toStrictEqual([green, blue]);
		const [request] = service.sandbox.requests;
		expect(request).toMatchObject({
			number: 1,
			method: 'POST',
			path: '/api/image-editor',
			headers: { 'api-key': 'test-key' },
			fields: { text: 'make it grayscale', more: '1' },
			fieldOrder: ['text', 'more', 'image'],
			files: [
				{
					field: 'image',
					fileName: 'Föto 1.png',
					mimeType: 'image/png',
					bytes: bytes.length,
					sha256: createHash('sha256').update(bytes).digest('hex'),
				},
			],
			status: 200,
			charge: { jobId: result.json()['id'] },
		});
		const { bytesReceived = 0, headers = {} } = request ?? {};
		expect(bytesReceived).toBe(Number(headers['content-length'] ?? bytesReceived));
		expect(bytesReceived).toBeGreaterThan(bytes.length);
	});
});

it('the path is checked before the method, the key, the parameters and the funds', async () => {
	const { account, url } = service.sandbox;
	account.useUp();
	const outcomes: Array<[path: string, init: object, status: number, message: RegExp]> = [
		['/v1/other', { method: 'POST' }, 404, /^There is nothing at POST \/v1\/other\.$/],
		['/api/other', {}, 404, /^There is no tool at \/api\/other\. Available tools: text2img, /],
		['/api/text2img', {}, 405, /^GET is not allowed here; use POST\.$/],
		['/api/text2img', { method: 'POST' }, 401, /^The api-key header is missing\.$/],
	];
	for (const [path, init, status, message] of outcomes) {
		const answer = await send(`${url}${path}`, init);
		expect(answer.outcome()).toStrictEqual([status, expect.stringMatching(message)]);
	}
	const calls: Array<[key: string, fields: Fields, status: number, message: RegExp]> = [
		['wrong', {}, 401, /^The api-key is not valid\.$/],
		['no-subscription', {}, 403, /^API access requires a paid subscription; this key has none\.$/],
		['test-key', {}, 400, /^text is required/],
		['test-key', { text: 'x' }, 402, /^The monthly allowance is used up/],
	];
	for (const [key, fields, status, message] of calls) {
		const answer = await service.form('text2img', fields, {}, key);
		expect(answer.outcome()).toStrictEqual([status, expect.stringMatching(message)]);
	}
	expect(service.sandbox.ledger).toStrictEqual([]);
});

const headers = { 'api-key': 'test-key' };
const sendBody = async (type: string, body: string) =>
	await send(`${service.sandbox.url}/api/text2img`, {
		method: 'POST',
		body,
		headers: { ...headers, 'content-type': type },
	});

it.each([
	['application/json', '{"text":"café"}'],
	['application/json; charset=utf-8', '{"text":"café"}'],
	['application/x-www-form-urlencoded', 'text=caf%C3%A9'],
])('a body may be %s', async (type, body) => {
	expect((await sendBody(type, body)).status).toBe(200);
	expect(service.sandbox.ledger[0]?.fields).toStrictEqual({ text: 'café' });
});

it.each([
	['{"text":"x","width":512}', 400, 'width must be a string, not 512.'],
	['{"text":null}', 400, 'text must be a string, not null.'],
	['[]', 400, 'The JSON body must be an object, not "[]".'],
	['{"text":', 400, 'The body is not JSON: "{\\"text\\":".'],
	[`{"text":"${'x'.repeat(2 ** 20)}"}`, 413, 'A body without a file may be at most 1 MiB.'],
])('a JSON body that cannot be understood is refused: %j', async (body, status, message) => {
	expect((await sendBody('application/json', body)).outcome()).toStrictEqual([status, message]);
});

it('a body of another type is refused', async () => {
	const message =
		'Content-Type is "text/xml"; it must be one of multipart/form-data, application/json, ' +
		'application/x-www-form-urlencoded.';
	expect((await sendBody('text/xml', '<x/>')).outcome()).toStrictEqual([415, message]);
});

it('a multipart body that is cut off or has no boundary is refused', async () => {
	for (const type of ['multipart/form-data', 'multipart/form-data; boundary=b']) {
		const body = '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nx\r\n';
		const { status, message } = await sendBody(type, body).then((answer) => ({
			status: answer.status,
			message: answer.message(),
		}));
		expect([status, message]).toStrictEqual([400, expect.stringContaining('could not be read')]);
	}
});

it('a form may not have a file where a text belongs', async () => {
	const files = { text: { bytes: Buffer.from('x') } };
	const answer = await service.form('text2img', {}, files);
	expect(answer.outcome()).toStrictEqual([400, 'text must be a form field, not a file.']);
});

it('a body may have fields that no tool knows, which are recorded', async () => {
	expect((await service.json('text2img', { text: 'x', seed: 7 })).status).toBe(200);
	expect(service.sandbox.requests[0]?.fields).toStrictEqual({ text: 'x', seed: '7' });
});

it('a prompt may have every script, markup and control characters', async () => {
	const text = 'Лиса 狐狸 🦊 <svg>&amp;"\u0007\u0000';
	expect((await post({ text })).status).toBe(200);
	expect(service.sandbox.ledger.at(-1)?.fields).toStrictEqual({ text });
});

it.each(['text2img', 'image-editor'])('text is required by %s', async (tool) => {
	const files = tool === 'text2img' ? {} : { image: { bytes: await disc() } };
	const missing = [400, 'text is required and was not sent.'];
	expect((await service.form(tool, {}, files)).outcome()).toStrictEqual(missing);
	const empty = [400, 'text is required and was sent empty.'];
	expect((await service.form(tool, { text: '  ' }, files)).outcome()).toStrictEqual(empty);
});

const rule = 'it must be an integer from 128 to 1536 that is a multiple of 32.';
const sizeOf = async (fields: Fields) => {
	const { width, height } = await sharp(
		(await fileOf(await post({ text: 'x', ...fields }))).body,
	).metadata();
	return `${width}x${height}`;
};

it.each([
	[{}, '512x512'],
	[{ width: '256' }, '256x512'],
	[{ width: '1024', height: '720' }, '1024x720'],
	[{ width: '128', height: '1536' }, '128x1536'],
	[{ width: '1024', height: '128', image_generator_version: 'super_genius' }, '2048x256'],
	[
		{
			width: '1024',
			height: '128',
			image_generator_version: 'super_genius',
			resolution: '4k',
		},
		'4096x512',
	],
])('width, height and quality %j make an image of %s', async (fields, size) => {
	expect(await sizeOf(fields)).toBe(size);
});

it.each(['', '96', '1568', '500', '512.0', ' 512', '1e3', '０５１２'])(
	'%j is no width or height, and the refusal says what is allowed',
	async (value) => {
		for (const side of ['width', 'height']) {
			const message = `${side} is "${value}"; ${rule}`;
			expect((await post({ text: 'x', [side]: value })).outcome()).toStrictEqual([400, message]);
		}
	},
);

it('720 is refused in any other size than the recommended 1024x720', async () => {
	const answer = await post({ text: 'x', width: '1152', height: '720' });
	expect(answer.outcome()).toStrictEqual([400, `height is "720"; ${rule}`]);
});

const versions = 'standard, hd, genius, super_genius';
it.each([
	['image_generator_version', 'Standard', '', versions],
	['resolution', '8k', 'super_genius', '2k, 4k'],
	['genius_preference', 'Anime', 'genius', 'anime, photography, graphic, cinematic'],
])('%s may not be %j with the version %j', async (name, value, version, allowed) => {
	const answer = await post({ text: 'x', image_generator_version: version, [name]: value });
	const message = `${name} is "${value}"; it must be one of ${allowed}.`;
	expect(answer.outcome()).toStrictEqual([400, message]);
});

it('resolution and genius_preference are ignored where they are not used', async () => {
	const unused = { resolution: 'nonsense', genius_preference: 'nonsense' };
	expect((await service.make({ image_generator_version: 'hd', ...unused })).status).toBe(200);
});

it.each(['standard', 'hd'])(
	'the image_generator_version of the editor may not be %s',
	async (version) => {
		const fields = { text: 'blur', image_generator_version: version };
		const answer = await service.form('image-editor', fields, { image: { bytes: await disc() } });
		const message = `image_generator_version is "${version}"; it must be one of genius, super_genius.`;
		expect(answer.outcome()).toStrictEqual([400, message]);
	},
);
