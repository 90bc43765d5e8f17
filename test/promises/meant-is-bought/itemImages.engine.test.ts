import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useFixture, type Fixture } from '../../support/fixture';
import { gif, sha256, TRACKING_PIXEL } from '../../support/images';
import { forgetPurchases } from '../../support/remembered';
import { CONTINUE, fox, hintsOf, marked, removeBackground } from '../../support/runs';
import { text } from '../../support/text';

type Files = Record<string, IBinaryData>;

const COMBINED = { binaryMode: 'combined' } as const;
const inBinary = (binary: Files): INodeExecutionData => ({ json: { sku: 7 }, binary });
const inJson = (files: Files): INodeExecutionData => ({
	json: { sku: 7, _files: files as unknown as IDataObject },
});
/** Where n8n 2.41.1 keeps an item's files. */
const LAYOUTS = [
	['files on disk', 'filesystem', inBinary, {}],
	['files in memory', 'default', inBinary, {}],
	['files on disk, in the JSON', 'filesystem', inJson, COMBINED],
	['files in memory, in a workflow that keeps them in the JSON', 'default', inBinary, COMBINED],
] as const;

const pairsOf = (rows: INodeExecutionData[]) => rows.map(({ pairedItem }) => pairedItem);
const sourcesOf = (rows: INodeExecutionData[]) => rows.map(({ json }) => json.source);
/** The hashes of the files that were sent, in order, and those of GIFs with these names. */
const sentBy = (fixture: Fixture) => fixture.calls().map(({ files }) => files[0]?.sha256);
const hashesOf = (...names: string[]) => names.map((name) => sha256(gif(name)));
const ALL = { inputType: 'all', options: { concurrency: 1 } };

/** An output item's image, wherever the workflow keeps it. */
function imageOf({ binary, json }: INodeExecutionData): IBinaryData | undefined {
	return binary?.data ?? (json._files as Files | undefined)?.data;
}

describe.each(LAYOUTS)('%s', (_name, mode, itemWith, settings) => {
	const fixture = useFixture({ echoImages: true }, mode);
	const store = async (name: string, type: string, bytes: Buffer) =>
		await fixture.engine.store(bytes, name, type);
	const pdf = async () => await store('price list.pdf', 'application/pdf', Buffer.from('%PDF-1.7'));
	const run = async (parameters: INodeParameters, ...items: Files[]) => {
		// The service returns each image as it is, so that another test's would be known.
		forgetPurchases();
		return await fixture.run(removeBackground(parameters), {
			items: items.map(itemWith),
			settings,
		});
	};

	describe('All Images of the Item', () => {
		it('buys each image once, ordered by item and file, byte for byte', async () => {
			const { rows, error } = await run(
				ALL,
				{ photo_0: await fixture.gif('a'), photo_1: await fixture.gif('b') },
				{ attachment_0: await fixture.gif('c') },
			);

			expect(error).toBeUndefined();
			expect(sentBy(fixture)).toStrictEqual(hashesOf('a', 'b', 'c'));
			expect(fixture.charged()).toBe(3);
			expect(pairsOf(rows)).toStrictEqual([{ item: 0 }, { item: 0 }, { item: 1 }]);
			expect(sourcesOf(rows)).toStrictEqual(['photo_0', 'photo_1', 'attachment_0']);
			const images = rows.map(async (row) => await fixture.engine.bytesOf(imageOf(row)));
			expect(await Promise.all(images)).toStrictEqual(['a', 'b', 'c'].map(gif));
			expect(rows.map((row) => imageOf(row)?.fileName)).toStrictEqual([
				marked('a-no-background', 'gif'),
				marked('b-no-background', 'gif'),
				marked('c-no-background', 'gif'),
			]);
		});

		it('skips files that are not images, free of charge, and lists them in a hint', async () => {
			const result = await run(ALL, {
				a: await pdf(),
				b: await store('claims to be.png', 'image/png', Buffer.from('<html>')),
				c: await store('photo.txt', 'text/plain', gif('c')),
				d: await store('empty.jpg', 'image/jpeg', Buffer.alloc(0)),
			});

			expect(sourcesOf(result.rows)).toStrictEqual(['c']);
			const [sha] = hashesOf('c');
			expect(fixture.calls()[0]?.files[0]).toMatchObject({
				sha256: sha,
				mimeType: 'image/gif',
				fileName: 'photo.txt.gif',
			});
			expect(fixture.charged()).toBe(1);
			expect(hintsOf(result)?.join()).toContain(
				'3 files were skipped because they are not images: price list.pdf, claims to be.png and empty.jpg.',
			);
		});

		it('takes no tracking pixel, and names it in a hint and in a Dry Run', async () => {
			const files = {
				photo: await store('photo.gif', 'image/gif', gif('photo')),
				pixel: await store('p.gif', 'image/gif', TRACKING_PIXEL),
			};
			const result = await run(ALL, files);
			const dry = await run({ ...ALL, options: { dryRun: true } }, files);

			expect(sourcesOf(result.rows)).toStrictEqual(['photo']);
			expect(fixture.charged()).toBe(1);
			const skipped = '1 file was skipped: p.gif is not an image.';
			expect(hintsOf(result)).toStrictEqual([`1 image was bought. ${skipped}`]);
			expect(hintsOf(dry)?.at(-1)).toContain(skipped);
		});
	});

	describe('the untouched default', () => {
		it('uses the item’s only image, whatever its field, and ignores other files', async () => {
			const { rows } = await run({}, { note: await pdf(), photo: await fixture.gif('p') });

			expect(sentBy(fixture)).toStrictEqual(hashesOf('p'));
			// Several images were not asked for, so there is no source.
			expect(sourcesOf(rows)).toStrictEqual([undefined]);
		});

		it('does not guess between two images, but names both and how to use them all', async () => {
			const files = { front: await fixture.gif('f'), side: await fixture.gif('s') };
			const { error } = await run({}, files);

			expect(error?.message).toContain('is "data", but this item has no such file.');
			expect(error?.description).toMatch(/'front' and 'side'.* 'All Images of the Item'/);
			expect(fixture.calls()).toStrictEqual([]);
		});

		it('uses the field data if there is one, even with other images', async () => {
			await run({}, { front: await fixture.gif('f'), data: await fixture.gif('d') });

			expect(sentBy(fixture)).toStrictEqual(hashesOf('d'));
		});
	});
});

