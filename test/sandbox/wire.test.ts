import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { disc, fileOf, send, useSandbox, useSandboxes, type Fields } from './useSandbox';

const service = useSandbox();
const start = useSandboxes();
const { form, json } = service;
let photo: Buffer;
beforeAll(async () => {
	photo = await disc();
});
const post = async (fields: Fields) => await form('text2img', { text: 'x', ...fields });

/** The status for a Host header, which fetch does not let one set. */
async function statusFor(host: string, { hostname, port }: URL): Promise<number | undefined> {
	return await new Promise((resolve, reject) => {
		get({ hostname, port, path: '/sandbox', headers: { host } }, (response) => {
			response.resume();
			resolve(response.statusCode);
		}).once('error', reject);
	});
}

/** RGB, and alpha if there is one, of a pixel. */
async function pixel(image: Buffer, x: number, y: number): Promise<number[]> {
	const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
	const at = (y * info.width + x) * info.channels;
	return [...data.subarray(at, at + info.channels)];
}

describe('a call', () => {
	it('receives id and output_url of an image that needs no key, and is recorded', async () => {
		const { sandbox } = service;
		const result = await form('text2img', { text: 'a fox', more: '1' });
		const id = String(result.json()['id']);
		expect(result.json()).toStrictEqual({
			id,
			output_url: `${sandbox.url}/job-view-file/${id}/outputs/output.jpg`,
		});
		const { headers, body } = await fileOf(result);
		expect(headers).toMatchObject({
			'content-type': 'image/jpeg',
			'content-length': `${body.length}`,
		});
		expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
		expect(body.equals(await sandbox.output(id))).toBe(true);
		expect(sandbox.requests[0]).toMatchObject({
			number: 1,
			path: '/api/text2img',
			headers: { 'api-key': 'test-key' },
			fields: { text: 'a fox', more: '1' },
			fieldOrder: ['text', 'more'],
			status: 200,
			charge: { jobId: id },
		});
	});

	it('gets the same picture for the same request, and another one for another prompt', async () => {
		const texts = ['a boat', 'a boat', 'a boot'];
		const files = texts.map(async (text) => (await fileOf(await service.make({ text }))).body);
		const [one, two, other] = await Promise.all(files);
		expect(one).toStrictEqual(two);
		expect(other).not.toStrictEqual(one);
	});

	it('gets the cut-out of a file, and the edit of a link, whose instruction is followed or added as a caption', async () => {
		const cut = await form(
			'background-remover',
			{},
			{ image: { bytes: photo, name: 'Föto 1.png' } },
		);
		const { headers, body } = await fileOf(cut);
		expect(headers['content-type']).toBe('image/png');
		expect(await sharp(body).metadata()).toMatchObject({ width: 96, height: 64, hasAlpha: true });
		expect([(await pixel(body, 2, 2))[3], (await pixel(body, 40, 34))[3]]).toStrictEqual([0, 255]);
		expect(service.sandbox.requests[0]?.files).toMatchObject([
			{ field: 'image', fileName: 'Föto 1.png', mimeType: 'image/png', bytes: photo.length },
		]);

		const image = cut.link();
		const gray = await json('image-editor', { image, text: 'make it grayscale' });
		const [red, green, blue] = await pixel((await fileOf(gray)).body, 40, 34);
		expect([red, green]).toStrictEqual([green, blue]);
		await json('image-editor', { image, text: 'add a hat' });
		const notes = service.sandbox.ledger.slice(1).map(({ note }) => note);
		expect(notes).toStrictEqual([
			undefined,
			expect.stringContaining('it added the text as a caption'),
		]);
	});

	it.each([
		['application/json; charset=utf-8', '{"text":"狐狸 \\u0007","seed":7}'],
		['application/x-www-form-urlencoded', 'text=%E7%8B%90%E7%8B%B8%20%07&seed=7'],
	])('may have a body of %s, and fields that no tool knows', async (type, body) => {
		const headers = { 'api-key': 'test-key', 'content-type': type };
		const url = `${service.sandbox.url}/api/text2img`;
		expect((await send(url, { method: 'POST', body, headers })).status).toBe(200);
		expect(service.sandbox.requests[0]?.fields).toStrictEqual({ text: '狐狸 \u0007', seed: '7' });
	});

	it('echoImages returns an upload unchanged, with the type of its first bytes', async () => {
		const echoing = await start({ echoImages: true });
		const bytes = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(5_000_000, 7)]);
		const file = await fileOf(await echoing.form('background-remover', {}, { image: { bytes } }));
		expect(file.headers['content-type']).toBe('image/jpeg');
		expect(file.body.equals(bytes)).toBe(true);
	});

	it.each([
		[{}, '512x512'],
		[{ width: '1024', height: '720' }, '1024x720'],
		[{ width: '128', height: '1536' }, '128x1536'],
		[{ width: '1024', height: '128', image_generator_version: 'super_genius' }, '2048x256'],
		[
			{ width: '1024', height: '128', image_generator_version: 'super_genius', resolution: '4k' },
			'4096x512',
		],
		[{ image_generator_version: 'hd', resolution: '-', genius_preference: '-' }, '512x512'],
	])('with %j makes an image of %s', async (fields, size) => {
		const { width, height } = await sharp((await fileOf(await post(fields))).body).metadata();
		expect(`${width}x${height}`).toBe(size);
	});
});

