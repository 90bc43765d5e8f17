import type { INodeParameters } from 'n8n-workflow';
import sharp from 'sharp';

import { useFixture } from '../support/fixture';

const fixture = useFixture();

/** The test's only paid request: its path, its text parts in order and its files. */
function wire() {
	const [call, ...more] = fixture.calls();
	expect(more).toEqual([]);
	return {
		path: call?.path,
		fields: call?.fields,
		order: call?.fieldOrder,
		files: call?.files.map(({ field, fileName, mimeType }) => ({ field, fileName, mimeType })),
	};
}

describe('Generate Image', () => {
	it('sends the prompt, the default size and the default version, and nothing else', async () => {
		const { error } = await fixture.run({ operation: 'generate', prompt: 'A red fox' });

		expect(error).toBeUndefined();
		expect(wire()).toEqual({
			path: '/api/text2img',
			fields: {
				text: 'A red fox',
				width: '512',
				height: '512',
				image_generator_version: 'standard',
			},
			order: ['text', 'width', 'height', 'image_generator_version'],
			files: [],
		});
	});

	it.each([
		['landscape', 'standard', '1024x720'],
		['tall', 'hd', '832x1216'],
	])(
		'sends the pixels of %s with %s and gets an image of that size',
		async (size, version, pixels) => {
			const { rows } = await fixture.run({ operation: 'generate', prompt: 'A fox', size, version });

			const { width, height } = await sharp(
				await fixture.engine.bytesOf(rows[0]?.binary?.data),
			).metadata();
			expect(`${width}x${height}`).toBe(pixels);
			expect(wire().fields).toMatchObject({ width: String(width), height: String(height) });
		},
	);

	const standard = {
		...{ text: 'A fox', width: '512', height: '512', image_generator_version: 'standard' },
	};
	const large = (image_generator_version: string) => ({
		...{ text: 'A fox', width: '1024', height: '1024', image_generator_version },
	});
	const cases: Array<[what: string, parameters: INodeParameters, fields: object]> = [
		...[
			['1024x576', '1024', '576'],
			['832x1216', '832', '1216'],
			['640 x 384', '640', '384'],
			['128X1536', '128', '1536'],
			['={{ "256x" + (8 * 32) }}', '256', '256'],
		].map(([size = '', width, height]): (typeof cases)[number] => [
			`the width and height of the size ${size}`,
			{ size },
			{ ...standard, width, height },
		]),
		[
			'a custom width and height, even as text',
			{ size: 'custom', width: 160, height: '={{ "192" }}' },
			{ ...standard, width: '160', height: '192' },
		],
		[
			'no custom width and height with another size',
			{ size: 'portrait', width: 160, height: 160 },
			{ ...standard, width: '768', height: '1024' },
		],
		[
			'the resolution with super_genius, 2k by default',
			{ version: 'super_genius' },
			{ ...large('super_genius'), resolution: '2k' },
		],
		[
			'no resolution or style with a version without them',
			{ version: 'hd', resolution: '4k', geniusPreference: 'anime' },
			large('hd'),
		],
		...['anime', 'cinematic', 'graphic', 'photography'].map((style): (typeof cases)[number] => [
			`the style ${style} with the version genius`,
			{ version: 'genius', geniusPreference: style, resolution: '4k' },
			{ ...large('genius'), genius_preference: style },
		]),
		['no style if none was chosen', { version: 'genius' }, large('genius')],
		[
			'the negative prompt',
			{ options: { negativePrompt: 'snow' } },
			{ ...standard, negative_prompt: 'snow' },
		],
		['no empty negative prompt', { options: { negativePrompt: '' } }, standard],
		['no negative prompt of null', { options: { negativePrompt: '={{ null }}' } }, standard],
		['a numeric prompt as text', { prompt: '={{ 2026 }}' }, { ...standard, text: '2026' }],
		[
			'every character of the prompt, with quotes, emoji and line breaks',
			{ prompt: 'A "fox" – füchslein 🦊\nin snow; --x' },
			// Multipart forms use CRLF.
			{ ...standard, text: 'A "fox" – füchslein 🦊\r\nin snow; --x' },
		],
	];
	it.each(cases)('sends %s', async (_what, parameters, fields) => {
		await fixture.run({ operation: 'generate', prompt: 'A fox', ...parameters });

		expect(wire().fields).toEqual(fields);
	});
});

