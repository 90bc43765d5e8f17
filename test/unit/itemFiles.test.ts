import { gif, PIXEL, TRACKING_PIXEL } from '../support/images';
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
} from '../support/planImages';

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
		const skipped = ['text.gif', 'none'].map((name) => ({ name, because: 'not an image' }));
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
		expect(problemOf(await byName('data', binary))).toMatchObject(problem);
		expect(problemOf(await byName('photo', binary))).toMatchObject({
			message: `'Input Data Field Name(s)' is "photo", but this item has no such file.`,
			advice: `${problem.message} ${problem.advice}`,
		});
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

/** Files of these bytes in n8n's storage, and what is read of them. */
function stored(contents: Record<string, Buffer>, lost: readonly string[] = []) {
	const reads: Record<string, number> = {};
	const binary = Object.fromEntries(
		Object.keys(contents).map((id) => [
			id,
			image({ id, data: '', bytes: contents[id]?.length, fileName: `${id}.gif` }),
		]),
	);
	const read = async (id: string) => {
		reads[id] = (reads[id] ?? 0) + 1;
		// The first bytes are read first, then possibly the whole file.
		if (lost.includes(id) && reads[id] > 1) throw new Error('Gone');
		return contents[id] ?? Buffer.alloc(0);
	};
	return { reads, plan: async () => await allOf({ binary }, { read }) };
}

const long = (end: string) => gif(`${'x'.repeat(10_000)}${end}`);

describe('All Images of the Item', () => {
	it('reads whole files only if they have the same size and begin alike', async () => {
		const files = stored({
			one: long('1'),
			two: long('2'),
			again: long('1'),
			other: gif(`y${'x'.repeat(9_999)}1`),
			short: gif('1'),
		});

		expect(sourcesOf(await files.plan())).toStrictEqual(['one', 'two', 'other', 'short']);
		expect(files.reads).toStrictEqual({ one: 2, two: 2, again: 2, other: 1, short: 1 });
	});

	it('takes both of two files if one can’t be read to its end, which the request reports', async () => {
		const { plan } = stored({ one: long('1'), again: long('1') }, ['again']);

		expect(sourcesOf(await plan())).toStrictEqual(['one', 'again']);
	});

	it('leaves out a file of less than 100 bytes, as tracking pixels are', async () => {
		const files = stored({ dot: TRACKING_PIXEL, photo: gif('a') });
		const rows = await files.plan();

		expect(sourcesOf(rows)).toStrictEqual(['photo']);
		expect(placesOf(rows)[0]?.skipped).toStrictEqual([
			{ name: 'dot.gif', because: 'tracking pixel' },
		]);
		expect(problemOf(await stored({ dot: TRACKING_PIXEL }).plan())).toMatchObject({
			message: "None of this item's files is an image.",
		});
	});
});
