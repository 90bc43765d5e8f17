import { randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { imageFile } from '../../../nodes/ImageGeneration/images/imageFile';
import { planAll } from '../../../nodes/ImageGeneration/plan/planAll';
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
	withoutData,
} from '../../support/planImages';
import { planningRun } from '../../support/planningRun';

const FIELD = "'Input Data Field Name(s)'";

describe('Input Data Field Name(s) selects', () => {
	const named = image({ fileName: 'fox.gif' });
	const binary = images('front', 'back', 'side');
	const GIF = `data:image/gif;base64,${DATA}`;

	it.each<[what: string, value: unknown, sources: unknown[]]>([
		['one name with spaces around it', ' front ', [undefined]],
		['names with commas', ' front, back ,side', ['front', 'back', 'side']],
		['names that repeat', 'front, back, front', ['front', 'back']],
		['a list of one name', ['front'], ['front']],
		['a binary object', named, [undefined]],
		['a list of names and binary objects', [named, 'back', named], ['fox.gif', 'back']],
		['a file of $binary, whose data n8n leaves out', withoutData(binary.front), [undefined]],
		['an image in base64', DATA, [undefined]],
		['a data: address in lines', GIF.replace(/.{40}/g, '$&\n'), [undefined]],
		['a list of images themselves', [DATA, GIF], [DATA, GIF]],
		['one of them twice', [DATA, DATA], [DATA]],
	])('one image each, in that order, of %s', async (_what, value, sources) => {
		const rows = await byName(value, binary);

		expect(sourcesOf(rows)).toStrictEqual(sources);
		expect(rows.some((row) => 'problem' in row)).toBe(false);
	});

	it.each(['a,b', ' a ', DATA])(
		'one file if the item has a field of that name: %j',
		async (name) => {
			const rows = await byName(name, { ...images('a', 'b'), [name]: named });

			expect(placesOf(rows)).toMatchObject([{ label: 'fox.gif' }]);
		},
	);

	const A = 'https://example.com/w_1,h_2/a.jpg';
	const twins = { a: image(), b: image() };

	it.each<[value: unknown, message: string, advice?: string]>([
		['front,,back', 'is "front,,back", which contains an empty name.'],
		['  ', 'is empty.'],
		[[], 'is an empty list.'],
		[{ b: 1 }, 'must be a field name or a file, but is "{"b":1}".'],
		[{ photo: withoutData(named) }, 'must be a field name or a file', 'such as {{ $binary.data }}'],
		[withoutData(twins.a), 'must be a field name or a file'],
		[A, `is "${A}", which is an address.`, "Set 'Image Source' to 'URL', and enter the address"],
	])('nothing, and says what to do, for %j', async (value, message, advice = '') => {
		expect(problemOf(await byName(value, { ...binary, ...twins }))).toMatchObject({
			message: expect.stringContaining(`${FIELD} ${message}`) as string,
			advice: expect.stringContaining(advice) as string,
		});
	});

	it('nothing for an entry of a list that is empty', async () => {
		expect(partsOf(await byName(['front', null], binary))).toStrictEqual([
			`Entry 2 of the list in ${FIELD} is empty.`,
		]);
	});

	it('no other file for the default name in a list that somebody typed', async () => {
		expect(partsOf(await byName('data, front', images('front')))).toStrictEqual([
			expect.stringContaining('no such file'),
			'front.gif',
		]);
	});

	const names = Array.from({ length: 23 }, (_, index) => `f${index}`);
	const pdf = { data: 'AAAA', mimeType: 'application/pdf', fileName: 'list.pdf' };

	it.each<[what: string, binary: object, advice: string]>([
		['one image', { pdf, ...images('Photo') }, `Set ${FIELD} to 'Photo'.`],
		[
			'several images',
			images('a', 'b', 'c'),
			`The item has images in 'a', 'b' and 'c'. Set ${FIELD} to one of these names, or set 'Image Source' to 'All Images of the Item'.`,
		],
		['more than twenty images', images(...names), `'f18', 'f19' and 3 more. Set`],
	])('nothing by a wrong name, but tells those there are: %s', async (_what, files, advice) => {
		expect(problemOf(await byName('photo', files))).toMatchObject({
			message: `${FIELD} is "photo", but this item has no such file.`,
			advice: expect.stringContaining(advice) as string,
		});
	});

	it('an image of which a message shows only the beginning', async () => {
		const long = `${DATA}${'AAAA'.repeat(1000)}`;

		expect(sourcesOf(await byName([long], binary))).toStrictEqual([`${long.slice(0, 199)}…`]);
	});
});

