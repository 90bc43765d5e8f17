import { PIXEL, TRACKING_PIXEL } from '../../support/images';
import {
	DATA,
	allOf,
	byName,
	image,
	images,
	partsOf,
	placesOf,
	plan,
	problemOf,
	sourcesOf,
} from '../../support/planImages';

describe('an item', () => {
	it('gives one row per image if the operation has no copies, whatever another one was set to', async () => {
		const options = { numberOfImages: 3 };
		const rows = await plan({ inputType: 'url', imageUrl: 'http://a', options });

		expect(rows).toHaveLength(1);
		expect(placesOf(rows)[0]).not.toHaveProperty('copy');
	});

	it('is one invalid row if it can’t be read', async () => {
		const options = { includeInputFields: true };
		const rows = await plan({ inputType: 'mail', options });

		expect(partsOf(rows)).toStrictEqual([`'Image Source' is "mail". Allowed: binary, all, url.`]);
		expect(placesOf(rows)).toMatchObject([{ label: '', includesInput: true }]);
	});
});

describe('Image Source', () => {
	it('All Images includes an image that n8n’s storage has lost, but no other file', async () => {
		const stored = (id: string) => image({ id, fileName: id === 'none' ? undefined : `${id}.gif` });
		const binary = Object.fromEntries(
			['good', 'lost', 'text', 'none'].map((id) => [id, stored(id)]),
		);
		const read = async (id: string) => {
			if (id === 'lost') throw new Error('No such file');
			// Claims to be a GIF, and does not begin like one.
			return id === 'good' ? PIXEL : Buffer.from([0, 1, 2, 3]);
		};
		const rows = await allOf({ binary }, { read });

		expect(sourcesOf(rows)).toStrictEqual(['good', 'lost']);
		expect(sourcesOf(rows.filter((job) => 'problem' in job))).toStrictEqual(['lost']);
		const skipped = ['text.gif', 'none'];
		expect(placesOf(rows).map((place) => place.skipped)).toStrictEqual([skipped, skipped]);
	});

	it('All Images names the files if none of them is an image', async () => {
		const binary = {
			a: { data: 'AAAA', mimeType: 'text/plain', fileName: 'notes.txt' },
			b: { data: 'AAAA', mimeType: '' },
		};
		const problem = {
			message: "None of this item's files is an image.",
			advice:
				"It has notes.txt (text/plain, in 'a') and a file (in 'b'). Connect a node that outputs a JPG, PNG or WebP file.",
		};

		expect(problemOf(await allOf({ binary }))).toMatchObject(problem);
		expect(problemOf(await byName('photo', binary))).toMatchObject(problem);
	});

	it('names only images as the fields to choose from', async () => {
		const pdf = { data: 'AAAA', mimeType: 'application/pdf', fileName: 'list.pdf' };

		expect(problemOf(await byName('photo', { pdf, ...images('side') }))).toMatchObject({
			advice: "Set 'Input Data Field Name(s)' to 'side'.",
		});
	});
});

describe('an item’s files', () => {
	const beside = images('beside');
	const _files = { noType: { id: 'a' }, noId: { mimeType: 'image/gif' } };

	it('include those in a field named _files only if binaryMode is combined', async () => {
		const item = { json: { _files: { one: image({ id: 'one' }) } }, binary: beside };
		const read = async () => PIXEL;
		const sources = async (binaryMode: string) =>
			sourcesOf(await allOf(item, { binaryMode, read }));

		expect(await sources('separate')).toStrictEqual(['beside']);
		expect(await sources('combined')).toStrictEqual(['beside', 'one']);
	});

	it.each<[what: string, one: unknown]>([
		['with its type', image()],
		['with its type in snake case', { mime_type: 'image/gif', data: DATA }],
		['in `inlineData`', { inlineData: { mimeType: 'image/gif', data: DATA } }],
		['in `inline_data`', { inline_data: { mime_type: 'image/gif', data: DATA } }],
		['as a Buffer in JSON', PIXEL.toJSON()],
		['as a Buffer with its type', { mimeType: 'image/gif', data: PIXEL.toJSON() }],
		['as a Buffer', PIXEL],
	])('include one in a field of the JSON %s', async (_what, one) => {
		const item = { json: { sku: 7, one }, binary: beside };
		const sources = async (binaryMode?: string) => sourcesOf(await allOf(item, { binaryMode }));

		expect(await sources()).toStrictEqual(['beside', 'one']);
		expect(await sources('combined')).toStrictEqual(['beside', 'one']);
		expect(partsOf(await byName('one', {}, item.json))).toStrictEqual(['image.gif']);
		expect(partsOf(await byName(one, {}))).toStrictEqual(['image.gif']);
	});

	it.each<[what: string, one: unknown]>([
		['that names one in n8n’s storage', { mimeType: 'image/gif', data: DATA, id: 'other' }],
		['without data', { mimeType: 'image/gif', data: '' }],
		['without a type', { data: DATA }],
		['that is a list of numbers', [...PIXEL]],
	])('include no object of the JSON %s', async (_what, one) => {
		expect(sourcesOf(await allOf({ json: { one }, binary: beside }))).toStrictEqual(['beside']);
	});

	it.each<[what: string, item: object, fields: unknown[]]>([
		['without a type or an id', { json: { _files }, binary: beside }, ['beside']],
		['in a list that is text', { json: { _files: 'text' }, binary: beside }, ['beside']],
		['in a list that is null', { json: { _files: null }, binary: beside }, ['beside']],
		['in an item without JSON and files', { json: null, binary: null }, [undefined]],
	])('include none %s', async (_what, item, fields) => {
		expect(sourcesOf(await allOf(item, { binaryMode: 'combined' }))).toStrictEqual(fields);
	});

	it.each([
		['a.gif', 'a.gif'],
		[7, '7'],
		[null, 'image'],
	])('have text as their name, or none: %j', async (fileName, label) => {
		const rows = await byName('a', { a: image({ fileName }) });

		expect(placesOf(rows)).toMatchObject([{ label, key: expect.any(String) as string }]);
	});

	const wrong = { id: 7, data: null, mimeType: 3, fileName: {} };

	it.each([[null], ['text'], [[]], [wrong]])('are empty if they are broken: %j', async (broken) => {
		const binary = { a: broken, ...(JSON.parse('{"__proto__":null}') as object) };

		const parts = partsOf(await byName(['a', '__proto__'], binary));
		expect(parts).toStrictEqual(Array(2).fill('The file "image" is empty.'));
	});
});

describe('All Images of the Item', () => {
	it('leaves out a file of less than 100 bytes, as tracking pixels are', async () => {
		const dot = image({ data: TRACKING_PIXEL.toString('base64'), fileName: 'dot.gif' });
		const rows = await allOf({ binary: { dot, ...images('photo') } });

		expect(sourcesOf(rows)).toStrictEqual(['photo']);
		expect(placesOf(rows)[0]?.skipped).toStrictEqual(['dot.gif']);
		expect(problemOf(await allOf({ binary: { dot } }))).toMatchObject({
			message: "None of this item's files is an image.",
		});
	});
});