describe('a refusal costs nothing and says why:', () => {
	afterEach(() => {
		if (service.sandbox.ledger.length > 0) throw new Error('A refusal was charged.');
	});

	it('the path is checked before the method, the key, the parameters and the funds', async () => {
		const { account, url } = service.sandbox;
		account.useUp();
		for (const [path, method, status, message] of [
			['/v1/other', 'POST', 404, 'There is nothing at POST /v1/other.'],
			['/api/other', 'GET', 404, 'There is no tool at /api/other. Available tools: text2img, '],
			['/api/text2img', 'GET', 405, 'GET is not allowed here; use POST.'],
			['/api/text2img', 'POST', 401, 'The api-key header is missing.'],
		] as const) {
			const answer = await send(`${url}${path}`, { method });
			expect(answer.outcome()).toStrictEqual([status, expect.stringContaining(message)]);
		}
		for (const [key, fields, status, message] of [
			['wrong', {}, 401, 'The api-key is not valid.'],
			['no-subscription', {}, 403, 'API access requires a paid subscription; this key has none.'],
			['test-key', {}, 400, 'text is required'],
			['test-key', { text: 'x' }, 402, 'The monthly allowance is used up'],
		] as const) {
			const answer = await form('text2img', fields, {}, { headers: { 'api-key': key } });
			expect(answer.outcome()).toStrictEqual([status, expect.stringContaining(message)]);
		}
	});

	it.each<[what: string, body: unknown, status: number, message: string]>([
		['with a number', { text: 'x', width: 512 }, 400, 'width must be a string, not 512.'],
		['that is cut off', '{"text":', 400, 'The body is not JSON: "{\\"text\\":".'],
		[
			'that is too long',
			'x'.repeat(2 ** 20 + 1),
			413,
			'A body without a file may be at most 1 MiB.',
		],
		['without a text', { text: '  ' }, 400, 'text is required and was sent empty.'],
	])('a body of JSON %s', async (_what, body, status, message) => {
		expect((await json('text2img', body)).outcome()).toStrictEqual([status, message]);
	});

	it.each([
		['text/xml', '<x/>', 415, 'Content-Type is "text/xml"; it must be one of'],
		['multipart/form-data; boundary=b', '--b\r\nx', 400, 'could not be read'],
	])('a body of the type %s', async (type, body, status, message) => {
		const headers = { 'content-type': type };
		const answer = await json('text2img', body, { headers });
		expect(answer.outcome()).toStrictEqual([status, expect.stringContaining(message)]);
	});

	it.each(['', '96', '1568', '500', '512.0'])('a width or height of %j', async (value) => {
		const rule = 'it must be an integer from 128 to 1536 that is a multiple of 32.';
		for (const side of ['width', 'height']) {
			const message = `${side} is "${value}"; ${rule}`;
			expect((await post({ [side]: value })).outcome()).toStrictEqual([400, message]);
		}
	});

	it.each([
		['image_generator_version', 'Standard', '', 'standard, hd, genius, super_genius'],
		['resolution', '8k', 'super_genius', '2k, 4k'],
		['genius_preference', 'Anime', 'genius', 'anime, photography, graphic, cinematic'],
	])('%s %j with the version %j', async (name, value, version, allowed) => {
		const answer = await post({ image_generator_version: version, [name]: value });
		const message = `${name} is "${value}"; it must be one of ${allowed}.`;
		expect(answer.outcome()).toStrictEqual([400, message]);
	});

	it('an edit with the version "standard", which the editor does not have', async () => {
		const fields = { text: 'blur', image_generator_version: 'standard' };
		const answer = await form('image-editor', fields, { image: { bytes: photo } });
		const message =
			'image_generator_version is "standard"; it must be one of genius, super_genius.';
		expect(answer.outcome()).toStrictEqual([400, message]);
	});

	it.each([
		['', 400, 'image is required and was sent empty.'],
		['photo.png', 400, 'must be an uploaded file or an http:// or https:// address.'],
		['$/job-view-file/gone/output.jpg', 400, 'returned HTTP 404.'],
		['$/', 415, 'is not an image'],
		['http://localhost:3/a.png', 400, 'could not be fetched'],
	])('an image %j', async (image, status, message) => {
		const answer = await json('background-remover', {
			image: image.replace('$', service.sandbox.url),
		});
		expect(answer.outcome()).toStrictEqual([status, expect.stringContaining(message)]);
	});

	it.each([
		['no image', () => Buffer.from('hello'), 'is not an image that the sandbox reads.'],
		[
			'an image that is cut off',
			async () => (await readFile('examples/photos/astronaut.jpg')).subarray(0, 20_000),
			'cannot be decoded; it may be damaged or cut off.',
		],
	])('a file that is %s', async (_what, bytesOf, message) => {
		const image = { bytes: await bytesOf() };
		const answer = await form('background-remover', {}, { image });
		expect(answer.outcome()).toStrictEqual([415, expect.stringContaining(message)]);
	});
});