describe('Remove Background', () => {
	it('sends the image as a file with its name and type, and nothing else', async () => {
		await fixture.run({ operation: 'removeBackground' }, { items: [await fixture.photo()] });

		expect(wire()).toEqual({
			path: '/api/background-remover',
			fields: {},
			order: ['image'],
			files: [{ field: 'image', fileName: 'astronaut.jpg', mimeType: 'image/jpeg' }],
		});
	});

	it('omits the fields of other operations', async () => {
		await fixture.run(
			{
				operation: 'removeBackground',
				prompt: 'not this',
				version: 'super_genius',
				resolution: '4k',
				size: '1024x576',
				options: { negativePrompt: 'not this either' },
			},
			{ items: [await fixture.photo()] },
		);

		expect(wire().order).toEqual(['image']);
	});
});

describe('Edit Photo', () => {
	it('sends the image and the instruction, but not the standard version', async () => {
		await fixture.run(
			{ operation: 'edit', prompt: 'Make it grayscale' },
			{ items: [await fixture.photo()] },
		);

		expect(wire()).toEqual({
			path: '/api/image-editor',
			fields: { text: 'Make it grayscale' },
			order: ['text', 'image'],
			files: [{ field: 'image', fileName: 'astronaut.jpg', mimeType: 'image/jpeg' }],
		});
	});

	it.each([
		['genius', '4k', {}],
		['super_genius', '2k', { resolution: '2k' }],
	])('sends the version %s of %s with %j', async (version, resolution, more) => {
		await fixture.run(
			{ operation: 'edit', prompt: 'Blur it', version, resolution },
			{ items: [await fixture.photo()] },
		);

		expect(wire().fields).toEqual({
			...{ text: 'Blur it', image_generator_version: version, ...more },
		});
	});
});

describe('every paid request', () => {
	it('has the key in the header api-key, accepts JSON and declares its length', async () => {
		await fixture.run({ operation: 'removeBackground' }, { items: [await fixture.photo()] });

		const [call] = fixture.calls();
		expect(call?.headers['api-key']).toBe('test-key');
		expect(call?.headers.accept).toBe('application/json');
		expect(call?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(call?.headers['content-length']).toBe(String(call?.bytesReceived));
		expect(call?.headers['transfer-encoding']).toBeUndefined();
	});

	it('uses each item’s own parameters', async () => {
		const { rows } = await fixture.run(
			{
				operation: 'generate',
				prompt: '={{ $json.title }}',
				size: '={{ $json.size }}',
				version: '={{ $json.version }}',
				resolution: '2k',
				geniusPreference: '={{ $json.style }}',
				options: { negativePrompt: '={{ $json.without }}', concurrency: 1 },
			},
			{
				items: [
					{ json: { title: 'One', size: '128x128', version: 'standard', style: 'anime' } },
					{ json: { title: 'Two', size: '160x128', version: 'genius', style: 'graphic' } },
					{ json: { title: 'Three', size: '128x160', version: 'hd', without: 'snow' } },
				],
			},
		);

		expect(rows).toHaveLength(3);
		expect(fixture.calls().map(({ fields }) => fields)).toEqual([
			{ text: 'One', width: '128', height: '128', image_generator_version: 'standard' },
			{
				text: 'Two',
				width: '160',
				height: '128',
				image_generator_version: 'genius',
				genius_preference: 'graphic',
			},
			{
				text: 'Three',
				width: '128',
				height: '160',
				image_generator_version: 'hd',
				negative_prompt: 'snow',
			},
		]);
	});
});

describe('an image URL', () => {
	it('is sent as text in the field image', async () => {
		const imageUrl = `${fixture.sandbox.url}/missing.png`;
		await fixture.run({ operation: 'removeBackground', inputType: 'url', imageUrl });

		expect(wire()).toMatchObject({ fields: { image: imageUrl }, order: ['image'], files: [] });
	});

	it('is sent as a file if it is a data: URL', async () => {
		const png =
			'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==';
		await fixture.run({
			operation: 'edit',
			prompt: 'Invert',
			inputType: 'url',
			imageUrl: `data:image/png;base64,${png}`,
		});

		expect(wire()).toMatchObject({
			fields: { text: 'Invert' },
			files: [{ field: 'image', fileName: 'image.png', mimeType: 'image/png' }],
		});
		expect(fixture.calls()[0]?.files[0]?.bytes).toBe(Buffer.from(png, 'base64').length);
	});
});
