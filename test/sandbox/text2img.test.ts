import sharp from 'sharp';
import { settle } from '../../sandbox/tools/parameters';
import { text2img } from '../../sandbox/tools/text2img';
import { send, type Fields } from './clients';
import { formOf, make, pixelsOf } from './pictures';
import { useSandbox } from './useSandbox';

const service = useSandbox();
const post = async (fields: Fields) => await service.form('text2img', fields);
const pictureOf = async (fields: Fields) => (await make(text2img, fields)).picture;
const settings = (fields: Fields) => settle(text2img.parameters, formOf(fields));

async function sizeOf(fields: Fields) {
	const { width, height } = await sharp(await pictureOf({ text: 'x', ...fields })).metadata();
	return `${width}x${height}`;
}

describe('text', () => {
	it('accepts every script, markup and control characters', async () => {
		const text = 'Лиса 狐狸 🦊 <svg>&amp;"\u0007\u0000';
		expect((await post({ text })).status).toBe(200);
		expect(service.sandbox.ledger.at(-1)?.fields).toStrictEqual({ text });
	});

	it('is required', async () => {
		const headers = { 'api-key': 'test-key' };
		const nothing = await send(`${service.sandbox.url}/api/text2img`, { method: 'POST', headers });
		const missing = [400, 'text is required and was not sent.'];
		expect([nothing.outcome(), (await post({ width: '512' })).outcome()]).toStrictEqual([
			missing,
			missing,
		]);
		const empty = [400, 'text is required and was sent empty.'];
		expect((await post({ text: '  ' })).outcome()).toStrictEqual(empty);
	});
});

describe('width and height', () => {
	it('default to 512 separately', async () => {
		expect(await sizeOf({})).toBe('512x512');
		expect(await sizeOf({ width: '256' })).toBe('256x512');
		expect(await sizeOf({ height: '256' })).toBe('512x256');
	});

	it.each(['1024x720', '128x1536', '160x128'])('set the exact size: %s', async (size) => {
		const [width = '', height = ''] = size.split('x');
		expect(await sizeOf({ width, height })).toBe(size);
	});

	const rule = 'it must be an integer from 128 to 1536 that is a multiple of 32.';

	it.each([
		['720', '1024', 'width'],
		['1152', '720', 'height'],
	])('refuse %sx%s: 720 is valid only in the recommended 1024x720', async (width, height, side) => {
		const answer = await post({ text: 'x', width, height });
		expect(answer.outcome()).toStrictEqual([400, `${side} is "720"; ${rule}`]);
	});

	const invalid = '|96|-512|1568|500|512.0|512.5| 512|1e3|0x200|0512|+512|512px|NaN|５１２';
	it.each(invalid.split('|'))('refuse %j and say what is allowed', (at) => {
		for (const side of ['width', 'height']) {
			const message = `${side} is "${at}"; ${rule}`;
			expect(() => settings({ text: 'x', [side]: at })).toThrow(message);
		}
	});
});

describe('image_generator_version, resolution and genius_preference', () => {
	const versions = 'standard, hd, genius, super_genius';
	const preferences = 'anime, photography, graphic, cinematic';
	it.each([
		['image_generator_version', '', '', versions],
		['image_generator_version', 'Standard', '', versions],
		['resolution', '8k', 'super_genius', '2k, 4k'],
		['genius_preference', 'Anime', 'genius', preferences],
	])('refuse the %s %j with the version %j', (name, value, version, allowed) => {
		const fields = { text: 'x', image_generator_version: version, [name]: value };
		const message = `${name} is "${value}"; it must be one of ${allowed}.`;
		expect(() => settings(fields)).toThrow(message);
	});

	it.each([
		[{}, '2048x256'],
		[{ resolution: '2k' }, '2048x256'],
		[{ resolution: '4k' }, '4096x512'],
	])('make super_genius images with %j at %s, keeping the aspect ratio', async (fields, size) => {
		const base = { width: '1024', height: '128', image_generator_version: 'super_genius' };
		expect(await sizeOf({ ...base, ...fields })).toBe(size);
	});

	it.each([
		['standard', { resolution: 'nonsense', genius_preference: 'nonsense' }],
		['hd', { resolution: 'nonsense', genius_preference: 'nonsense' }],
		['genius', { resolution: 'nonsense' }],
		['super_genius', { genius_preference: 'nonsense' }],
	])('are independent: %s does not use %j', async (version, unused) => {
		const fields = { text: 'x', width: '1024', height: '128', image_generator_version: version };
		expect(await pictureOf({ ...fields, ...unused })).toStrictEqual(await pictureOf(fields));
	});

	it('give each genius_preference its own look', async () => {
		const looks = preferences.split(', ').map((genius_preference) => ({ genius_preference }));
		const fields = { text: 'a fox', image_generator_version: 'genius' };
		const pictures = [{}, ...looks].map(async (look) => await pictureOf({ ...fields, ...look }));
		expect(new Set(await Promise.all((await Promise.all(pictures)).map(pixelsOf))).size).toBe(5);
	});
});

it('draws the same picture for the same request and another for another prompt', async () => {
	const texts = ['a boat', 'a boat', 'a boot'];
	const [one, two, other] = await Promise.all(texts.map(async (text) => await pictureOf({ text })));
	expect(one).toStrictEqual(two);
	expect(await pixelsOf(other ?? Buffer.alloc(0))).not.toBe(await pixelsOf(one ?? Buffer.alloc(0)));
});