it.each([
	['localhost:8080', 200],
	['a.localhost', 200],
	['192.168.1.7:8080', 200],
	['[::1]:80', 200],
	['my.allowed.name:8080', 200],
	// A web page could point its domain at this machine.
	['evil.example:8080', 421],
	['127.0.0.1.evil.example', 421],
	['localhost.evil.example', 421],
])('answers a request for the host %s with %d', async (host, status) => {
	const { url } = (await start({ allowHosts: ['my.allowed.name'] })).sandbox;
	expect(await statusFor(host, new URL(url))).toBe(status);
});

it.each([
	['https://evil.example', 403, 1000],
	['null', 403, 1000],
	['http://localhost:5678', 403, 1000],
	['its own', 200, 1005],
])('a page of the origin %s that adds money gets %d', async (page, status, cents) => {
	const { account, url } = service.sandbox;
	const origin = page === 'its own' ? url : page;
	const answer = await send(`${url}/sandbox/account/top-up`, {
		method: 'POST',
		headers: { origin },
		body: '{"cents":5}',
	});
	expect([answer.status, account.walletCentsLeft]).toStrictEqual([status, cents]);
});

it('says on the page and in the control API that no AI model runs here', async () => {
	for (const path of ['/', '/sandbox']) {
		const { body } = await send(`${service.sandbox.url}${path}`);
		expect(body.toString()).toContain('No AI model runs here');
	}
});

it("the service's own npm client generates, edits by a link, uploads a file, and gets a refusal's message", async () => {
	interface Client {
		setApiKey(key: string): void;
		callStandardApi(
			model: string,
			inputs: Record<string, unknown>,
		): Promise<{ id: string; output_url: string }>;
	}
	// The client has no option for its base URL, so the test mocks the module that defines it.
	const module = 'deepai/lib/core/apiBaseUrl.js';
	const address = createRequire(__filename)(module) as { baseUrl: string };
	jest.doMock(module, () => ({ ...address, baseUrl: service.sandbox.url }));
	const client = jest.requireActual<Client>('deepai');
	client.setApiKey('test-key');
	const pictureOf = async ({ output_url }: { output_url: string }) =>
		await sharp((await send(output_url)).body).metadata();

	const job = await client.callStandardApi('text2img', { text: 'a boat', width: '256' });
	expect(await pictureOf(job)).toMatchObject({ format: 'jpeg', width: 256, height: 512 });
	const inputs = { image: job.output_url, text: 'sepia', image_generator_version: 'genius' };
	const edited = await client.callStandardApi('image-editor', inputs);
	expect(await pictureOf(edited)).toMatchObject({ format: 'jpeg', width: 256 });
	const image = createReadStream('examples/photos/astronaut.jpg');
	const cut = await client.callStandardApi('background-remover', { image });
	expect(await pictureOf(cut)).toMatchObject({ format: 'png', hasAlpha: true });
	await expect(client.callStandardApi('text2img', { width: '256' })).rejects.toMatchObject({
		response: { status: 400, data: { err: 'text is required and was not sent.' } },
	});
});
