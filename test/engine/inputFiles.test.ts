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
		['a file of a model', (bytes) => ({ mime_type: 'image/gif', data: bytes.toString('base64') })],
		[
			'a file in the answer of a model',
			(bytes) => ({ inlineData: { mimeType: 'image/gif', data: bytes.toString('base64') } }),
		],
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

	it.each([32_767, 50_000, 100_000])(
		'base64 that a cell cuts after %d characters is refused before it costs anything',
		async (limit) => {
			const png = await sharp(PHOTO).resize(512).png().toBuffer();
			const cell = png.toString('base64').slice(0, limit);
			const parameters = { inputType: 'url', imageUrl: BY_EXPRESSION };
			const { error } = await run(parameters, { json: { photo: cell } });

			expect(error?.message).toMatch(
				/^The image in base64 in 'Image URL' is cut off: .* all that a cell of (?:Excel|Google Sheets|Airtable) holds\.$/,
			);
			expect(fixture.calls()).toStrictEqual([]);
		},
	);
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
