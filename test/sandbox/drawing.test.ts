import sharp from 'sharp';
import { text2img } from '../../sandbox/tools/text2img';
import type { Fields } from './clients';
import { make } from './pictures';

const generated = async (fields: Fields) => (await make(text2img, fields)).picture;

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
		const size = { width: '128', height: '160' };
		const metadata = await metadataOf(await generated({ text, ...size }));
		expect(metadata).toStrictEqual({
			CreatorTool,
			tool: 'text2img',
			prompt: '<b>"Лиса" & 狐狸</b> 🦊',
			settings: '{"width":"128","height":"160","image_generator_version":"standard"}',
			seed: expect.stringMatching(/^\d+$/) as unknown,
		});
		const other = await metadataOf(await generated({ text: 'other', ...size }));
		expect(other['seed']).not.toBe(metadata['seed']);
	});

	it('has room for the start of a long prompt', async () => {
		const text = 'long '.repeat(100_000);
		const { prompt } = await metadataOf(await generated({ text, negative_prompt: text }));
		expect(prompt).toBe(text.slice(0, 2000));
	});
});

describe('negative_prompt', () => {
	const fields = { text: 'a red fox at night in the mountains' };

	/** Shares of the pixels of each row, from the top, that a negative prompt changes. */
	async function changedBy(negative_prompt: string): Promise<number[]> {
		const pictures = [fields, { ...fields, negative_prompt }].map(async (call) => {
			const grey = sharp(await generated(call)).greyscale();
			return await grey.raw().toBuffer({ resolveWithObject: true });
		});
		const [before, after] = await Promise.all(pictures);
		const { width = 0, height = 0 } = before?.info ?? {};
		return Array.from({ length: height }, (_, y) => {
			const row = before?.data.subarray(y * width, (y + 1) * width) ?? Buffer.alloc(0);
			const differs = (value: number, x: number) =>
				Math.abs(value - (after?.data[y * width + x] ?? 0)) > 24;
			return row.filter(differs).length / width;
		});
	}

	it.each([
		['the moon', 0, 0.7],
		['fox', 0.3, 0.9],
		['Mountains, hills', 0.5, 0.95],
		['text', 0.85, 1],
		['red', 0.3, 0.9],
	])('takes out %s and leaves the rest', async (negative, top, bottom) => {
		const rows = await changedBy(negative);
		const changed = rows.flatMap((share, y) => (share > 0.01 ? [y / rows.length] : []));
		expect(changed.length).toBeGreaterThan(2);
		expect(Math.min(...changed)).toBeGreaterThanOrEqual(top);
		expect(Math.max(...changed)).toBeLessThanOrEqual(bottom);
	});

	it.each(['blurry, a low-quality dog', 'constructor, hasOwnProperty, __proto__'])(
		'leaves a picture as it is if it has nothing of that: %s',
		async (negative) => {
			expect(Math.max(...(await changedBy(negative)))).toBe(0);
		},
	);
});
