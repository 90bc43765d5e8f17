import { readFileSync } from 'node:fs';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import sharp from 'sharp';

import { PHOTO, useFixture } from '../support/fixture';
import { gif, sha256 } from '../support/images';
import { forgetPurchases } from '../support/remembered';
import { hintsOf, removeBackground } from '../support/runs';

const BY_EXPRESSION = '={{ $json.photo }}';
const photo = readFileSync(PHOTO);

describe('with files of other systems,', () => {
	const fixture = useFixture({ echoImages: true });
	const run = async (parameters: object, item: object) => {
		// The service returns each image as it is, so that a second run would get its own result.
		forgetPurchases();
		return await fixture.run(removeBackground(parameters), {
			items: [{ json: {}, ...item } as INodeExecutionData],
		});
	};
	const sentHashes = () => fixture.calls().map(({ files }) => files[0]?.sha256);

	it.each<[what: string, file: (bytes: Buffer) => unknown]>([
		['a Buffer of a database', (bytes) => bytes],
		['a Buffer that was stored as JSON', (bytes) => bytes.toJSON()],
	])('%s is sent byte for byte, by its expression and by its name', async (_what, file) => {
		const json = { photo: file(gif('a')) as IDataObject };
		await run({ binaryPropertyName: BY_EXPRESSION }, { json });
		await run({ binaryPropertyName: 'photo' }, { json });
		await run({ inputType: 'all' }, { json });

		expect(sentHashes()).toStrictEqual(Array(3).fill(sha256(gif('a'))));
		expect(fixture.charged()).toBe(3);
	});

	const FORM = { submittedAt: '2026-11-28T12:00:00.000Z', formMode: 'production' };

	it.each([{}, { inputType: 'all' }])(
		'a form’s visitor who uploads no image is told from one who uploads nothing: %j',
		async (parameters) => {
			const Your_photo = await fixture.engine.store(
				Buffer.from('%PDF-1.7'),
				'offer.pdf',
				'application/pdf',
			);
			const pdf = await run(parameters, { json: FORM, binary: { Your_photo } });
			const nothing = await run(parameters, { json: FORM });

			expect([pdf.error?.message, pdf.error?.description]).toStrictEqual([
				expect.stringContaining('files is an image'),
				expect.stringContaining(
					"It has offer.pdf (application/pdf, in 'Your_photo'). Set 'Accepted File Types'",
				),
			]);
			expect([nothing.error?.message, nothing.error?.description]).toStrictEqual([
				'The visitor of the form sent no file.',
				expect.stringContaining("Make the form's file field required"),
			]);
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it('base64 that lost its plus signs in a form is sent as it was, or refused if that is unclear', async () => {
		const form = new URLSearchParams(`photo=${photo.toString('base64')}`).get('photo') ?? '';
		await run({ binaryPropertyName: BY_EXPRESSION }, { json: { photo: form } });
		await run({ inputType: 'url', imageUrl: BY_EXPRESSION }, { json: { photo: form } });
		const { error } = await run(
			{ binaryPropertyName: BY_EXPRESSION },
			{ json: { photo: form.replace(' ', '') } },
		);

		expect(form).toContain(' ');
		expect(sentHashes()).toStrictEqual(Array(2).fill(sha256(photo)));
		expect(fixture.charged()).toBe(2);
		expect(error?.message).toContain('has spaces where plus signs were');
	});

	const BY_NAME = { binaryPropertyName: 'photo' };
	const HOLDERS: Array<[what: string, parameters: object, itemWith: (data: string) => object]> = [
		['an object', BY_NAME, (data) => ({ json: { photo: { data, mimeType: 'image/png' } } })],
		[
			'an object from an expression',
			{ binaryPropertyName: BY_EXPRESSION },
			(data) => ({ json: { photo: { data, mime_type: 'image/png' } } }),
		],
		[
			'an object with a data: address',
			BY_NAME,
			(data) => ({
				json: { photo: { data: `data:image/png;base64,${data}`, mimeType: 'image/png' } },
			}),
		],
		[
			'the answer of a model',
			BY_NAME,
			(data) => ({ json: { photo: { inlineData: { data, mimeType: 'image/png' } } } }),
		],
		[
			'an object among all images',
			{ inputType: 'all' },
			(data) => ({ json: { photo: { data, mimeType: 'image/png' } } }),
		],
		[
			'a file of a Code node',
			BY_NAME,
			(data) => ({ binary: { photo: { data, mimeType: 'image/png' } } }),
		],
		[
			'a file of a Code node with a data: address',
			BY_NAME,
			(data) => ({
				binary: { photo: { data: `data:image/png;base64,${data}`, mimeType: 'image/png' } },
			}),
		],
		[
			'a file of a Code node among all images',
			{ inputType: 'all' },
			(data) => ({ binary: { photo: { data, mimeType: 'image/png' } } }),
		],
	];

	it.each(HOLDERS)(
		'base64 in %s is sent as it was before a form took its plus signs, or refused',
		async (_what, parameters, itemWith) => {
			const form = new URLSearchParams(`photo=${photo.toString('base64')}`).get('photo') ?? '';
			await run(parameters, itemWith(form));
			const { error } = await run(parameters, itemWith(form.replace(' ', '')));

			expect(sentHashes()).toStrictEqual([sha256(photo)]);
			expect(fixture.charged()).toBe(1);
			expect(error?.message).toMatch(
				/^The image in base64 in '.+' has spaces where plus signs were/,
			);
		},
	);

	it.each(HOLDERS)(
		'base64 in %s is refused before it costs anything if a cell has cut it',
		async (_what, parameters, itemWith) => {
			const png = await sharp(PHOTO).resize(512).png().toBuffer();
			const start = JSON.stringify(itemWith('')).includes('base64,') ? 22 : 0;
			const { error } = await run(
				parameters,
				itemWith(png.toString('base64').slice(0, 50_000 - start)),
			);

			expect(error?.message).toMatch(
				/^The image in base64 in '.+' is cut off: .* all that a cell of Google Sheets holds\.$/,
			);
			expect(fixture.calls()).toStrictEqual([]);
		},
	);

	it('base64 in an object is refused wherever it is cut, if it is the image that is selected', async () => {
		const cut = { data: photo.toString('base64').slice(0, 40_000), mimeType: 'image/jpeg' };
		const item = { json: { photo: cut, other: { ...cut, data: photo.toString('base64') } } };
		const { error } = await run(BY_NAME, item);
		await run({ binaryPropertyName: 'other' }, item);

		expect(error?.message).toBe(
			"The image in base64 in 'photo' is cut off: its end is missing after 40,000 characters.",
		);
		expect(sentHashes()).toStrictEqual([sha256(photo)]);
	});

	it('base64 of another file among all images is skipped, whatever spaces it has', async () => {
		const text = Buffer.from('%PDF-1.7 a text').toString('base64').replace('x', ' ');
		const offer = { data: `${text} ${text}`, mimeType: 'application/pdf' };
		const item = {
			json: { offer },
			binary: { offer, photo: { data: gif('a').toString('base64'), mimeType: 'image/gif' } },
		};
		const result = await run({ inputType: 'all' }, item);

		expect(result.error).toBeUndefined();
		expect(sentHashes()).toStrictEqual([sha256(gif('a'))]);
	});
});

describe.each(['filesystem', 'default'] as const)('in binary data mode "%s"', (mode) => {
	const fixture = useFixture({ echoImages: true }, mode);
	const store = async (name: string, bytes: Buffer) =>
		await fixture.engine.store(bytes, name, 'image/jpeg');

	it('a file without its end is sent, and a hint names it, but not a whole one', async () => {
		const half = photo.subarray(0, photo.length / 2);
		const result = await fixture.run(
			removeBackground({ inputType: 'all', options: { concurrency: 1 } }),
			{
				items: [
					{
						json: {},
						binary: { a: await store('whole.jpg', photo), b: await store('half.jpg', half) },
					},
				],
			},
		);

		expect(fixture.calls().map(({ files }) => files[0]?.sha256)).toStrictEqual(
			[photo, half].map(sha256),
		);
		expect(fixture.charged()).toBe(2);
		expect(hintsOf(result)).toContain(
			'1 input file has no end, so a part of its image may be missing: Item 1, &quot;half.jpg&quot;. Upload or download it again.',
		);
	});
});
