import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { startSandbox, type Sandbox } from '../../sandbox';
import { clients, fileOf, send, sendJson, type Fields } from './clients';
import { brightness, disc, pixel, pixelsOf } from './pictures';

let sandbox: Sandbox;
let photo: Buffer;
beforeAll(async () => {
	sandbox = await startSandbox();
	photo = await disc();
});
afterAll(async () => {
	await sandbox.close();
});

async function post(
	tool: string,
	fields: Fields,
	bytes: Buffer | null = photo,
	name = 'photo.png',
) {
	const files = bytes === null ? {} : { image: { bytes, name } };
	return await clients.undici({ url: sandbox.url, tool, fields, files });
}

async function edited(text: string, more: Fields = {}, bytes = photo): Promise<Buffer> {
	return (await fileOf(await post('image-editor', { text, ...more }, bytes))).body;
}

describe.each(Object.entries(clients))('an image sent with %s', (_name, client) => {
	it('is cut out to a PNG of the same size with alpha', async () => {
		const files = { image: { bytes: photo } };
		const result = await client({ url: sandbox.url, tool: 'background-remover', files });
		const file = await fileOf(result);
		expect(file.headers['content-type']).toBe('image/png');
		expect(result.json()['output_url']).toMatch(/\/output\.png$/);
		expect(await sharp(file.body).metadata()).toMatchObject({
			format: 'png',
			width: 96,
			height: 64,
			hasAlpha: true,
		});
		expect((await pixel(file.body, 2, 2))[3]).toBe(0);
		expect((await pixel(file.body, 94, 62))[3]).toBe(0);
		expect((await pixel(file.body, 40, 34))[3]).toBe(255);
	});

	it('is edited to a JPEG', async () => {
		const files = { image: { bytes: photo } };
		const fields = { text: 'make it grayscale' };
		const result = await client({ url: sandbox.url, tool: 'image-editor', fields, files });
		expect(result.json()['output_url']).toMatch(/\/output\.jpg$/);
		const [red, green, blue] = await pixel((await fileOf(result)).body, 40, 34);
		expect([red, green]).toEqual([green, blue]);
	});
});

describe('the image field', () => {
	it.each(['background-remover', 'image-editor'])(
		'of %s accepts a URL, as a form and as JSON',
		async (tool) => {
			const source = await post('image-editor', { text: 'blur' });
			const image = String(source.json()['output_url']);
			for (const result of [
				await post(tool, { text: 'blur', image }, null),
				await sendJson(sandbox.url, tool, { text: 'blur', image }),
			]) {
				expect((await sharp((await fileOf(result)).body).metadata()).width).toBe(96);
			}
		},
	);

	it.each(['background-remover', 'image-editor'])('of %s is required', async (tool) => {
		const result = await post(tool, { text: 'blur' }, null);
		expect([result.status, result.message()]).toEqual([400, 'image is required and was not sent.']);
	});

	it.each(['data:image/png;base64,AAAA', 'file:///etc/passwd', 'photo.png', 'ftp://a/b.png'])(
		'refuses the URL %s',
		async (image) => {
			const result = await post('background-remover', { image }, null);
			expect([result.status, result.message()]).toEqual([
				400,
				`image is "${image}"; it must be an uploaded file or an http:// or https:// address.`,
			]);
		},
	);

	it('says what a URL returned instead of an image', async () => {
		const image = `${sandbox.url}/job-view-file/gone/output.jpg`;
		const gone = await post('background-remover', { image }, null);
		expect([gone.status, gone.message()]).toEqual([400, `image: "${image}" returned HTTP 404.`]);
		const page = await post('background-remover', { image: `${sandbox.url}/` }, null);
		expect([page.status, page.message()]).toEqual([
			415,
			expect.stringContaining('is not a readable image'),
		]);
	});

	it.each([
		['http://127.0.0.1:1/a.png', 'web clients do not use this port'],
		['http://localhost:3/a.png', 'nothing listens there'],
		['http://nowhere.invalid/a.png', 'there is no such host'],
	])('says why %s cannot be reached', async (image, reason) => {
		const result = await post('background-remover', { image }, null);
		expect([result.status, result.message()]).toEqual([
			400,
			`image: "${image}" could not be fetched (${reason}).`,
		]);
	});

	it('cannot be sent twice', async () => {
		const image = 'http://127.0.0.1:1/a.png';
		const result = await post('background-remover', { image });
		expect([result.status, result.message()]).toEqual([400, 'image was sent more than once.']);
	});

	it('does not accept a file as text', async () => {
		const files = { text: { bytes: Buffer.from('blur'), name: 'a.txt', type: 'text/plain' } };
		const result = await clients.undici({ url: sandbox.url, tool: 'text2img', files });
		expect([result.status, result.message()]).toEqual([
			400,
			'text must be a form field, not a file.',
		]);
	});
});

