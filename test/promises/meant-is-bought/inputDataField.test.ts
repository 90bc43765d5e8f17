import {
	byName,
	image,
	images,
	partsOf,
	placesOf,
	problemOf,
	sourcesOf,
	withoutData,
} from '../../support/planImages';

describe('Input Data Field Name(s)', () => {
	const named = image({ fileName: 'fox.gif' });
	const binary = images('front', 'back', 'side');

	it.each<[what: string, value: unknown, sources: unknown[]]>([
		['one name with spaces around it', ' front ', [undefined]],
		['a binary object', named, [undefined]],
		['names with commas', ' front, back ,side', ['front', 'back', 'side']],
		['a list of names and binary objects', [named, 'back'], ['fox.gif', 'back']],
		['a list of one name', ['front'], ['front']],
		['a list of a file without a name', [image()], ['file']],
		['a file of $binary, whose data n8n leaves out', withoutData(binary.front), [undefined]],
		['names that repeat', 'front, back, front', ['front', 'back']],
		['one name twice', 'front,front', [undefined]],
		['a list that repeats', [named, 'front', named, 'front'], ['fox.gif', 'front']],
	])('gives one job per image, in that order: %s', async (_what, value, sources) => {
		const rows = await byName(value, binary);

		expect(sourcesOf(rows)).toStrictEqual(sources);
		expect(rows.some((row) => 'problem' in row)).toBe(false);
	});

	it.each(['a,b', ' a '])('reads %j as one name if the item has such a field', async (name) => {
		const rows = await byName(name, images('a', 'b', name));

		expect(placesOf(rows)).toMatchObject([{ label: `${name}.gif` }]);
	});

	it.each<[value: unknown, message: string]>([
		...['front,', ',front', 'front,,back'].map((value): [string, string] => [
			value,
			`'Input Data Field Name(s)' is ${JSON.stringify(value)}, which contains an empty name.`,
		]),
		['  ', `'Input Data Field Name(s)' is empty.`],
		[[], `'Input Data Field Name(s)' is an empty list.`],
		[['front', ''], `Entry 2 of the list in 'Input Data Field Name(s)' is empty.`],
		[[null], `Entry 1 of the list in 'Input Data Field Name(s)' is empty.`],
		[['front', undefined], `Entry 2 of the list in 'Input Data Field Name(s)' is empty.`],
		[{ b: 1 }, `'Input Data Field Name(s)' must be a field name or a file, but is "{"b":1}".`],
	])('rejects %j', async (value, message) => {
		expect(partsOf(await byName(value, binary))).toStrictEqual([message]);
	});

	it('guesses no file for the default name in a list that somebody typed', async () => {
		const parts = partsOf(await byName('data, front', images('front')));
		expect(parts).toStrictEqual([expect.stringContaining('no such file'), 'front.gif']);
	});

	const A = 'https://example.com/w_1,h_2/a.jpg';

	it('does not guess between two files that $binary shows alike', async () => {
		const alike = { a: image(), b: image() };

		expect(partsOf(await byName(withoutData(alike.a), alike))).toStrictEqual([
			expect.stringContaining('must be a field name or a file'),
		]);
	});

	it.each<[what: string, value: unknown, message: string, advice: string]>([
		[
			'an address',
			A,
			`is "${A}", which is an address.`,
			"Set 'Image Source' to 'URL', and enter the address in 'Image URL'.",
		],
		[
			'all files of an item',
			{ photo: withoutData(named) },
			'must be a field name or a file',
			'such as {{ $binary.data }}',
		],
	])('says what to use instead of %s', async (_what, value, message, advice) => {
		expect(problemOf(await byName(value, binary))).toMatchObject({
			message: expect.stringContaining(`'Input Data Field Name(s)' ${message}`) as string,
			advice: expect.stringContaining(advice) as string,
		});
	});

	const names = Array.from({ length: 23 }, (_, index) => `f${index}`);

	it.each<[what: string, binary: object, advice: string]>([
		['one file', images('Photo'), `Set 'Input Data Field Name(s)' to 'Photo'.`],
		[
			'several files',
			images('a', 'b', 'c'),
			"The item has images in 'a', 'b' and 'c'. Set 'Input Data Field Name(s)' to one of these names, or set 'Image Source' to 'All Images of the Item'.",
		],
		['twenty files', images(...names.slice(0, 20)), `'f18' and 'f19'. Set`],
		['more than twenty files', images(...names), `'f18', 'f19' and 3 more. Set`],
	])('says what to do if the item has %s', async (_what, files, advice) => {
		expect(problemOf(await byName('photo', files))).toMatchObject({
			message: `'Input Data Field Name(s)' is "photo", but this item has no such file.`,
			advice: expect.stringContaining(advice) as string,
		});
	});
});
