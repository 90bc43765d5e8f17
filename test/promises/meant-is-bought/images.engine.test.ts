import { readFileSync } from 'node:fs';

import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { PHOTO, useFixture, type Fixture } from '../../support/fixture';
import { gif, sha256, TRACKING_PIXEL } from '../../support/images';
import { forgetPurchases } from '../../support/remembered';
import { CONTINUE, fox, hintsOf, marked, removeBackground } from '../../support/runs';

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
const IN_ORDER = { options: { concurrency: 1 } };
const ALL = { inputType: 'all', ...IN_ORDER };

/** An output item's image, wherever the workflow keeps it. */
function imageOf({ binary, json }: INodeExecutionData): IBinaryData | undefined {
	return binary?.data ?? (json._files as Files | undefined)?.data;
}

/** Runs Remove Background. */
async function run(fixture: Fixture, parameters: INodeParameters, items: object[], what = {}) {
	// The service returns each image as it is, so that a second run would get its own result.
	forgetPurchases();
	return await fixture.run(removeBackground({ ...IN_ORDER, ...parameters }), {
		items: items.map((item) => ({ json: {}, ...item })),
		...what,
	});
}

describe.each(LAYOUTS)('%s', (_name, mode, itemWith, settings) => {
	const fixture = useFixture({ echoImages: true }, mode);
	const store = async (name: string, type: string, bytes: Buffer) =>
		await fixture.engine.store(bytes, name, type);
	const runOn = async (parameters: INodeParameters, ...items: Files[]) =>
		await run(fixture, parameters, items.map(itemWith), { settings });

	it('All Images buys each image once, ordered by item and file, byte for byte', async () => {
		const { rows, error } = await runOn(
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
		expect(rows.map((row) => imageOf(row)?.fileName)).toStrictEqual(
			['a', 'b', 'c'].map((name) => marked(`${name}-no-background`, 'gif')),
		);
	});

	it('All Images skips what is no image or a tracking pixel, free of charge, and a hint and a Dry Run name it', async () => {
		const files = {
			a: await store('price list.pdf', 'application/pdf', Buffer.from('%PDF-1.7')),
			b: await store('claims to be.png', 'image/png', Buffer.from('<html>')),
			c: await store('photo.txt', 'text/plain', gif('c')),
			d: await store('p.gif', 'image/gif', TRACKING_PIXEL),
		};
		const result = await runOn(ALL, files);
		const dry = await runOn({ inputType: 'all', options: { dryRun: true } }, files);

		expect(sourcesOf(result.rows)).toStrictEqual(['c']);
		expect(fixture.calls().map((call) => call.files)).toMatchObject([
			[{ sha256: hashesOf('c')[0], mimeType: 'image/gif', fileName: 'photo.txt.gif' }],
		]);
		expect(fixture.charged()).toBe(1);
		const skipped =
			'3 files were skipped because they are not images: price list.pdf, claims to be.png and p.gif.';
		expect(hintsOf(result)).toStrictEqual([`1 image was bought. ${skipped}`]);
		expect(hintsOf(dry)?.at(-1)).toContain(skipped);
	});

	it('the untouched default uses the item’s only image, whatever its field, or the field data', async () => {
		const pdf = await store('a.pdf', 'application/pdf', Buffer.from('%PDF-1.7'));
		const { rows } = await runOn({}, { note: pdf, photo: await fixture.gif('p') });
		await runOn({}, { front: await fixture.gif('f'), data: await fixture.gif('d') });

		expect(sentBy(fixture)).toStrictEqual(hashesOf('p', 'd'));
		// Several images were not asked for, so there is no source.
		expect(sourcesOf(rows)).toStrictEqual([undefined]);
	});

	it('the untouched default does not guess between two images, but names both and how to use them all', async () => {
		const files = { front: await fixture.gif('f'), side: await fixture.gif('s') };
		const { error } = await runOn({}, files);

		expect(error?.message).toContain('is "data", but this item has no such file.');
		expect(error?.description).toMatch(/'front' and 'side'.* 'All Images of the Item'/);
		expect(fixture.calls()).toStrictEqual([]);
	});
});

/** The photo in base64, and what a form makes of it that sends no %2B. */
const WHOLE = readFileSync(PHOTO).toString('base64');
const AS_FORM = new URLSearchParams(`photo=${WHOLE}`).get('photo') ?? '';

describe.each(['filesystem', 'default'] as const)('in binary data mode "%s"', (mode) => {
	const fixture = useFixture({ echoImages: true }, mode);
	const mimeType = 'image/png';
	const ofJson = { binaryPropertyName: '={{ $json.photo }}' };

	it.each<[what: string, parameters: object, itemWith: (data: string) => object]>([
		['a text', ofJson, (photo) => ({ json: { photo } })],
		[
			'a file of a Code node, as a data: address',
			ALL,
			(data) => ({ binary: { photo: { data: `data:${mimeType};base64,${data}`, mimeType } } }),
		],
	])(
		'base64 in %s is sent byte for byte, and refused if a form has made spaces of its plus signs',
		async (_what, parameters, itemWith) => {
			await run(fixture, { ...parameters }, [itemWith(WHOLE)]);
			const { error } = await run(fixture, { ...parameters }, [itemWith(AS_FORM)]);

			expect(sentBy(fixture)).toStrictEqual([sha256(readFileSync(PHOTO))]);
			expect(error?.message).toMatch(
				/^The file ".+" has spaces where its base64 had plus signs\.$/,
			);
			expect(error?.description).toContain('send each as %2B');
		},
	);

	it('one file of $binary is sent, and all of $binary are not guessed between', async () => {
		const binary = { photo: await fixture.gif('p'), logo: await fixture.gif('l') };
		await run(fixture, { binaryPropertyName: '={{ $binary.photo }}' }, [{ binary }]);
		const { error } = await run(fixture, { binaryPropertyName: '={{ $binary }}' }, [{ binary }]);

		expect(sentBy(fixture)).toStrictEqual(hashesOf('p'));
		expect(error?.message).toContain('must be a field name or a file');
	});
});

describe('with files on disk,', () => {
	const fixture = useFixture({ echoImages: true });

	it('All Images takes a claimed type that can be true, and skips files that no image service reads, by their bytes', async () => {
		const files: Array<[name: string, type: string, text: string]> = [
			['foo.jfif', 'image/jpeg', '\xff\xd8\xff\xe0'],
			['scan.jp2', 'image/jp2', '\0\0\0\x0cjP  \r\n\x87\n'],
			['logo.svg', 'image/svg+xml', '<?xml version="1.0"?>\n<svg width="8" height="8"/>'],
			['list.pdf', 'image/x-odd', '%PDF-1.7'],
			['page.jpg', 'image/jpeg', '<!doctype html><html></html>'],
		];
		const stored = files.map(async ([name, type, begin]) => {
			const bytes = Buffer.from(begin.padEnd(200, '\x01'), 'latin1');
			return [name.replace('.', '_'), await fixture.engine.store(bytes, name, type)] as const;
		});
		const items = [{ binary: Object.fromEntries(await Promise.all(stored)) }];
		const result = await run(fixture, ALL, items, { node: CONTINUE });
		const { error } = await run(fixture, { binaryPropertyName: 'logo_svg' }, items);

		expect(
			fixture.calls().map(({ files: [file] }) => [file?.fileName, file?.mimeType]),
		).toStrictEqual(files.slice(0, 2).map(([name, type]) => [name, type]));
		expect(hintsOf(result)?.join()).toContain('logo.svg, list.pdf and page.jpg.');
		expect(error?.message).toBe('The file "logo.svg" is an SVG.');
	});

	describe('a form in a workflow that keeps files in the JSON gives', () => {
		const runForm = async (parameters: INodeParameters, more: object = {}) => {
			const list = await Promise.all(['a', 'b'].map(fixture.gif));
			const json = { 'Your photos': list, Name: 'Ann', ...more };
			return await run(fixture, parameters, [{ json }], { settings: COMBINED });
		};

		it('all images of its lists and single fields', async () => {
			const Tags = ['x', { mimeType: 'image/gif' }];
			const { rows } = await runForm(ALL, { Logo: await fixture.gif('c'), Tags });

			expect(sourcesOf(rows)).toStrictEqual(['Your photos_0', 'Your photos_1', 'Logo']);
			expect(sentBy(fixture)).toStrictEqual(hashesOf('a', 'b', 'c'));
		});

		it.each(['Your photos_1', '={{ $json["Your photos"][1] }}', '_files.photo'])(
			'one file by %s',
			async (binaryPropertyName) => {
				const files = { photo: await fixture.gif('b') };
				const { rows } = await runForm({ binaryPropertyName }, { _files: files });

				expect(sentBy(fixture)).toStrictEqual(hashesOf('b'));
				expect(rows[0]?.json._files).toMatchObject({
					data: { fileName: marked('b-no-background', 'gif') },
				});
			},
		);

		it('its whole list to an expression', async () => {
			const { rows } = await runForm({ binaryPropertyName: '={{ $json["Your photos"] }}' });

			expect(sourcesOf(rows)).toStrictEqual(['a.gif', 'b.gif']);
			expect(fixture.charged()).toBe(2);
		});
	});

	it('a list of addresses gives one request and one output item per address, byte for byte', async () => {
		// The service can fetch an image that it made itself.
		const link = (await fixture.run(fox())).rows[0]?.json.output_url as string;
		const [a, b] = [`${link}?w=1&h=2`, `${link}?w=3&h=4`];
		const data = `data:image/gif;base64,${gif('d').toString('base64')}`;
		const json = { list: [a.replaceAll('&', '&amp;'), data, { id: 'att', url: b }] };
		const { rows } = await run(fixture, { inputType: 'url', imageUrl: '={{ $json.list }}' }, [
			{ json },
		]);

		const [, ...calls] = fixture.calls();
		expect(calls.map(({ fields, files }) => fields.image ?? files[0]?.sha256)).toStrictEqual([
			a,
			...hashesOf('d'),
			b,
		]);
		expect(sourcesOf(rows)).toStrictEqual([a, expect.stringMatching(/^data:/), b]);
		expect(pairsOf(rows)).toStrictEqual(Array(3).fill({ item: 0 }));
		expect(rows.map(({ binary }) => binary?.data?.fileName)).toStrictEqual([
			marked('output-no-background'),
			marked('image-no-background', 'gif'),
			marked('output-no-background'),
		]);
	});

	it('one invalid image of an item is an error item with On Error = Continue, and the others are delivered', async () => {
		const binary = { front: await fixture.gif('f'), side: await fixture.gif('s') };
		const parameters = { binaryPropertyName: 'front,back,side' };
		const { rows } = await run(fixture, parameters, [{ binary }], { node: CONTINUE });

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
