import type { IBinaryData, IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import { planItem } from '../../nodes/ImageGeneration/plan/planItem';
import type { PlannedJob } from '../../nodes/ImageGeneration/types';
import { PIXEL } from '../support/images';
import { planningRun } from '../support/planningRun';

const DATA = PIXEL.toString('base64');
const image = (more: object = {}): IBinaryData => ({ data: DATA, mimeType: 'image/gif', ...more });
/** Images in these fields. */
const images = (...fields: string[]): IBinaryKeyData =>
	Object.fromEntries(fields.map((field) => [field, image({ fileName: `${field}.gif` })]));

type Inputs = Parameters<typeof planningRun>[0];

/** Plans Remove Background for one item. */
async function plan(parameters: object, item: object = {}, more: Inputs = {}) {
	const items = [{ json: {}, ...item } as INodeExecutionData];
	const all = { operation: 'removeBackground', download: true, ...parameters };
	return await planItem(planningRun({ items, parameters: all, ...more }), 0);
}
const byName = async (binaryPropertyName: unknown, binary: object = {}, more?: Inputs) =>
	(await plan({ inputType: 'binary', binaryPropertyName }, { binary }, more)).jobs;
const byUrl = async (imageUrl: unknown) => (await plan({ inputType: 'url', imageUrl })).jobs;
const allOf = async (item: object, more?: Inputs) => await plan({ inputType: 'all' }, item, more);

/** What each job sends as its image, or why it can't be sent. */
const partsOf = (jobs: PlannedJob[]) =>
	jobs.map((job) => {
		if ('problem' in job) return 'message' in job.problem ? job.problem.message : 'other';
		return job.request.file?.name ?? job.request.fields.image;
	});
const sourcesOf = (jobs: PlannedJob[]) => jobs.map(({ source }) => source);
const problemOf = ([job]: PlannedJob[]) =>
	job !== undefined && 'problem' in job ? job.problem : {};

const TOOL =
	"A tool gets only the files that reach its agent: use an image URL, or an expression in 'Input Data Field Name(s)' that returns a file from an earlier node.";

describe('Image URL', () => {
	const [A, B] = ['https://example.com/a.jpg', 'https://example.com/b.jpg'];
	const BASE64 = DATA;
	const GIF = `data:image/gif;base64,${BASE64}`;

	it.each([
		['https://example.com/a/fox.jpg', 'fox.jpg'],
		['HTTP://example.com/fox.jpg', 'fox.jpg'],
		['https://example.com/fox%20one.jpg?size=2', 'fox one.jpg'],
		['https://example.com/100%.jpg', '100%.jpg'],
		['https://example.com', ''],
	])('is sent as written and named after its last part: %s', async (address, label) => {
		const jobs = await byUrl(` ${address}\n`);

		expect(jobs).toEqual([expect.objectContaining({ label })]);
		expect(partsOf(jobs)).toEqual([address]);
		expect(sourcesOf(jobs)).toEqual([undefined]);
	});

	it.each([
		'ftp://example.com/a.jpg',
		'example.com/a.jpg',
		'see https://example.com/a.jpg',
		'http:/example.com/a.jpg',
		'http://[',
		'see data:image/gif;base64,AAAA',
	])('is rejected unless it is a full address: %s', async (address) => {
		expect(partsOf(await byUrl(address))).toEqual([
			`'Image URL' is ${JSON.stringify(address)}. Allowed: a full address starting with http:// or https://.`,
		]);
	});

	it.each([
		GIF,
		`DATA:image/gif;base64,${BASE64}`,
		`data:image/gif;charset=utf-8; BASE64 ,${BASE64}`,
		`data:;base64,${BASE64}`,
		`data:image/gif;base64,${BASE64.slice(0, 5)}\r\n  ${BASE64.slice(5)}`,
	])('is sent as a file if it is a data: address with base64: %j', async (address) => {
		const jobs = await byUrl(address);

		expect(jobs).toEqual([expect.objectContaining({ label: 'image' })]);
		expect(partsOf(jobs)).toEqual(['image.gif']);
	});

	it.each([
		'data:image/png;base64',
		'data:image/png,AAAA',
		'data:image/png;base64;x,AAAA',
		'data:image/png;base64,',
		'data:image/png;base64,-AAAA',
		'data:image/png;base64,AAAA-',
		'data:image/png;base64,AAAA===',
	])('is rejected if it is a data: address without base64: %s', async (address) => {
		expect(partsOf(await byUrl(address))).toEqual([
			`'Image URL' is ${JSON.stringify(address)}. A data: address must contain an image in base64.`,
		]);
	});

	const wrapped = `${GIF.slice(0, 30)}\n${GIF.slice(30)}`;

	it.each<[what: string, value: unknown, addresses: string[]]>([
		['lines', `${A}\n${B}`, [A, B]],
		['lines of Windows with empty ones between', `\r\n${A}  \r\n\r\n  ${B}\r\n`, [A, B]],
		['a list', [A, ` ${B}\n`], [A, B]],
		['a list of one', [A], [A]],
		['lines that repeat', `${B}\n${A}\n${B}`, [B, A]],
		['a list that repeats', [A, A], [A]],
		['base64 wrapped into lines', `${wrapped}\n${A}\n${wrapped}`, [GIF, A]],
		['base64 before another scheme', `${A}\n${wrapped}\nHTTPS://b/`, [A, GIF, 'HTTPS://b/']],
		['lines after an ordinary address', `${A}\nb.jpg`, [A, 'b.jpg']],
		['lines after text', `see ${GIF}\nb.jpg`, [`see ${GIF}`, 'b.jpg']],
	])('gives one job per address, in that order: %s', async (_what, value, addresses) => {
		expect(sourcesOf(await byUrl(value))).toEqual(addresses);
	});

	it.each<[value: unknown, message: string]>([
		[null, `'Image URL' is empty.`],
		[' \n ', `'Image URL' is empty.`],
		[{ a: 1 }, `'Image URL' must be text, but is "{"a":1}".`],
		[[], `'Image URL' is an empty list.`],
		[[A, ''], `Entry 2 of the list in 'Image URL' is empty.`],
		[[A, { a: 1 }], `'Image URL' contains "{"a":1}", which is not text.`],
		[[A, 7], `'Image URL' contains "7", which is not text.`],
	])('rejects %j', async (value, message) => {
		expect(partsOf(await byUrl(value))).toEqual([message]);
	});
});

describe('Input Data Field Name(s)', () => {
	const named = image({ fileName: 'fox.gif' });
	const binary = images('front', 'back', 'side');

	it.each<[what: string, value: unknown]>([
		['one name', 'front'],
		['one name with spaces around it', ' front '],
		['a binary object', image({ fileName: 'front.gif' })],
	])('gives one job for %s', async (_what, value) => {
		const jobs = await byName(value, binary);

		expect(partsOf(jobs)).toEqual(['front.gif']);
		expect(sourcesOf(jobs)).toEqual([undefined]);
	});

	it.each<[what: string, value: unknown, sources: string[]]>([
		['names with commas', ' front, back ,side', ['front', 'back', 'side']],
		['a list of names', ['front', 'back'], ['front', 'back']],
		['a list of names and binary objects', [named, 'back'], ['fox.gif', 'back']],
		['a list of one name', ['front'], ['front']],
		['a list of a file without a name', [image()], ['file']],
		['names that repeat', 'front, back, front', ['front', 'back']],
		['one name twice', 'front,front', ['front']],
		['a list that repeats', [named, 'front', named, 'front'], ['fox.gif', 'front']],
	])('gives one job per image, in that order: %s', async (_what, value, sources) => {
		const jobs = await byName(value, binary);

		expect(sourcesOf(jobs)).toEqual(sources);
		expect(jobs.some((job) => 'problem' in job)).toBe(false);
	});

	it.each(['a,b', ' a '])('reads %j as one name if the item has such a field', async (name) => {
		const jobs = await byName(name, images('a', 'b', name));

		expect(jobs).toEqual([expect.objectContaining({ label: `${name}.gif` })]);
	});

	it.each(['front,', ',front', 'front,,back', ' , '])(
		'rejects an empty name: %j',
		async (value) => {
			expect(partsOf(await byName(value, binary))).toEqual([
				`'Input Data Field Name(s)' is ${JSON.stringify(value)}, which contains an empty name.`,
			]);
		},
	);

	it.each<[value: unknown, message: string]>([
		['', `'Input Data Field Name(s)' is empty.`],
		['  ', `'Input Data Field Name(s)' is empty.`],
		[[], `'Input Data Field Name(s)' is an empty list.`],
		[['front', ''], `Entry 2 of the list in 'Input Data Field Name(s)' is empty.`],
		[[null], `Entry 1 of the list in 'Input Data Field Name(s)' is empty.`],
		[['front', undefined], `Entry 2 of the list in 'Input Data Field Name(s)' is empty.`],
	])('rejects %j', async (value, message) => {
		expect(partsOf(await byName(value, binary))).toEqual([message]);
	});

	it('must be a name or a file', async () => {
		expect(problemOf(await byName({ b: 1 }, binary))).toMatchObject({
			message: `'Input Data Field Name(s)' must be a field name or a file, but is "{"b":1}".`,
			advice: 'Use a field name, a file from an earlier node, or a list of these.',
		});
	});

	it.each<[what: string, binary: object, advice: string, more?: Inputs]>([
		['no file', {}, 'The item has no files at all. Connect a node that outputs a file.'],
		['no file as a tool', {}, `The item has no files at all. ${TOOL}`, { isTool: true }],
		['one file', images('Photo'), `Set 'Input Data Field Name(s)' to 'Photo'.`],
		[
			'several files',
			images('a', 'b', 'c'),
			"The item has files in 'a', 'b' and 'c'. Set 'Input Data Field Name(s)' to one of these names, or set 'Image Source' to 'All Images of the Item'.",
		],
	])('says what to do if the item has %s', async (_what, files, ...expected) => {
		const [advice, more] = expected;

		expect(problemOf(await byName('photo', files, more))).toMatchObject({
			message: `'Input Data Field Name(s)' is "photo", but this item has no such file.`,
			advice,
		});
	});

	it('lists up to twenty names', async () => {
		const names = Array.from({ length: 23 }, (_, index) => `f${index}`);
		const adviceFor = async (count: number) => {
			const problem = problemOf(await byName('photo', images(...names.slice(0, count))));
			return 'advice' in problem ? problem.advice : undefined;
		};

		expect(await adviceFor(20)).toContain("'f18' and 'f19'. Set");
		expect(await adviceFor(21)).toContain("'f18', 'f19' and 1 more. Set");
		expect(await adviceFor(23)).toContain("'f18', 'f19' and 3 more. Set");
	});
});

describe('Image Source', () => {
	it('rejects any other value', async () => {
		expect(partsOf((await plan({ inputType: 'mail' })).jobs)).toEqual([
			`'Image Source' is "mail". Allowed: binary, all, url.`,
		]);
	});

	it('All Images includes an image that n8n’s storage has lost, but no other file', async () => {
		const stored = (id: string) => image({ id, fileName: id === 'none' ? undefined : `${id}.gif` });
		const binary = Object.fromEntries(
			['good', 'lost', 'text', 'none'].map((id) => [id, stored(id)]),
		);
		const read = async (id: string) => {
			if (id === 'lost') throw new Error('No such file');
			// Claims to be an image, which counts for nothing here.
			return await Promise.resolve(id === 'good' ? PIXEL : Buffer.from([0, 1, 2, 3]));
		};
		const { jobs, skipped } = await allOf({ binary }, { read });

		expect(jobs.map((job) => [job.source, 'problem' in job])).toEqual([
			['good', false],
			['lost', true],
		]);
		expect(skipped).toEqual(['text.gif', 'none']);
	});

	const text = { data: 'AAAA', mimeType: '' };

	it.each<[what: string, binary: object, message: string, advice: string, more?: Inputs]>([
		['no file', {}, 'This item has no files.', 'Connect a node that outputs a file.'],
		['no file as a tool', {}, 'This item has no files.', TOOL, { isTool: true }],
		[
			'only other files',
			{ a: { ...text, fileName: 'notes.txt' }, b: text },
			"None of this item's files is an image.",
			"It has notes.txt (in 'a') and a file (in 'b'). Connect a node that outputs a JPG, PNG or WebP file.",
		],
	])('All Images says what to do if the item has %s', async (_what, binary, ...expected) => {
		const [message, advice, more] = expected;

		expect(problemOf((await allOf({ binary }, more)).jobs)).toMatchObject({ message, advice });
	});
});

describe('an item’s files', () => {
	const fieldsOf = async (item: object, more?: Inputs) => sourcesOf((await allOf(item, more)).jobs);
	const json = {
		_files: images('inside'),
		list: [image(), 'text', null, image()],
		one: image(),
		noFile: { mimeType: 'image/gif' },
		noType: { data: DATA },
		text: 'text',
		nothing: null,
	};

	it('are those beside the JSON and those its JSON lists', async () => {
		expect(await fieldsOf({ json, binary: images('beside') })).toEqual(['beside', 'inside']);
	});

	it('include those inside the JSON in a workflow that keeps them there', async () => {
		expect(await fieldsOf({ json }, { binaryMode: 'combined' })).toEqual([
			...['inside', 'list_0', 'list_1', 'one'],
		]);
	});

	it.each(['text', null, 7])('are none in a list that is not one: %j', async (named) => {
		const item = { json: { _files: named }, binary: images('beside') };

		expect(await fieldsOf(item)).toEqual(['beside']);
	});

	it('are none in an item without JSON and files', async () => {
		expect(await fieldsOf({ json: null, binary: null })).toEqual([undefined]);
	});

	it.each([
		['a.gif', 'a.gif'],
		[7, '7'],
		[null, 'image'],
	])('have text as their name, or none: %j', async (fileName, label) => {
		const jobs = await byName('a', { a: image({ fileName }) });

		expect(jobs).toEqual([expect.objectContaining({ label, keys: [expect.any(String)] })]);
	});

	it.each<[broken: unknown]>([
		[null],
		['text'],
		[[]],
		[{ id: 7, data: null, mimeType: 3, fileName: {} }],
	])('are empty if they are broken: %j', async (broken) => {
		const binary = { a: broken, ...(JSON.parse('{"__proto__":null}') as object) };

		expect(partsOf(await byName(['a', '__proto__'], binary))).toEqual([
			...['The file "image" is empty.', 'The file "image" is empty.'],
		]);
	});
});
