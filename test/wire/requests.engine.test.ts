import { useFixture } from '../support/fixture';
import { fox, generate, removeBackground } from '../support/runs';

const fixture = useFixture();

/** The test's only paid request: its path, its text parts in order and its files. */
function wire() {
	const [call, ...more] = fixture.calls();
	expect(more).toStrictEqual([]);
	return {
		path: call?.path,
		fields: call?.fields,
		order: call?.fieldOrder,
		files: call?.files.map(({ field, fileName, mimeType }) => ({ field, fileName, mimeType })),
	};
}
const PHOTO_FILE = { field: 'image', fileName: 'astronaut.jpg', mimeType: 'image/jpeg' };
/** Fields of another operation, or of other values, than the one that is chosen. */
const HIDDEN = { resolution: '4k', geniusPreference: 'anime', width: 160, height: 160 };

const ADDED = [
	{ name: 'seed', value: '={{ 6 * $json.seed }}' },
	{ name: 'mode', value: ' Ünïcode, "quoted" ' },
	{ name: 'empty', value: '' },
];

describe('Generate Image', () => {
	const standard = {
		text: 'A fox',
		width: '512',
		height: '512',
		image_generator_version: 'standard',
	};
	const large = (image_generator_version: string) => ({
		text: 'A fox',
		width: '1024',
		height: '1024',
		image_generator_version,
	});

	it('sends the prompt, the default size and the default version, and nothing else', async () => {
		await fixture.run({ operation: 'generate', prompt: 'A fox' });

		expect(wire()).toStrictEqual({
			path: '/api/text2img',
			fields: standard,
			order: ['text', 'width', 'height', 'image_generator_version'],
			files: [],
		});
	});

	it.each<[what: string, parameters: object, fields: object]>([
		[
			'a size by an expression',
			{ size: '={{ "256x" + (8 * 32) }}' },
			{ ...standard, width: '256', height: '256' },
		],
		[
			'no custom width and height with another size, and no resolution or style of other versions',
			{ ...HIDDEN, size: 'portrait', version: 'hd' },
			{ ...large('hd'), width: '896', height: '1152' },
		],
		[
			'the resolution with super_genius, 2k by default',
			{ version: 'super_genius' },
			{ ...large('super_genius'), resolution: '2k' },
		],
		[
			'the style with genius',
			{ ...HIDDEN, version: 'genius' },
			{ ...large('genius'), genius_preference: 'anime' },
		],
		['no style if none was chosen', { version: 'genius' }, large('genius')],
		[
			'the negative prompt',
			{ options: { negativePrompt: 'snow' } },
			{ ...standard, negative_prompt: 'snow' },
		],
		[
			'additional fields as they are, which an expression may fill in',
			{ options: { additionalFields: { field: ADDED } } },
			{ ...standard, seed: '42', mode: ' Ünïcode, "quoted" ', empty: '' },
		],
		[
			'every character of the prompt, with quotes, emoji and line breaks',
			{ prompt: 'A "fox" – füchslein 🦊\nin snow; --x' },
			// Multipart forms use CRLF.
			{ ...standard, text: 'A "fox" – füchslein 🦊\r\nin snow; --x' },
		],
	])('sends %s', async (_what, parameters, fields) => {
		const items = [{ json: { seed: 7 } }];
		await fixture.run({ operation: 'generate', prompt: 'A fox', ...parameters }, { items });

		expect(wire().fields).toStrictEqual(fields);
	});
});

describe('Remove Background', () => {
	it('sends the image as a file with its name and type, and no field of other operations but an additional one', async () => {
		const own = { name: 'image_generator_version', value: 'hd' };
		await fixture.run(
			{
				...generate(),
				...HIDDEN,
				version: 'super_genius',
				...removeBackground({ options: { additionalFields: { field: [own] } } }),
			},
			{ items: [await fixture.photo()] },
		);

		expect(wire()).toStrictEqual({
			path: '/api/background-remover',
			fields: { image_generator_version: 'hd' },
			order: ['image_generator_version', 'image'],
			files: [PHOTO_FILE],
		});
	});
});

describe('Edit Photo', () => {
	it.each([
		['standard', '4k', {}],
		['genius', '4k', { image_generator_version: 'genius' }],
		['super_genius', '2k', { image_generator_version: 'super_genius', resolution: '2k' }],
	])(
		'sends the image and the instruction, and with %s in %s %j',
		async (version, resolution, more) => {
			await fixture.run(
				{ operation: 'edit', prompt: 'Blur it', version, resolution },
				{ items: [await fixture.photo()] },
			);

			expect(wire()).toStrictEqual({
				path: '/api/image-editor',
				fields: { text: 'Blur it', ...more },
				order: ['text', ...Object.keys(more), 'image'],
				files: [PHOTO_FILE],
			});
		},
	);
});

describe('every paid request', () => {
	it('has the key in the header api-key, accepts JSON and declares its length', async () => {
		await fixture.run(removeBackground(), { items: [await fixture.photo()] });

		const [call] = fixture.calls();
		expect(call?.headers).toMatchObject({
			'api-key': 'test-key',
			accept: 'application/json',
			'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
			'content-length': String(call?.bytesReceived),
		});
		expect(call?.headers['transfer-encoding']).toBeUndefined();
	});

	it('that was refused for free is repeated as soon as Retry-After allows, with its whole image', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0', times: 3 });
		const { error } = await fixture.run(removeBackground(), { items: [await fixture.photo()] });

		expect(error).toBeUndefined();
		expect(fixture.calls().map(({ status }) => status)).toStrictEqual([429, 429, 429, 200]);
		expect(fixture.calls().map(({ files: [file] }) => file?.bytes)).toStrictEqual(
			Array(4).fill(44473),
		);
		expect(fixture.charged()).toBe(1);
	});
});

it('an image in an odd response is delivered, because it is paid for', async () => {
	const [before] = (await fixture.run(fox())).rows;
	const { id, output_url } = before?.json ?? {};
	fixture.sandbox.arm({ fault: 'status', status: 200, body: [{ id, output_url }] });
	const result = await fixture.run(fox());

	expect(result.rows.map(({ json }) => json)).toStrictEqual([before?.json]);
	expect(result.rows[0]?.binary?.data?.fileSize).toBe(before?.binary?.data?.fileSize);
});
