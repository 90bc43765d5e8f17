import type {
	IBinaryData,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IWorkflowSettings,
} from 'n8n-workflow';

import { NODE, type BinaryMode, type EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import { gif, sha256 } from '../support/gifs';
import { text } from '../support/text';

type Files = Record<string, IBinaryData>;

/** Where n8n 2.40.3 keeps an item's files. */
interface Layout {
	mode: BinaryMode;
	settings: IWorkflowSettings;
	itemWith: (files: Files) => INodeExecutionData;
}

const beside = (binary: Files): INodeExecutionData => ({ json: { sku: 7 }, binary });
const LAYOUTS: Array<[name: string, layout: Layout]> = [
	['files on disk', { mode: 'filesystem', settings: {}, itemWith: beside }],
	['files in memory', { mode: 'default', settings: {}, itemWith: beside }],
	[
		'files on disk, in the JSON',
		{
			mode: 'filesystem',
			settings: { binaryMode: 'combined' },
			itemWith: (files) => ({ json: { sku: 7, _files: files as unknown as IDataObject } }),
		},
	],
	[
		'files in memory, in a workflow that keeps them in the JSON',
		{ mode: 'default', settings: { binaryMode: 'combined' }, itemWith: beside },
	],
];

const hintsOf = ({ run }: EngineResult) =>
	(run.data.resultData.runData[NODE]?.at(-1)?.hints ?? []).map(({ message }) => message);
const pairsOf = (rows: INodeExecutionData[]) => rows.map(({ pairedItem }) => pairedItem);
const sourcesOf = (rows: INodeExecutionData[]) => rows.map(({ json }) => json.source);

/** An output item's image, wherever the workflow keeps it. */
function imageOf({ binary, json }: INodeExecutionData): IBinaryData | undefined {
	return binary?.data ?? (json._files as Files | undefined)?.data;
}

describe.each(LAYOUTS)('%s', (_name, { mode, settings, itemWith }) => {
	const fixture = useFixture({ echoImages: true }, mode);
	const store = async (name: string, type = 'image/gif', bytes = gif(name)) =>
		await fixture.engine.store(bytes, name, type);
	const pdf = async () => await store('price list.pdf', 'application/pdf', Buffer.from('%PDF-1.7'));
	const sent = () => fixture.calls().map(({ files }) => files[0]?.sha256);
	const run = async (parameters: INodeParameters, ...items: Files[]) =>
		await fixture.run(
			{ operation: 'removeBackground', ...parameters },
			{ items: items.map(itemWith), settings },
		);

	describe('All Images of the Item', () => {
		it('buys each image once, ordered by item and file, byte for byte', async () => {
			const result = await run(
				{ inputType: 'all', options: { concurrency: 1 } },
				{ photo_0: await store('a.gif'), photo_1: await store('b.gif') },
				{ attachment_0: await store('c.gif') },
			);

			const { rows, error } = result;
			expect(error).toBeUndefined();
			expect(sent()).toEqual(['a.gif', 'b.gif', 'c.gif'].map((name) => sha256(gif(name))));
			expect(fixture.charged()).toBe(3);
			expect(pairsOf(rows)).toEqual([{ item: 0 }, { item: 0 }, { item: 1 }]);
			expect(sourcesOf(rows)).toEqual(['photo_0', 'photo_1', 'attachment_0']);
			const images = await Promise.all(
				rows.map(async (row) => await fixture.engine.bytesOf(imageOf(row))),
			);
			expect(images).toEqual(['a.gif', 'b.gif', 'c.gif'].map(gif));
			expect(rows.map((row) => imageOf(row)?.fileName)).toEqual([
				'a-no-background.gif',
				'b-no-background.gif',
				'c-no-background.gif',
			]);
		});

		it('skips files that are not images, free of charge, and lists them in a hint', async () => {
			const result = await run(
				{ inputType: 'all' },
				{
					a: await pdf(),
					b: await store('claims to be.png', 'image/png', Buffer.from('<html>')),
					c: await store('photo.txt', 'text/plain', gif('c')),
					d: await store('empty.jpg', 'image/jpeg', Buffer.alloc(0)),
				},
			);

			expect(sourcesOf(result.rows)).toEqual(['c']);
			expect(fixture.calls()[0]?.files[0]).toMatchObject({
				sha256: sha256(gif('c')),
				mimeType: 'image/gif',
				fileName: 'photo.txt.gif',
			});
			expect(fixture.charged()).toBe(1);
			expect(hintsOf(result).join()).toContain(
				'3 files were skipped because they are not images: price list.pdf, claims to be.png, empty.jpg.',
			);
		});

		it('rejects an item without a file before any request for other items', async () => {
			const { error } = await run({ inputType: 'all' }, { a: await store('a.gif') }, {});

			expect(error?.message).toBe('Item 2: This item has no files.');
			expect(fixture.calls()).toEqual([]);
		});
	});

	describe('a list of names', () => {
		it('with commas gives one request and one output item per name, in its order', async () => {
			const { rows } = await run(
				{ binaryPropertyName: ' side , front ', options: { concurrency: 1 } },
				{ front: await store('f.gif'), side: await store('s.gif'), back: await store('b.gif') },
			);

			expect(sent()).toEqual(['s.gif', 'f.gif'].map((name) => sha256(gif(name))));
			expect(sourcesOf(rows)).toEqual(['side', 'front']);
			expect(pairsOf(rows)).toEqual([{ item: 0 }, { item: 0 }]);
			expect(fixture.charged()).toBe(2);
		});
	});

	describe('the untouched default', () => {
		it('uses the item’s only image, whatever its field, and ignores other files', async () => {
			const { rows, error } = await run({}, { note: await pdf(), photo: await store('p.gif') });

			expect(error).toBeUndefined();
			expect(sent()).toEqual([sha256(gif('p.gif'))]);
			// Several images were not asked for, so there is no source.
			expect(sourcesOf(rows)).toStrictEqual([undefined]);
		});

		it('does not guess between two images, but names both and how to use them all', async () => {
			const { error } = await run({}, { front: await store('f.gif'), side: await store('s.gif') });

			expect(error?.message).toBe('This item has 2 images.');
			expect(error?.description).toBe(
				"They are in 'front' and 'side'. Choose one in 'Input Data Field Name(s)', or set 'Image Source' to 'All Images of the Item'.",
			);
			expect(fixture.calls()).toEqual([]);
		});

		it('uses the field data if there is one, even with other images', async () => {
			await run({}, { front: await store('f.gif'), data: await store('d.gif') });

			expect(sent()).toEqual([sha256(gif('d.gif'))]);
		});
	});
});

describe('a form in a workflow that keeps files in the JSON', () => {
	const fixture = useFixture({ echoImages: true });
	const settings = { binaryMode: 'combined' } as const;
	const store = async (name: string, type = 'image/gif', bytes = gif(name)) =>
		(await fixture.engine.store(bytes, name, type)) as unknown as IDataObject;
	const run = async (parameters: INodeParameters, json: IDataObject) =>
		await fixture.run(
			{ operation: 'removeBackground', ...parameters },
			{ items: [{ json }], settings },
		);

	it('gives all images of its lists and single fields', async () => {
		const { rows } = await run(
			{ inputType: 'all' },
			{
				'Your photos': [await store('a.gif'), await store('b.gif')],
				Logo: await store('c.gif'),
				Name: 'Ann',
				Tags: ['x', { mimeType: 'image/gif' }],
			},
		);

		expect(sourcesOf(rows)).toEqual(['Your photos_0', 'Your photos_1', 'Logo']);
		expect(
			fixture
				.calls()
				.map(({ files }) => files[0]?.sha256)
				.sort(),
		).toEqual(['a.gif', 'b.gif', 'c.gif'].map((name) => sha256(gif(name))).sort());
		expect(fixture.charged()).toBe(3);
	});

	it('gives its only photo to the untouched default', async () => {
		const { error } = await run({}, { 'Your photo': await store('a.gif'), Name: 'Ann' });

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.files[0]?.sha256).toBe(sha256(gif('a.gif')));
	});

	it.each(['Your photos_1', '={{ $json["Your photos"][1] }}'])(
		'gives one file of a list by %s',
		async (binaryPropertyName) => {
			await run(
				{ binaryPropertyName },
				{ 'Your photos': [await store('a.gif'), await store('b.gif')] },
			);

			expect(fixture.calls().map(({ files }) => files[0]?.sha256)).toEqual([sha256(gif('b.gif'))]);
		},
	);

	it('gives its whole list to an expression', async () => {
		const { rows } = await run(
			{ binaryPropertyName: '={{ $json["Your photos"] }}' },
			{ 'Your photos': [await store('a.gif'), await store('b.gif')] },
		);

		expect(sourcesOf(rows)).toEqual(['a.gif', 'b.gif']);
		expect(fixture.charged()).toBe(2);
	});
});

