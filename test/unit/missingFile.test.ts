import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { itemFiles } from '../../nodes/ImageGeneration/plan/itemFiles';
import { noImageAtAll, noSuchFile } from '../../nodes/ImageGeneration/plan/missingFile';
import { planningRun } from '../support/planningRun';

const file = (fileName?: string): IBinaryData => ({
	data: '',
	mimeType: 'image/png',
	...(fileName !== undefined && { fileName }),
});
/** A run with one item that has files in these fields. */
const runWith = (fields: string[], isTool = false) =>
	planningRun({
		items: [
			{
				json: {},
				binary: Object.fromEntries(fields.map((field) => [field, file(`${field}.png`)])),
			},
		],
		isTool,
	});
const TOOL =
	"A tool gets only the files that reach its agent: use an image URL, or an expression in 'Input Data Field Name(s)' that returns a file from an earlier node.";

describe('a field without a file', () => {
	const adviceFor = (asked: string, ...fields: string[]) =>
		noSuchFile(runWith(fields), 0, asked).advice;

	it('is named', () => {
		expect(noSuchFile(runWith([]), 0, 'photo').message).toBe(
			`'Input Data Field Name(s)' is "photo", but this item has no such file.`,
		);
	});

	it('comes with advice on what to connect if the item has no file', () => {
		expect(adviceFor('photo')).toBe(
			'The item has no files at all. Connect a node that outputs a file.',
		);
		expect(noSuchFile(runWith([], true), 0, 'photo').advice).toBe(
			`The item has no files at all. ${TOOL}`,
		);
	});

	it.each([
		['photo', ['image']],
		['your photo', ['Your_Photo', 'other']],
		['PHOTO1', ['other', 'photo_1']],
	])('comes with the one name that was probably meant: %s among %j', (asked, fields) => {
		const meant = fields.find((field) => /photo/i.test(field)) ?? 'image';

		expect(adviceFor(asked, ...fields)).toBe(`Set 'Input Data Field Name(s)' to '${meant}'.`);
	});

	it('comes with all names the item has, up to twenty', () => {
		const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
		const quoted = (count: number) => names(count).map((name) => `'${name}'`);

		expect(adviceFor('photo', 'a', 'b', 'c')).toBe(
			"The item has files in 'a', 'b' and 'c'. Set 'Input Data Field Name(s)' to one of these names, or set 'Image Source' to 'All Images of the Item'.",
		);
		expect(adviceFor('photo', ...names(20))).toContain(
			`${quoted(20).slice(0, 19).join(', ')} and 'f19'. Set`,
		);
		expect(adviceFor('photo', ...names(23))).toContain(`${quoted(20).join(', ')} and 3 more. Set`);
	});

	it('is rejected if it is neither a name nor a file', () => {
		const { message, advice } = noSuchFile(runWith(['a']), 0, { b: 1 });

		expect(message).toBe(
			`'Input Data Field Name(s)' must be a field name or a file, but is "{"b":1}".`,
		);
		expect(advice).toBe('Use a field name, a file from an earlier node, or a list of these.');
	});
});

describe('an item without an image', () => {
	it('is described by the names and fields of its files', () => {
		const failure = noImageAtAll(runWith([]), [
			{ field: 'a', binary: file('notes.txt') },
			{ field: 'b', binary: file() },
		]);

		expect(failure.message).toBe("None of this item's files is an image.");
		expect(failure.advice).toBe(
			"It has notes.txt (in 'a') and a file (in 'b'). Connect a node that outputs a JPG, PNG or WebP file.",
		);
	});

	it('is described by its only file', () => {
		const [one] = [{ field: 'a', binary: file('notes.txt') }];

		expect(noImageAtAll(runWith([]), [one]).advice).toMatch(/^It has notes\.txt \(in 'a'\)\. /);
	});

	it('comes with advice on what to connect if it has no file', () => {
		expect(noImageAtAll(runWith([]), [])).toMatchObject({
			message: 'This item has no files.',
			advice: 'Connect a node that outputs a file.',
		});
		expect(noImageAtAll(runWith([], true), []).advice).toBe(TOOL);
	});
});

describe('an item’s files', () => {
	const fieldsOf = (json: IDataObject, binaryMode?: 'combined') => {
		const run = planningRun({
			items: [{ json, binary: { beside: file() } }],
			...(binaryMode && { binaryMode }),
		});
		return itemFiles(run.context, 0).map(({ field }) => field);
	};
	const inJson = {
		_files: { inside: file() as unknown as IDataObject },
		list: [file() as unknown as IDataObject, 'text', null, file() as unknown as IDataObject],
		one: { mimeType: 'image/png', id: 'x' },
		noFile: { mimeType: 'image/png' },
		noType: { data: 'AAAA' },
		text: 'text',
		nothing: null,
	};

	it('are those beside the JSON and those its JSON lists', () => {
		expect(fieldsOf(inJson)).toEqual(['beside', 'inside']);
	});

	it('include those inside the JSON in a workflow that keeps them there', () => {
		expect(fieldsOf(inJson, 'combined')).toEqual(['beside', 'inside', 'list_0', 'list_1', 'one']);
	});

	it.each(['text', null, 7])('ignore a list that is not one: %j', (named) => {
		expect(fieldsOf({ _files: named })).toEqual(['beside']);
	});

	it('have text as their name, or none', () => {
		const named = (fileName: unknown) =>
			itemFiles(
				planningRun({
					items: [{ json: {}, binary: { a: { ...file(), fileName } as IBinaryData } }],
				}).context,
				0,
			)[0]?.binary;

		expect(named('a.png')?.fileName).toBe('a.png');
		expect(named(7)?.fileName).toBe('7');
		expect(named(null)).toEqual({ data: '', mimeType: 'image/png' });
	});

	it.each<[broken: unknown]>([
		[null],
		['text'],
		[[]],
		[{ id: 7, data: null, mimeType: 3, fileName: {} }],
	])('are empty files if they are broken: %j', (broken) => {
		const binary = { a: broken, ...(JSON.parse('{"__proto__":null}') as object) } as never;
		const files = itemFiles(planningRun({ items: [{ json: {}, binary }] }).context, 0);

		expect(files.map(({ field }) => field)).toEqual(['a', '__proto__']);
		for (const { binary: file } of files) expect(file).toMatchObject({ data: '', mimeType: '' });
		expect(files[0]?.binary).not.toHaveProperty('id');
	});

	it.each([null, 'text', 7])('are none if the item’s binary data is broken: %j', (binary) => {
		const items = [{ json: null, binary }] as never;

		expect(itemFiles(planningRun({ items }).context, 0)).toEqual([]);
	});

	it('are empty if there is no such item', () => {
		expect(itemFiles(planningRun({ items: [] }).context, 0)).toEqual([]);
	});
});
