import sharp from 'sharp';
import { startSandbox, type Sandbox } from '../../sandbox';
import { clients, fileOf, send, sendJson, type Fields } from './clients';
import { pixelsOf } from './pictures';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

async function post(fields: Fields) {
	return await clients.undici({ url: sandbox.url, tool: 'text2img', fields });
}

async function sizeOf(fields: Fields) {
	const { width, height } = await sharp((await fileOf(await post(fields))).body).metadata();
	return `${width}x${height}`;
}

describe.each(Object.entries(clients))('text2img sent with %s', (_name, client) => {
	it('returns id and output_url, and serves the image without a key', async () => {
		const result = await client({ url: sandbox.url, tool: 'text2img', fields: { text: 'a fox' } });
		expect(result.status).toBe(200);
		expect(Object.keys(result.json())).toEqual(['id', 'output_url']);
		expect(result.json()['id']).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-/);
		const id = String(result.json()['id']);
		expect(result.json()['output_url']).toBe(
			`${sandbox.url}/job-view-file/${id}/outputs/output.jpg`,
		);
		const file = await fileOf(result);
		expect(file.headers).toMatchObject({
			'content-type': 'image/jpeg',
			'content-length': `${file.body.length}`,
		});
		expect(await sharp(file.body).metadata()).toMatchObject({ format: 'jpeg', width: 512 });
		expect(file.body.equals(await sandbox.output(String(result.json()['id'])))).toBe(true);
	});

	it('refuses a form without text and charges nothing', async () => {
		const before = sandbox.ledger.length;
		const result = await client({ url: sandbox.url, tool: 'text2img', fields: { width: '512' } });
		expect(result.status).toBe(400);
		expect(result.json()).toEqual({ err: 'text is required and was not sent.' });
		expect(sandbox.ledger).toHaveLength(before);
	});
});

describe('text2img: text', () => {
	it('accepts every script, markup and control characters', async () => {
		const text = 'Лиса 狐狸 🦊 <svg>&amp;"\u0007\u0000';
		expect((await post({ text })).status).toBe(200);
		expect(sandbox.ledger.at(-1)?.fields).toEqual({ text });
	});

	it('is required, even if the request has no body', async () => {
		const headers = { 'api-key': 'test-key' };
		const result = await send(`${sandbox.url}/api/text2img`, { method: 'POST', headers });
		expect([result.status, result.message()]).toEqual([400, 'text is required and was not sent.']);
	});
});

describe('text2img: width and height', () => {
	it('default to 512 separately', async () => {
		expect(await sizeOf({ text: 'x' })).toBe('512x512');
		expect(await sizeOf({ text: 'x', width: '256' })).toBe('256x512');
		expect(await sizeOf({ text: 'x', height: '256' })).toBe('512x256');
	});

	it.each([
		...['1024x576', '1024x720', '512x512', '768x1024', '576x1024', '1216x832', '1152x896'],
		...['1024x1024', '896x1152', '832x1216', '128x1536', '1536x128', '160x128'],
	])('set the exact size: %s', async (size) => {
		const [width = '', height = ''] = size.split('x');
		expect(await sizeOf({ text: 'x', width, height })).toBe(size);
	});

	it.each([
		['720', '1024', 'width'],
		['1152', '720', 'height'],
		['512', '720', 'height'],
	])('refuse %sx%s: 720 is valid only in the recommended 1024x720', async (width, height, side) => {
		const result = await post({ text: 'x', width, height });
		expect([result.status, result.message()]).toEqual([
			400,
			`${side} is "720"; it must be an integer from 128 to 1536 that is a multiple of 32.`,
		]);
	});

	it.each([
		...[
			'',
			'127',
			'96',
			'0',
			'-512',
			'1537',
			'1568',
			'500',
			'513',
			'512.0',
			'512.5',
			' 512',
			'512 ',
		],
		...[
			'1e3',
			'0x200',
			'0512',
			'+512',
			'512px',
			'abc',
			'NaN',
			'Infinity',
			'５１２',
			'9'.repeat(17),
		],
	])('refuse %j and say what is allowed', async (value) => {
		for (const side of ['width', 'height']) {
			const result = await post({ text: 'x', [side]: value });
			expect([result.status, result.message()]).toEqual([
				400,
				`${side} is "${value}"; it must be an integer from 128 to 1536 that is a multiple of 32.`,
			]);
		}
	});
});