describe('an expression', () => {
	const fixture = useFixture({ echoImages: true });

	it('gives names and binary objects, in its order', async () => {
		const store = async (name: string) =>
			await fixture.engine.store(gif(name), `${name}.gif`, 'image/gif');
		const binaryPropertyName = '={{ ["side", $binary.front] }}';
		const { rows, error } = await fixture.run(
			{ operation: 'removeBackground', binaryPropertyName, options: { concurrency: 1 } },
			{ items: [{ json: {}, binary: { front: await store('f'), side: await store('s') } }] },
		);

		expect(error).toBeUndefined();
		expect(fixture.calls().map(({ files }) => files[0]?.sha256)).toEqual(
			['s', 'f'].map((name) => sha256(gif(name))),
		);
		expect(sourcesOf(rows)).toEqual(['side', 'f.gif']);
	});

	it('gives an image in the JSON of a workflow that keeps files beside it', async () => {
		const photo = (await fixture.engine.store(gif('a'), 'a.gif', 'image/gif')) as object;
		await fixture.run(
			{ operation: 'removeBackground', binaryPropertyName: '={{ $json.photo }}' },
			{ items: [{ json: { photo: photo as IDataObject } }] },
		);

		expect(fixture.calls()[0]?.files[0]?.sha256).toBe(sha256(gif('a')));
	});
});