describe('an image file', () => {
	it.each(['png', 'jpeg', 'webp'] as const)('can be %s', async (format) => {
		expect((await post('background-remover', {}, await disc(format))).status).toBe(200);
	});

	it('can be grey, 16-bit, transparent or animated', async () => {
		const grey = await sharp(photo).greyscale().toColourspace('b-w').png().toBuffer();
		const deep = await sharp(photo).toColourspace('rgb16').png().toBuffer();
		const clear = await sharp(photo).ensureAlpha(0.4).png().toBuffer();
		const greyAlpha = await sharp(grey).ensureAlpha(0.4).toColourspace('b-w').png().toBuffer();
		const gif = await sharp(photo).gif().toBuffer();
		for (const bytes of [grey, deep, clear, greyAlpha, gif]) {
			expect(await sharp(await edited('blur', {}, bytes)).metadata()).toMatchObject({ width: 96 });
			expect((await post('background-remover', {}, bytes)).status).toBe(200);
		}
	});

	it('keeps its transparency', async () => {
		const holed = await sharp(photo)
			.ensureAlpha()
			.composite([
				{
					input: Buffer.from('<svg width="10" height="10"><rect width="10" height="10"/></svg>'),
					left: 35,
					top: 30,
					blend: 'dest-out',
				},
			])
			.png()
			.toBuffer();
		const cut = (await fileOf(await post('background-remover', {}, holed))).body;
		expect((await pixel(cut, 40, 35))[3]).toBe(0);
		expect((await pixel(cut, 28, 34))[3]).toBe(255);
	});

	it('is rotated by its EXIF orientation', async () => {
		const lying = await sharp(photo).jpeg().withMetadata({ orientation: 6 }).toBuffer();
		expect(await sharp(await edited('blur', {}, lying)).metadata()).toMatchObject({
			width: 64,
			height: 96,
		});
	});

	it('is refused with 415 and not charged if it is invalid or truncated', async () => {
		const before = sandbox.ledger.length;
		const cut = (await readFile(astronaut)).subarray(0, 20_000);
		const formats = 'Send JPEG, PNG, WebP, GIF, TIFF, AVIF or SVG.';
		const damaged = (format: string) =>
			`is a ${format} file that cannot be decoded; it may be damaged or cut off.`;
		for (const [bytes, message] of [
			[Buffer.from('hello'), `is not a readable image. ${formats}`],
			[Buffer.alloc(0), `is not a readable image. ${formats}`],
			[photo.subarray(0, 60), damaged('PNG')],
			[cut, damaged('JPEG')],
		] as const) {
			const result = await post('background-remover', {}, bytes, 'bad.png');
			expect([result.status, result.message()]).toEqual([415, `image: "bad.png" ${message}`]);
		}
		expect(sandbox.ledger).toHaveLength(before);
	});
});