describe('text2img: image_generator_version, resolution, genius_preference', () => {
	it('draws more detail with each better version', async () => {
		const sizes = [];
		for (const image_generator_version of ['standard', 'hd', 'genius']) {
			const result = await post({ text: 'a fox', image_generator_version });
			sizes.push((await fileOf(result)).body.length);
		}
		expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
		expect(new Set(sizes).size).toBe(3);
	});

	const versions = 'standard, hd, genius, super_genius';
	it.each([
		...['', 'Standard', 'HD', 'super-genius', 'ultra'].map(
			(value) => ['image_generator_version', value, {}, versions] as const,
		),
		['resolution', '8k', { image_generator_version: 'super_genius' }, '2k, 4k'],
		[
			'genius_preference',
			'Anime',
			{ image_generator_version: 'genius' },
			'anime, photography, graphic, cinematic',
		],
	] as const)('refuses the %s %j with %j', async (name, value, fields, allowed) => {
		const result = await post({ text: 'x', ...fields, [name]: value });
		expect([result.status, result.message()]).toEqual([
			400,
			`${name} is "${value}"; it must be one of ${allowed}.`,
		]);
	});

	it.each([
		[{}, '2048x1024'],
		[{ resolution: '2k' }, '2048x1024'],
		[{ resolution: '4k' }, '4096x2048'],
	])('makes super_genius images with %j at %s, keeping the aspect ratio', async (fields, size) => {
		const base = { text: 'x', width: '512', height: '256' };
		const made = await sizeOf({ ...base, image_generator_version: 'super_genius', ...fields });
		expect(made).toBe(size);
	});

	it.each(['standard', 'hd', 'genius'])('does not use resolution for %s', async (version) => {
		const fields = { text: 'x', image_generator_version: version, resolution: '8k' };
		expect(await sizeOf(fields)).toBe('512x512');
	});

	it('gives each genius_preference its own look', async () => {
		const looks = new Set<string>();
		for (const genius_preference of ['anime', 'photography', 'graphic', 'cinematic', '']) {
			const preference = genius_preference === '' ? {} : { genius_preference };
			const fields = { text: 'a fox', image_generator_version: 'genius', ...preference };
			looks.add(await pixelsOf((await fileOf(await post(fields))).body));
		}
		expect(looks.size).toBe(5);
	});

	it.each(['standard', 'hd', 'super_genius'])(
		'does not use genius_preference for %s',
		async (v) => {
			const fields = { text: 'x', image_generator_version: v };
			const [without, withIt] = await Promise.all([
				post(fields),
				post({ ...fields, genius_preference: 'nonsense' }),
			]);
			expect((await fileOf(without)).body.equals((await fileOf(withIt)).body)).toBe(true);
		},
	);
});

describe('text2img: the picture', () => {
	it('is identical for the same request and different for another prompt', async () => {
		const [one, two, other] = await Promise.all([
			post({ text: 'a boat' }),
			post({ text: 'a boat' }),
			post({ text: 'a boot' }),
		]);
		const first = (await fileOf(one)).body;
		expect((await fileOf(two)).body.equals(first)).toBe(true);
		expect(await pixelsOf((await fileOf(other)).body)).not.toBe(await pixelsOf(first));
	});
});

describe('text2img as JSON and as a urlencoded form', () => {
	it('takes a JSON body with the same names', async () => {
		const result = await sendJson(sandbox.url, 'text2img', { text: 'x', width: '128' });
		expect((await sharp((await fileOf(result)).body).metadata()).width).toBe(128);
	});

	it.each([
		[{ text: 'x', width: 512 }, 'width must be a string such as "512", not 512.'],
		[{ text: true }, 'text must be a string such as "true", not true.'],
		[{ text: null }, 'text must be a string, not null.'],
		[{ text: ['a'] }, 'text must be a string, not ["a"].'],
		[{ text: { a: 'x'.repeat(70) } }, `text must be a string, not {"a":"${'x'.repeat(54)}….`],
		[[], 'The JSON body must be an object, not "[]".'],
		['null', 'The JSON body must be an object, not "null".'],
		['{"text":', 'The body is not JSON: "{\\"text\\":".'],
	])('refuses the JSON %j', async (body, message) => {
		const result = await sendJson(sandbox.url, 'text2img', body);
		expect([result.status, result.message()]).toEqual([400, message]);
	});
});