describe('a list of addresses', () => {
	const fixture = useFixture({ echoImages: true });
	const byUrl = (imageUrl: string) => ({
		operation: 'removeBackground',
		inputType: 'url',
		imageUrl,
		options: { concurrency: 1 },
	});
	/** Addresses that the service can fetch: images it made itself. */
	const addresses = async () => {
		const { rows } = await fixture.run({
			operation: 'generate',
			prompt: 'A fox',
			size: '128x128',
			options: { numberOfImages: 2 },
		});
		return rows.map(({ json }) => text(json.output_url)) as [string, string];
	};
	const sent = () =>
		fixture
			.calls()
			.filter(({ path }) => path.endsWith('background-remover'))
			.map(({ fields }) => fields.image);

	it('gives one request and one output item per address, in its order', async () => {
		const [a, b] = await addresses();
		const before = fixture.charged();
		const { rows, error } = await fixture.run(byUrl(`={{ ["${a}", "${b}"] }}`));

		expect(error).toBeUndefined();
		expect(sent()).toEqual([a, b]);
		expect(sourcesOf(rows)).toEqual([a, b]);
		expect(pairsOf(rows)).toEqual([{ item: 0 }, { item: 0 }]);
		expect(fixture.charged() - before).toBe(2);
		expect(rows.map(({ binary }) => binary?.data?.fileName)).toEqual([
			'output-no-background.jpg',
			'output-no-background-2.jpg',
		]);
	});

	it('can hold a data: URL, which is sent as a file', async () => {
		const [a] = await addresses();
		const { rows } = await fixture.run(
			byUrl(`data:image/gif;base64,${gif('d').toString('base64')}\n${a}`),
		);

		expect(fixture.calls().at(-2)?.files[0]?.sha256).toBe(sha256(gif('d')));
		expect(fixture.calls().at(-1)?.fields.image).toBe(a);
		expect(rows).toHaveLength(2);
	});
});

describe('one image of an item that cannot be bought', () => {
	const fixture = useFixture({ echoImages: true });
	const store = async (name: string) =>
		await fixture.engine.store(gif(name), `${name}.gif`, 'image/gif');

	it('is an error item with On Error = Continue, and the others are delivered', async () => {
		const { rows } = await fixture.run(
			{ operation: 'removeBackground', binaryPropertyName: 'front,back,side' },
			{
				items: [{ json: {}, binary: { front: await store('f'), side: await store('s') } }],
				node: { onError: 'continueRegularOutput' },
			},
		);

		expect(rows.map(({ json }) => json.source ?? json.error)).toEqual([
			'front',
			`'Input Data Field Name(s)' is "back", but this item has no such file.`,
			'side',
		]);
		expect(rows[1]?.json.details).toMatchObject({ source: 'back', badInput: true });
		expect(pairsOf(rows)).toEqual([{ item: 0 }, { item: 0 }, { item: 0 }]);
		expect(fixture.charged()).toBe(2);
	});

	it('goes to the error output with its input if the service rejects it', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'No' }, when: 'b.gif' });
		const binary = { a: await store('a'), b: await store('b'), c: await store('c') };
		const { rows, errorRows } = await fixture.run(
			{ operation: 'removeBackground', inputType: 'all', options: { concurrency: 1 } },
			{ items: [{ json: { sku: 7 }, binary }], node: { onError: 'continueErrorOutput' } },
		);

		expect(sourcesOf(rows)).toEqual(['a', 'c']);
		expect(errorRows).toMatchObject([
			{
				json: { sku: 7, error: 'No', details: { status: 400, source: 'b' } },
				binary,
				pairedItem: { item: 0 },
			},
		]);
		expect(fixture.charged()).toBe(2);
	});
});