describe('an item’s files', () => {
	const beside = images('beside');

	it.each<[what: string, one: unknown]>([
		['with its type', image()],
		['with its type in snake case', { mime_type: 'image/gif', data: DATA }],
		['of a model, in `inlineData`', { inlineData: { mimeType: 'image/gif', data: DATA } }],
		['of a model, in `inline_data`', { inline_data: { mime_type: 'image/gif', data: DATA } }],
		['as a Buffer in JSON', PIXEL.toJSON()],
		['as a Buffer with its type', { mimeType: 'image/gif', data: PIXEL.toJSON() }],
		['as a Buffer', PIXEL],
	])('include one in a field of the JSON %s', async (_what, one) => {
		const item = { json: { sku: 7, one }, binary: beside };

		for (const binaryMode of ['separate', 'combined', undefined]) {
			expect(sourcesOf(await allOf(item, { binaryMode }))).toStrictEqual(['beside', 'one']);
		}
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

	it('include those in a field named _files only if binaryMode is combined', async () => {
		const _files = { one: image({ id: 'one' }), noType: { id: 'a' }, noId: { mimeType: 'a' } };
		const sources = async (binaryMode: string) =>
			sourcesOf(
				await allOf({ json: { _files }, binary: beside }, { binaryMode, read: async () => PIXEL }),
			);

		expect(await sources('separate')).toStrictEqual(['beside']);
		expect(await sources('combined')).toStrictEqual(['beside', 'one']);
	});

	it.each([null, 'text', { id: 7, data: null, mimeType: 3, fileName: {} }])(
		'are empty if a Code node has broken them: %j',
		async (broken) => {
			expect(partsOf(await byName('a', { a: broken }))).toStrictEqual([
				'The file "image" is empty.',
			]);
		},
	);
});

describe('All Images of the Item', () => {
	it('includes an image that n8n’s storage has lost, but no other file and no tracking pixel', async () => {
		const stored = (id: string) => image({ id, fileName: id === 'none' ? undefined : `${id}.gif` });
		const binary = Object.fromEntries(
			['good', 'lost', 'text', 'none', 'dot'].map((id) => [id, stored(id)]),
		);
		const read = async (id: string) => {
			if (id === 'lost') throw new Error('No such file');
			if (id === 'dot') return TRACKING_PIXEL;
			// Claims to be a GIF, and does not begin like one.
			return id === 'good' ? PIXEL : Buffer.from([0, 1, 2, 3]);
		};
		const rows = await allOf({ binary }, { read });

		expect(sourcesOf(rows)).toStrictEqual(['good', 'lost']);
		expect(sourcesOf(rows.filter((row) => 'problem' in row))).toStrictEqual(['lost']);
		expect(placesOf(rows)[0]?.skipped).toStrictEqual(['text.gif', 'none', 'dot.gif']);
	});

	it('names the files if none of them is an image', async () => {
		const binary = {
			a: { data: 'AAAA', mimeType: 'text/plain', fileName: 'notes.txt' },
			b: { data: 'AAAA', mimeType: '' },
		};
		const problem = {
			message: "None of this item's files is an image.",
			advice:
				"It has notes.txt (text/plain, in 'a') and a file (in 'b'). Connect a node that outputs a JPG, PNG or WebP file of at least 100 bytes.",
		};

		expect(problemOf(await allOf({ binary }))).toMatchObject(problem);
		expect(problemOf(await byName('photo', binary))).toMatchObject(problem);
	});
});

it('an item gives one row per image if the operation has no copies, whatever another one was set to', async () => {
	const options = { numberOfImages: 3 };

	expect(await plan({ inputType: 'url', imageUrl: 'http://a', options })).toHaveLength(1);
});

it('items keep their order, however long their files take, and none is read after a stop', async () => {
	const items = ['slow', 'quick'].map((id) => ({ json: {}, binary: { data: image({ id }) } }));
	const finished: string[] = [];
	const read = async (id: string) => {
		if (id === 'slow') for (let turn = 0; turn < 9; turn++) await new Promise(setImmediate);
		finished.push(id);
		return PIXEL;
	};
	const parameters = {
		operation: 'removeBackground',
		inputType: 'binary',
		binaryPropertyName: 'data',
		download: true,
	};
	const run = planningRun({ items, parameters, read });
	const rows = placesOf(await planAll(run, new AbortController().signal));

	expect([finished.indexOf('quick'), finished.at(-1)]).toStrictEqual([0, 'slow']);
	expect(rows.map(({ itemIndex }) => itemIndex)).toStrictEqual([0, 1]);
	expect(await planAll(run, AbortSignal.abort())).toStrictEqual([]);
});

describe.each([13, 14, 15, 262_143, 1_000_000])('a file of %d bytes in the item', (length) => {
	const bytes = Buffer.concat([Buffer.from('GIF89a'), randomBytes(length - 6)]);
	const base64 = bytes.toString('base64');

	it.each([
		['as n8n writes it', base64],
		['without padding', base64.replace(/=+$/, '')],
		['for addresses', bytes.toString('base64url')],
		['in lines', `${base64.replace(/.{76}/g, '$&\r\n')}\n`],
	])('is sent byte for byte, in base64 %s', async (_how, data) => {
		const helpers = {} as IExecuteFunctions['helpers'];
		const { size, open } = await imageFile(helpers, { mimeType: 'image/gif', data });
		const pieces: Uint8Array[] = [];
		for await (const piece of await open()) pieces.push(piece);

		expect(size).toBe(length);
		expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
	});
});