describe('an image that is not accepted', () => {
	const heic = Buffer.concat([
		Buffer.from('0000001866747970', 'hex'),
		Buffer.from('heic0000mif1heic'),
	]);
	it.each([
		['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]), 'photo.bmp'],
		['HEIC', heic, 'photo.heic'],
		['HEIC', Buffer.concat([heic, Buffer.alloc(200, 7)]), 'a (photo).heic'],
	])('is refused with the name of its format: %s', async (format, bytes, name) => {
		const result = await post('background-remover', {}, bytes, name);
		expect([result.status, result.message()]).toEqual([
			415,
			`image: ${JSON.stringify(name)} is a ${format} file, which this sandbox cannot read. ` +
				'Send JPEG, PNG, WebP, GIF, TIFF, AVIF or SVG.',
		]);
	});

	it('is refused without naming a path of the machine', async () => {
		const avif = await sharp(photo).avif().toBuffer();
		const broken = [heic, avif.subarray(0, 200), Buffer.from('<svg'), Buffer.from('II*\0')];
		for (const bytes of [...broken, photo.subarray(0, 60)]) {
			const result = await post('background-remover', {}, bytes);
			expect([result.status, result.message()]).toEqual([
				415,
				expect.not.stringMatching(/image-sandbox|upload-/),
			]);
		}
	});

	it('is refused by its header above 50 million pixels and not charged', async () => {
		const before = sandbox.ledger.length;
		const bomb = await sharp({
			create: { width: 8000, height: 6251, channels: 3, background: '#fff' },
			limitInputPixels: false,
		})
			.png()
			.toBuffer();
		for (const tool of ['background-remover', 'image-editor']) {
			const result = await post(tool, { text: 'blur' }, bomb, 'bomb.png');
			expect([result.status, result.message()]).toEqual([
				413,
				'image: "bomb.png" has 8000 x 6251 pixels; the limit is 50 million pixels.',
			]);
		}
		const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>';
		expect((await post('background-remover', {}, Buffer.from(svg))).status).toBe(413);
		expect(sandbox.ledger).toHaveLength(before);
	});
});

const astronaut = join(__dirname, '../../examples/photos/astronaut.jpg');

describe('background-remover', () => {
	it('cuts out the astronaut', async () => {
		const cut = (
			await fileOf(await post('background-remover', {}, await readFile(astronaut), 'astronaut.jpg'))
		).body;
		const { data, info } = await sharp(cut).raw().toBuffer({ resolveWithObject: true });
		const alphaAt = (x: number, y: number) => data[(y * info.width + x) * info.channels + 3];
		const points = (list: string) => list.split(' ').map((point) => point.split(',').map(Number));
		const person = points('225,40 225,130 225,210 120,330 250,300 320,320 180,450');
		const background = points('10,10 30,60 20,200 110,60 330,60 400,40 400,200 480,200 450,300');
		for (const [x = 0, y = 0] of person) expect([x, y, alphaAt(x, y)]).toEqual([x, y, 255]);
		for (const [x = 0, y = 0] of background) expect([x, y, alphaAt(x, y)]).toEqual([x, y, 0]);
	});

	it('ignores text, version and resolution', async () => {
		const fields = { text: 'x', image_generator_version: 'nonsense', resolution: '9k' };
		expect((await post('background-remover', fields)).status).toBe(200);
	});
});

describe('image-editor: text, version, resolution', () => {
	it.each(['standard', 'hd', 'Genius', ''])('refuses version %j', async (version) => {
		const fields = { text: 'blur', image_generator_version: version };
		const result = await post('image-editor', fields);
		expect([result.status, result.message()]).toEqual([
			400,
			`image_generator_version is "${version}"; it must be one of genius, super_genius; ` +
				'leave it out for the standard editor.',
		]);
	});

	it('adds more detail with genius, at the same size', async () => {
		const standard = await edited('blur');
		const genius = await edited('blur', { image_generator_version: 'genius' });
		expect(genius.length).toBeGreaterThan(standard.length * 1.1);
		expect((await sharp(genius).metadata()).width).toBe(96);
	});

	it.each([
		[{}, 2048, 1365],
		[{ resolution: '2k' }, 2048, 1365],
		[{ resolution: '4k' }, 4096, 2731],
	])('makes super_genius images with %j %i x %i pixels', async (fields, width, height) => {
		const more = { image_generator_version: 'super_genius', ...fields };
		expect(await sharp(await edited('blur', more)).metadata()).toMatchObject({ width, height });
	});

	it('uses resolution only for super_genius', async () => {
		const wrong = { resolution: '8k' };
		expect((await post('image-editor', { text: 'blur', ...wrong })).status).toBe(200);
		const genius = { text: 'blur', image_generator_version: 'genius', ...wrong };
		expect((await post('image-editor', genius)).status).toBe(200);
		const best = { text: 'blur', image_generator_version: 'super_genius', ...wrong };
		const result = await post('image-editor', best);
		expect([result.status, result.message()]).toEqual([
			400,
			'resolution is "8k"; it must be one of 2k, 4k.',
		]);
	});
});

describe('image-editor: plain instructions', () => {
	const near = (colour: number[], other: number[]) =>
		colour.every((value, channel) => Math.abs(value - (other[channel] ?? 0)) < 14);
	const red = [204, 34, 34];
	const ground = [238, 238, 255];

	it.each([
		['rotate it left', 64, 96, [34, 55]],
		['rotate right', 64, 96, [29, 40]],
		['turn upside down', 96, 64, [55, 29]],
		['mirror', 96, 64, [55, 34]],
		['flip vertically', 96, 64, [40, 29]],
		['crop to a square', 64, 64, [24, 34]],
		['add a white border', 104, 72, [44, 38]],
		['rotate left, then mirror', 64, 96, [29, 55]],
	])('moves the pixels: %s', async (text, width, height, [x = 0, y = 0]) => {
		const image = await edited(text);
		expect(await sharp(image).metadata()).toMatchObject({ width, height });
		expect(near(await pixel(image, x, y), red)).toBe(true);
	});

	it.each([
		['make it black and white', (p: number[]) => near(p, [85, 85, 85])],
		['sepia please', ([r = 0, g = 0, b = 0]: number[]) => r > g && g > b],
		['invert the colours', (p: number[]) => near(p, [51, 221, 221])],
		['darker', ([r = 0]: number[]) => r < 150],
		['make the image blue', ([r = 0, , b = 0]: number[]) => b > r],
		['less saturated', ([r = 0, g = 0]: number[]) => r - g < 140],
	])('changes the colours: %s', async (text, holds) => {
		expect(holds(await pixel(await edited(text), 40, 34))).toBe(true);
	});

	it('changes brightness, colour temperature and contrast in the right direction', async () => {
		const plain = await brightness(photo);
		expect(await brightness(await edited('brighter'))).toBeGreaterThan(plain);
		expect(await brightness(await edited('darken it'))).toBeLessThan(plain);
		const warm = await pixel(await edited('warmer'), 5, 5);
		const cool = await pixel(await edited('cooler'), 5, 5);
		expect((warm[0] ?? 0) - (warm[2] ?? 0)).toBeGreaterThan((cool[0] ?? 0) - (cool[2] ?? 0));
		const spread = async (image: Buffer) => (await sharp(image).stats()).channels[1]?.stdev ?? 0;
		expect(await spread(await edited('more contrast'))).toBeGreaterThan(
			await spread(await edited('less contrast')),
		);
	});

	it('blurs, sharpens, pixelates, posterizes and saturates', async () => {
		const images = await Promise.all(
			['blur', 'sharpen', 'pixelate', 'cartoon', 'more colourful'].map(
				async (t) => await edited(t),
			),
		);
		const distinct = new Set(await Promise.all([photo, ...images].map(pixelsOf)));
		expect(distinct.size).toBe(6);
		expect(near(await pixel(images[0] ?? photo, 5, 5), ground)).toBe(true);
	});

	it('applies several edits in the order of the instruction', async () => {
		const first = await edited('invert, then add a white frame');
		const last = await edited('add a white frame, then invert');
		expect(near(await pixel(first, 1, 1), [255, 255, 255])).toBe(true);
		expect(near(await pixel(last, 1, 1), [0, 0, 0])).toBe(true);
	});

	it('adds a note to the ledger only if it did not understand', async () => {
		await edited('blur it');
		expect(sandbox.ledger.at(-1)).not.toHaveProperty('note');
		await edited('add a hat');
		expect(sandbox.ledger.at(-1)?.note).toBe(
			'The sandbox did not understand the whole instruction, so it added the text as a caption.',
		);
	});

	it('changes the picture in the same way each time if it does not understand', async () => {
		const [one, two] = [await edited('add a hat'), await edited('add a hat')];
		expect(one.equals(two)).toBe(true);
		const before = await sharp(photo).flatten().raw().toBuffer();
		const after = await sharp(one).raw().toBuffer();
		const changed = after.filter((value, index) => Math.abs(value - (before[index] ?? 0)) > 8);
		expect(changed.length).toBeGreaterThan(before.length / 20);
	});
});

describe('echoImages and the size limit', () => {
	it('returns an upload unchanged, with the type of its first bytes', async () => {
		const echo = await startSandbox({ echoImages: true });
		try {
			const jpeg = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(5_000_000, 7)]);
			for (const [bytes, type] of [
				[jpeg, 'image/jpeg'],
				[photo, 'image/png'],
			] as const) {
				const files = { image: { bytes } };
				const call = { url: echo.url, tool: 'background-remover', files };
				const file = await fileOf(await clients['form-data'](call));
				expect(file.headers['content-type']).toBe(type);
				expect(file.body.equals(bytes)).toBe(true);
			}
		} finally {
			await echo.close();
		}
	});

	it('refuses a larger image with 413, uploaded or fetched, and charges nothing', async () => {
		const small = await startSandbox({ maxImageBytes: 1000 });
		try {
			const bytes = Buffer.alloc(200_000, 1);
			for (const client of Object.values(clients)) {
				const files = { image: { bytes, name: 'big.png' } };
				const result = await client({ url: small.url, tool: 'background-remover', files });
				expect([result.status, result.message()]).toEqual([
					413,
					'image: "big.png" is larger than 1000 bytes.',
				]);
			}
			const large = await post('text2img', { text: 'x' }, null);
			const image = String(large.json()['output_url']);
			const fetched = await sendJson(small.url, 'background-remover', { image });
			expect([fetched.status, fetched.message()]).toEqual([
				413,
				expect.stringContaining('is larger than 1000 bytes.'),
			]);
			expect(small.ledger).toEqual([]);
		} finally {
			await small.close();
		}
	});

	it('refuses a text above 1 MiB with 413', async () => {
		const text = 'x'.repeat(1024 * 1024 + 1);
		expect((await post('text2img', { text }, null)).status).toBe(413);
		expect((await sendJson(sandbox.url, 'text2img', { text })).status).toBe(413);
	});

	it('serves HEAD, and responds with a JSON 404 if a file does not exist', async () => {
		const made = await post('text2img', { text: 'x' }, null);
		const headed = await send(String(made.json()['output_url']), { method: 'HEAD' });
		expect([headed.status, headed.body.length]).toEqual([200, 0]);
		const gone = await send(`${sandbox.url}/job-view-file/x/output.jpg`);
		expect([gone.status, gone.message()]).toEqual([
			404,
			'There is no file at /job-view-file/x/output.jpg.',
		]);
	});
});
