import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { startSandbox, type Sandbox } from '../../sandbox';
import { clients, fileOf, type Fields } from './clients';
import { disc, pixel } from './pictures';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

async function make(tool: string, fields: Fields, image?: Buffer): Promise<Buffer> {
	const files = image === undefined ? {} : { image: { bytes: image } };
	const result = await clients.undici({ url: sandbox.url, tool, fields, files });
	return (await fileOf(result)).body;
}

/** Shares of the pixels of each row, from the top, that differ in two pictures of the same size. */
async function differences(one: Buffer, other: Buffer): Promise<number[]> {
	const [before, after] = await Promise.all(
		[one, other].map(async (image) => await sharp(image).greyscale().raw().toBuffer()),
	);
	const { width, height } = await sharp(one).metadata();
	return Array.from({ length: height }, (_, y) => {
		const row = before?.subarray(y * width, (y + 1) * width) ?? [];
		return (
			row.filter((value, x) => Math.abs(value - (after?.[y * width + x] ?? 0)) > 24).length / width
		);
	});
}

describe('the metadata of a picture', () => {
	async function metadataOf(image: Buffer): Promise<Record<string, string>> {
		const { xmp = Buffer.alloc(0) } = await sharp(image).metadata();
		const elements = xmp.toString('utf8').matchAll(/<(xmp|sandbox):(\w+)>(.*?)<\/\1:\2>/gs);
		const decode = (text: string) =>
			text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
		return Object.fromEntries(
			[...elements].map(([, , name = '', text = '']) => [name, decode(text)]),
		);
	}
	const CreatorTool = 'Image API sandbox (no AI model)';

	it('says that the sandbox generated it, from which prompt, settings and seed', async () => {
		const text = '<b>"Лиса" & 狐狸</b>\u0007 🦊';
		const metadata = await metadataOf(
			await make('text2img', { text, width: '128', height: '160' }),
		);
		expect(metadata).toEqual({
			CreatorTool,
			tool: 'text2img',
			prompt: '<b>"Лиса" & 狐狸</b> 🦊',
			settings: '{"width":"128","height":"160","image_generator_version":"standard"}',
			seed: metadata['seed'],
		});
		expect(metadata['seed']).toMatch(/^\d+$/);
		const other = await metadataOf(await make('text2img', { text: 'other' }));
		expect(other['seed']).not.toBe(metadata['seed']);
	});

	it('says by which instruction the sandbox edited it', async () => {
		const fields = { text: 'add a hat', image_generator_version: 'genius' };
		expect(await metadataOf(await make('image-editor', fields, await disc()))).toMatchObject({
			CreatorTool,
			tool: 'image-editor',
			prompt: 'add a hat',
			settings: '{"image_generator_version":"genius"}',
		});
	});

	it('says that the sandbox cut it out', async () => {
		const metadata = await metadataOf(await make('background-remover', {}, await disc()));
		expect(metadata).toEqual({ CreatorTool, tool: 'background-remover', settings: '{}' });
	});

	it('has room for the start of a long prompt', async () => {
		const text = 'long '.repeat(100_000);
		const { prompt } = await metadataOf(await make('text2img', { text, negative_prompt: text }));
		expect(prompt).toBe(text.slice(0, 2000));
	});
});

describe('negative_prompt', () => {
	const fields = { text: 'a red fox at night in the mountains' };

	it.each([
		['the moon', 0, 0.7],
		['stars', 0, 0.7],
		['fox', 0.3, 0.9],
		['animals', 0.3, 0.9],
		['Mountains, hills', 0.5, 0.95],
		['text', 0.85, 1],
		['red', 0.3, 0.9],
	])('takes out %s and leaves the rest', async (negative_prompt, top, bottom) => {
		const [plain, without] = [
			await make('text2img', fields),
			await make('text2img', { ...fields, negative_prompt }),
		];
		const rows = await differences(plain, without);
		const changed = rows.flatMap((share, y) => (share > 0.01 ? [y / rows.length] : []));
		expect(changed.length).toBeGreaterThan(2);
		expect(Math.min(...changed)).toBeGreaterThanOrEqual(top);
		expect(Math.max(...changed)).toBeLessThanOrEqual(bottom);
	});

	it.each(['blurry, a low-quality dog', 'constructor, hasOwnProperty, __proto__'])(
		'leaves a picture as it is if it has nothing of that: %s',
		async (negative_prompt) => {
			const [plain, without] = [
				await make('text2img', fields),
				await make('text2img', { ...fields, negative_prompt }),
			];
			expect(Math.max(...(await differences(plain, without)))).toBe(0);
		},
	);
});

describe('the caption', () => {
	it.each([
		[1200, 800],
		[800, 1200],
		[96, 64],
		[2000, 200],
	])('can be read on a picture of %i x %i', async (width, height) => {
		const white = { create: { width, height, channels: 3, background: '#fff' } } as const;
		const image = await make(
			'image-editor',
			{ text: 'ADD A HAT' },
			await sharp(white).png().toBuffer(),
		);
		const { data } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
		const band = Array.from({ length: height }, (_, y) => y).filter(
			(y) => (data[y * width + width - 1] ?? 255) < 140,
		);
		// Letters take more than half of the band's height.
		expect(band.length).toBeGreaterThanOrEqual(Math.min(width, height) / 20);
		expect(band.length).toBeLessThan(height / 2);
		const letters = band.filter((y) =>
			data.subarray(y * width, (y + 1) * width).some((v) => v > 200),
		);
		expect(letters.length).toBeGreaterThan(band.length * 0.3);
	});
});

describe('edits', () => {
	it('take a share in percent', async () => {
		const grey = { create: { width: 8, height: 8, channels: 3, background: '#646464' } } as const;
		const source = await sharp(grey).png().toBuffer();
		for (const [text, value] of [
			['make it 20% brighter', 120],
			['make it 30% darker', 70],
			['reduce the contrast by 50%', 114],
		] as const) {
			const [red = 0] = await pixel(await make('image-editor', { text }, source), 4, 4);
			expect(Math.abs(red - value)).toBeLessThanOrEqual(2);
		}
	});

	it.each([
		[1, 1],
		[1, 300],
		[3, 2],
	])('work on a picture of %i x %i', async (width, height) => {
		const tiny = { create: { width, height, channels: 3, background: '#646464' } } as const;
		const source = await sharp(tiny).png().toBuffer();
		const texts =
			'cartoon|blur|sharpen|pixelate|square|rotate 45|add a border|add a hat|make it red';
		for (const text of texts.split('|')) {
			const image = await make('image-editor', { text }, source);
			expect([text, (await sharp(image).metadata()).format]).toEqual([text, 'jpeg']);
		}
		const cut = await sharp(await make('background-remover', {}, source)).metadata();
		expect(cut).toMatchObject({ width, height, hasAlpha: true });
	});
});

it('leaves no colours where a cut-out is transparent, which saves a third of its size', async () => {
	const photo = await readFile(join(__dirname, '../../examples/photos/astronaut.jpg'));
	const cut = await make('background-remover', {}, photo);
	const { data } = await sharp(cut).raw().toBuffer({ resolveWithObject: true });
	const hidden = data.filter((_, at) => at % 4 < 3 && data[at - (at % 4) + 3] === 0);
	expect(hidden.length).toBeGreaterThan(100_000);
	expect(hidden.every((value) => value === 0)).toBe(true);
	expect(cut.length).toBeLessThan(360_000);
});