describe('with files on disk,', () => {
	const fixture = useFixture({ echoImages: true });
	const run = async (parameters: INodeParameters, item: object, what = {}) => {
		forgetPurchases();
		return await fixture.run(removeBackground(parameters), {
			items: [{ json: {}, ...item }],
			...what,
		});
	};

	describe('a form in a workflow that keeps files in the JSON gives', () => {
		const runForm = async (parameters: INodeParameters, photos: string[], more: object = {}) => {
			const list = await Promise.all(photos.map(async (name) => await fixture.gif(name)));
			const json = { 'Your photos': list, Name: 'Ann', ...more };
			return await run(parameters, { json }, { settings: COMBINED });
		};

		it('all images of its lists and single fields', async () => {
			const Tags = ['x', { mimeType: 'image/gif' }];
			const { rows } = await runForm(ALL, ['a', 'b'], { Logo: await fixture.gif('c'), Tags });

			expect(sourcesOf(rows)).toStrictEqual(['Your photos_0', 'Your photos_1', 'Logo']);
			expect(sentBy(fixture)).toStrictEqual(hashesOf('a', 'b', 'c'));
		});

		it.each(['Your photos_1', '={{ $json["Your photos"][1] }}', '_files.photo'])(
			'one file by %s',
			async (binaryPropertyName) => {
				const files = { photo: await fixture.gif('b') };
				const { rows } = await runForm({ binaryPropertyName }, ['a', 'b'], { _files: files });

				expect(sentBy(fixture)).toStrictEqual(hashesOf('b'));
				expect(rows[0]?.json._files).toMatchObject({
					data: { fileName: marked('b-no-background', 'gif') },
				});
			},
		);

		it('its whole list to an expression', async () => {
			const binaryPropertyName = '={{ $json["Your photos"] }}';
			const { rows } = await runForm({ binaryPropertyName }, ['a', 'b']);

			expect(sourcesOf(rows)).toStrictEqual(['a.gif', 'b.gif']);
			expect(fixture.charged()).toBe(2);
		});
	});

	it('a list of addresses gives one request and one output item per address, and a data: URL is sent as a file', async () => {
		// The service can fetch an image that it made itself.
		const link = text((await fixture.run(fox())).rows[0]?.json.output_url);
		const data = `data:image/gif;base64,${gif('d').toString('base64')}`;
		const { rows } = await run(
			{
				inputType: 'url',
				imageUrl: `={{ ["${link}?1", "${data}", "${link}?2"] }}`,
				options: { concurrency: 1 },
			},
			{},
		);

		const [, ...calls] = fixture.calls();
		expect(calls.map(({ fields, files }) => fields.image ?? files[0]?.sha256)).toStrictEqual([
			`${link}?1`,
			...hashesOf('d'),
			`${link}?2`,
		]);
		expect(sourcesOf(rows)).toStrictEqual([
			`${link}?1`,
			expect.stringMatching(/^data:/),
			`${link}?2`,
		]);
		expect(pairsOf(rows)).toStrictEqual(Array(3).fill({ item: 0 }));
		expect(rows.map(({ binary }) => binary?.data?.fileName)).toStrictEqual([
			marked('output-no-background'),
			marked('image-no-background', 'gif'),
			marked('output-no-background'),
		]);
	});

	it('one invalid image of an item is an error item with On Error = Continue, and the others are delivered', async () => {
		const binary = { front: await fixture.gif('f'), side: await fixture.gif('s') };
		const { rows } = await run(
			{ binaryPropertyName: 'front,back,side' },
			{ binary },
			{ node: CONTINUE },
		);

		expect(rows.map(({ json }) => json.source ?? json.error)).toStrictEqual([
			'front',
			`'Input Data Field Name(s)' is "back", but this item has no such file.`,
			'side',
		]);
		expect(rows[1]?.json.details).toMatchObject({ source: 'back', badInput: true });
		expect(pairsOf(rows)).toStrictEqual(Array(3).fill({ item: 0 }));
		expect(fixture.charged()).toBe(2);
	});
});
