import type { IBinaryData, IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import { planAll } from '../../nodes/ImageGeneration/plan/planAll';
import type { PlannedJob } from '../../nodes/ImageGeneration/types';
import { PIXEL } from '../support/images';
import { planningRun } from '../support/planningRun';

const DATA = PIXEL.toString('base64');
const PNG = Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${'\0'.repeat(2000)}`, 'latin1').toString(
	'base64',
);
const image = (more: object = {}): IBinaryData => ({ data: DATA, mimeType: 'image/gif', ...more });
/** Images in these fields. */
const images = (...fields: string[]): IBinaryKeyData =>
	Object.fromEntries(fields.map((field) => [field, image({ fileName: `${field}.gif` })]));

/** What an expression with `$binary` returns of a file in memory. */
function withoutData(file: Partial<IBinaryData> = {}): object {
	return Object.fromEntries(Object.entries(file).filter(([name]) => name !== 'data'));
}

type Inputs = Parameters<typeof planningRun>[0];

/** Plans Remove Background for one item. */
async function plan(parameters: object, item: object = {}, more: Inputs = {}) {
	const items = [{ json: {}, ...item } as INodeExecutionData];
	const all = { operation: 'removeBackground', download: true, ...parameters };
	return await planAll(planningRun({ items, parameters: all, ...more }));
}
const byName = async (binaryPropertyName: unknown, binary: object) =>
	await plan({ inputType: 'binary', binaryPropertyName }, { binary });
const byUrl = async (imageUrl: unknown) => await plan({ inputType: 'url', imageUrl });
const allOf = async (item: object, more?: Inputs) => await plan({ inputType: 'all' }, item, more);

/** What each job sends as its image, or why it can't be sent. */
const partsOf = (jobs: PlannedJob[]) =>
	jobs.map((job) => {
		if ('problem' in job) return 'message' in job.problem ? job.problem.message : 'other';
		return job.request.file?.name ?? job.request.textParts.image;
	});
const sourcesOf = (jobs: PlannedJob[]) => jobs.map(({ source }) => source);
const problemOf = ([job]: PlannedJob[]) =>
	job !== undefined && 'problem' in job ? job.problem : {};

describe('Image URL', () => {
	const [A, B] = ['https://example.com/a.jpg', 'https://example.com/b.jpg'];
	const LONG = A.padEnd(200, '?');
	const CUT = 'https://res.example.com/image';
	const VIA = 'https://example.com/collage?urls=';
	const GIF = `data:image/gif;base64,${DATA}`;

	it.each([
		['HTTP://example.com/a/fox.jpg', 'fox.jpg'],
		['https://example.com/fox%20one.jpg?size=2', 'fox one.jpg'],
		['https://example.com/100%.jpg', '100%.jpg'],
		['https://example.com', ''],
	])('is sent as written and named after its last part: %s', async (address, label) => {
		const jobs = await byUrl(` ${address}\n`);

		expect(jobs).toStrictEqual([expect.objectContaining({ label })]);
		expect(partsOf(jobs)).toStrictEqual([address]);
	});

	it.each([`"${A}"`, `'${A}'`, `“${A}”`, `<${A}>`, ` "${A}", `])(
		'does not include the quotes around it: %s',
		async (address) => {
			expect(partsOf(await byUrl(address))).toStrictEqual([A]);
			expect(partsOf(await byUrl([address]))).toStrictEqual([A]);
		},
	);

	it.each([
		`${CUT}/w_200,h_100/a.jpg`,
		`${CUT}/a,b.jpg,c`,
		'https://example.com/my photo.jpg',
		`https://example.com/it's.jpg`,
		`${VIA}${A},${B}`,
	])('stays as it is, with its commas and spaces: %s', async (address) => {
		expect(partsOf(await byUrl(address))).toStrictEqual([address]);
	});

	const elsewhere = 'Only this machine can open that address, but the service downloads the image.';
	const page = 'That is a web page that shows a file, not the file.';
	const andSet = "and set 'Image Source' to 'File From an Earlier Node'.";
	const drive = `Download the file with a Google Drive node first, ${andSet}`;
	const oneDrive = `Download the file with a Microsoft OneDrive node first, ${andSet}`;

	it.each([
		[
			'http://localhost:5678/a.jpg',
			elsewhere,
			`Get the image with an HTTP Request node first, ${andSet}`,
		],
		['http://127.0.0.1/a.jpg', elsewhere, 'HTTP Request'],
		['http://127.1/a.jpg', elsewhere, 'HTTP Request'],
		['https://[::1]:5678/a.jpg', elsewhere, 'HTTP Request'],
		['http://[::ffff:127.0.0.1]/a.jpg', elsewhere, 'HTTP Request'],
		['http://0.0.0.0:8080/a.jpg', elsewhere, 'HTTP Request'],
		['http://n8n.localhost/a.jpg', elsewhere, 'HTTP Request'],
		['https://drive.google.com/file/d/1AbC/view?usp=sharing', page, drive],
		['https://drive.google.com/open?id=1AbC', page, drive],
		['https://drive.google.com/drive/folders/1AbC', page, drive],
		['https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=0', page, 'a Dropbox node'],
		['https://1drv.ms/i/s!AbC', page, oneDrive],
		['https://onedrive.live.com/?id=1&cid=2', page, oneDrive],
		['https://team.sharepoint.com/:i:/s/site/AbC', page, 'a Microsoft SharePoint node'],
	])('is refused if the service finds no image there: %s', async (address, why, advice) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: `'Image URL' is "${address}". ${why}`,
			advice: expect.stringContaining(advice) as string,
		});
	});

	it.each([
		'https://drive.google.com/uc?export=download&id=1AbC',
		'https://drive.google.com/thumbnail?id=1AbC',
		'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=1',
		'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&raw=1&dl=0',
		'https://www.dropbox.com/scl/fi/1/a.jpg',
		'https://dl.dropboxusercontent.com/scl/fi/1/a.jpg?dl=0',
		'https://onedrive.live.com/download?resid=1',
		'https://team.sharepoint.com/:i:/s/site/AbC?download=1',
		'https://localhost.example.com/a.jpg',
		'http://192.168.1.5/a.jpg',
	])('is sent if there can be an image: %s', async (address) => {
		expect(partsOf(await byUrl(address))).toStrictEqual([address]);
	});

	it.each([
		'http://localhost:8080',
		'http://127.0.0.1:8080',
		'http://[::1]:8080',
		// The service may be on this machine.
		'http://192.168.1.5:8080',
		'http://10.0.0.5:8080',
		'http://172.17.0.1:8080',
		'http://sandbox:8080',
		'http://host.docker.internal:8080',
	])('may be on this machine if the service may be there as well: %s', async (origin) => {
		const parameters = { inputType: 'url', imageUrl: 'http://localhost:5678/a.jpg' };

		expect(partsOf(await plan(parameters, {}, { origin }))).toStrictEqual([parameters.imageUrl]);
	});

	it.each(['https://example.com', 'https://[2001:db8::1]', 'http://172.32.0.1', 'http://8.8.8.8'])(
		'may not be on this machine if the service is elsewhere: %s',
		async (origin) => {
			const parameters = { inputType: 'url', imageUrl: 'http://localhost:5678/a.jpg' };

			expect(problemOf(await plan(parameters, {}, { origin }))).toMatchObject({
				kind: 'bad input',
			});
		},
	);

	it.each([
		['base64', DATA],
		['base64 wrapped into lines', DATA.replace(/.{40}/g, '$&\r\n')],
		['base64 of a PNG', PNG],
	])('is sent as a file if it is an image in %s', async (_what, address) => {
		expect(partsOf(await byUrl(address))).toStrictEqual([
			expect.stringMatching(/^image\.(gif|png)$/),
		]);
	});

	it.each([['/work/images/photo/of/the/day/fox'], ['aGVsbG8gd29ybGQsIHRoaXMgaXMgdGV4dA==']])(
		'is not taken for base64 if it is none of an image: %s',
		async (address) => {
			expect(problemOf(await byUrl(address))).toMatchObject({
				message: expect.stringContaining('Allowed: a full address') as string,
			});
		},
	);

	it('is refused if an image in base64 goes on with something else', async () => {
		expect(partsOf(await byUrl(`${PNG} (shortened)`))).toStrictEqual([
			"'Image URL' begins with an image in base64, but goes on with something else.",
		]);
	});

	it.each([
		`DATA:image/gif;base64,${DATA}`,
		`data:image/gif;charset=utf-8; BASE64 ,${DATA}`,
		`data:;base64,${DATA}`,
		`data:image/gif;base64,${DATA.slice(0, 5)}\r\n  ${DATA.slice(5)}`,
	])('is sent as a file if it is a data: address with base64: %j', async (address) => {
		const jobs = await byUrl(address);

		expect(jobs).toStrictEqual([expect.objectContaining({ label: 'image' })]);
		expect(partsOf(jobs)).toStrictEqual(['image.gif']);
	});

	const wrapped = `${GIF.slice(0, 30)}\n${GIF.slice(30)}`;

	it.each<[what: string, value: unknown, addresses: string[]]>([
		['lines of Windows with empty ones between', `\r\n${A}  \r\n\r\n  ${B}\r\n`, [A, B]],
		['a list', [A, ` ${B}\n`], [A, B]],
		['lines that repeat', `${B}\n${A}\n${B}`, [B, A]],
		['a list that repeats', [A, A], [A]],
		['base64 wrapped into lines', `${wrapped}\n${A}\n${wrapped}`, [GIF, A]],
		['base64 before another scheme', `${A}\n${wrapped}\nHTTPS://b/`, [A, GIF, 'HTTPS://b/']],
		['lines after an ordinary address', `${A}\nb.jpg`, [A, 'b.jpg']],
		['lines after text', `see ${GIF}\nb.jpg`, [`see ${GIF}`, 'b.jpg']],
		['commas', `${A},${B}, ${A}?2`, [A, B, `${A}?2`]],
		['spaces', `${A} ${B}\t${A}?2`, [A, B, `${A}?2`]],
		['semicolons, and one at the end', `${A}; ${B};`, [A, B]],
		['quotes and commas', `"${A}", '${B}',`, [A, B]],
		['several in an entry of a list', [`${A},${B}`, `${A}?2`], [A, B, `${A}?2`]],
		['an image between them', `${A},${GIF},${B}`, [A, GIF, B]],
		[
			'commas inside addresses',
			`${CUT}/w_200,h_100/a.jpg ${CUT}/w_1,h_2/b`,
			[`${CUT}/w_200,h_100/a.jpg`, `${CUT}/w_1,h_2/b`],
		],
		['addresses in their queries', `${VIA}${A},${B} ${VIA}${B}`, [`${VIA}${A},${B}`, `${VIA}${B}`]],
		['with 200 characters at most', [LONG, `${LONG}b`], [LONG, `${LONG.slice(0, 199)}…`]],
	])('gives one job per address, in that order: %s', async (_what, value, addresses) => {
		expect(sourcesOf(await byUrl(value))).toStrictEqual(addresses);
	});

	const noAddress = (value: string): [string, string] => [
		value,
		`'Image URL' is "${value}". Allowed: a full address starting with http:// or https://.`,
	];
	const noImage = (value: string): [string, string] => [
		value,
		`'Image URL' is "${value}". A data: address must contain an image in base64.`,
	];

	it.each<[value: unknown, message: string]>([
		...['ftp://a.b', `see ${A}`, 'http:/a.b/c.jpg', 'http://[', 'see data:,'].map(noAddress),
		...['data:a/b;base64', 'data:a/b,AAAA', 'data:;base64;x,AAAA', 'data:;base64'].map(noImage),
		...['data:;base64,-AAAA', 'data:;base64,AAAA-', 'data:;base64,AAAA==='].map(noImage),
		[' \n ', `'Image URL' is empty.`],
		[[], `'Image URL' is an empty list.`],
		[[A, ''], `Entry 2 of the list in 'Image URL' is empty.`],
		[[A, { a: 1 }], `'Image URL' contains "{"a":1}", which is not text.`],
	])('rejects %j', async (value, message) => {
		expect(partsOf(await byUrl(value))).toStrictEqual([message]);
	});
});

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
		['one name twice', 'front,front', ['front']],
		['a list that repeats', [named, 'front', named, 'front'], ['fox.gif', 'front']],
	])('gives one job per image, in that order: %s', async (_what, value, sources) => {
		const jobs = await byName(value, binary);

		expect(sourcesOf(jobs)).toStrictEqual(sources);
		expect(jobs.some((job) => 'problem' in job)).toBe(false);
	});

	it.each(['a,b', ' a '])('reads %j as one name if the item has such a field', async (name) => {
		const jobs = await byName(name, images('a', 'b', name));

		expect(jobs).toStrictEqual([expect.objectContaining({ label: `${name}.gif` })]);
	});

	it.each<[value: unknown, message: string]>([
		...['front,', ',front', 'front,,back', ' , '].map((value): [string, string] => [
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

	it.each<[what: string, value: unknown, count: number]>([
		['an image in base64', DATA, 1],
		['a data: address', `data:image/gif;base64,${DATA}`, 1],
		[
			'a data: address that is wrapped',
			`data:image/gif;base64,\n${DATA.slice(0, 20)}\n${DATA.slice(20)}`,
			1,
		],
		['a list of both', [DATA, `data:;base64,${DATA}`], 2],
	])('takes %s, which is an image itself', async (_what, value, count) => {
		expect(partsOf(await byName(value, binary))).toStrictEqual(Array(count).fill('image.gif'));
	});

	it('takes the file of a field even if its name is an image in base64', async () => {
		const jobs = await byName(DATA, { [DATA]: named });

		expect(jobs).toStrictEqual([expect.objectContaining({ label: 'fox.gif' })]);
	});

	it('does not guess between two files that $binary shows alike', async () => {
		const alike = { a: image(), b: image() };

		expect(partsOf(await byName(withoutData(alike.a), alike))).toStrictEqual([
			expect.stringContaining('must be a field name or a file'),
		]);
	});

	it('shows only the beginning of an image in base64', async () => {
		const long = PIXEL.toString('base64') + 'AAAA'.repeat(1000);

		expect(sourcesOf(await byName([long], binary))).toStrictEqual([`${long.slice(0, 199)}…`]);
	});

	it.each<[what: string, value: unknown, message: string, advice: string]>([
		[
			'an address',
			A,
			`is "${A}", which is an address.`,
			"Set 'Image Source' to 'URL', and enter the address in 'Image URL'.",
		],
		['a quoted address', `"${A}"`, `is "${A}", which is an address.`, 'Set '],
		[
			'all files of an item',
			{ photo: withoutData(named) },
			'must be one file, but the expression returns all files of an item.',
			"Add the name of one, such as {{ $binary.photo }}, or set 'Image Source' to 'All Images of the Item'.",
		],
		[
			'files with other names',
			{ 'Your photo': named },
			'must be one file',
			'as {{ $binary["Your photo"] }}, or',
		],
	])('says what to use instead of %s', async (_what, value, message, advice) => {
		expect(problemOf(await byName(value, binary))).toMatchObject({
			message: expect.stringContaining(`'Input Data Field Name(s)' ${message}`) as string,
			advice: expect.stringContaining(advice) as string,
		});
	});

	it('counts each address of a list as one', async () => {
		expect(await byName(`${A}\n${A}?2`, binary)).toHaveLength(2);
		expect(await byName(A, binary)).toHaveLength(1);
	});

	const names = Array.from({ length: 23 }, (_, index) => `f${index}`);

	it.each<[what: string, binary: object, advice: string]>([
		['no file', {}, 'The item has no files at all. Connect a node that outputs a file.'],
		['one file', images('Photo'), `Set 'Input Data Field Name(s)' to 'Photo'.`],
		[
			'several files',
			images('a', 'b', 'c'),
			"The item has files in 'a', 'b' and 'c'. Set 'Input Data Field Name(s)' to one of these names, or set 'Image Source' to 'All Images of the Item'.",
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

describe('an item', () => {
	it('gives one job per image if the operation has no copies, whatever another one was set to', async () => {
		const options = { numberOfImages: 3 };
		const jobs = await plan({ inputType: 'url', imageUrl: 'http://a', options });

		expect(jobs).toHaveLength(1);
		expect(jobs[0]).not.toHaveProperty('copy');
	});

	it('is one invalid job if it can’t be read', async () => {
		const options = { includeInputFields: true };
		const jobs = await plan({ inputType: 'mail', options });

		expect(partsOf(jobs)).toStrictEqual([`'Image Source' is "mail". Allowed: binary, all, url.`]);
		expect(jobs).toStrictEqual([expect.objectContaining({ label: '', includesInput: true })]);
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
			return await Promise.resolve(id === 'good' ? PIXEL : Buffer.from([0, 1, 2, 3]));
		};
		const jobs = await allOf({ binary }, { read });

		expect(sourcesOf(jobs)).toStrictEqual(['good', 'lost']);
		expect(sourcesOf(jobs.filter((job) => 'problem' in job))).toStrictEqual(['lost']);
		expect(jobs.map(({ skipped }) => skipped)).toStrictEqual(Array(2).fill(['text.gif', 'none']));
	});

	it('All Images names the files if none of them is an image', async () => {
		const text = { data: 'AAAA', mimeType: '' };
		const binary = { a: { ...text, fileName: 'notes.txt' }, b: text };

		expect(problemOf(await allOf({ binary }))).toMatchObject({
			message: "None of this item's files is an image.",
			advice:
				"It has notes.txt (in 'a') and a file (in 'b'). Connect a node that outputs a JPG, PNG or WebP file.",
		});
	});
});

describe('an item’s files', () => {
	const beside = images('beside');
	const _files = { noType: { data: DATA }, noData: { mimeType: 'image/gif' } };

	it.each<[what: string, item: object]>([
		['in a field of the JSON', { json: { one: image() } }],
		['in a field named _files', { json: { _files: { one: image() } } }],
	])('include none %s, unless binaryMode is combined', async (_what, item) => {
		const sources = async (binaryMode: string) =>
			sourcesOf(await allOf({ ...item, binary: beside }, { binaryMode }));

		expect(await sources('separate')).toStrictEqual(['beside']);
		expect(await sources('combined')).toStrictEqual(['beside', 'one']);
	});

	it.each<[what: string, item: object, fields: unknown[]]>([
		['without a type or data', { json: { _files }, binary: beside }, ['beside']],
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
		const jobs = await byName('a', { a: image({ fileName }) });

		expect(jobs).toStrictEqual([expect.objectContaining({ label, keys: [expect.any(String)] })]);
	});

	const wrong = { id: 7, data: null, mimeType: 3, fileName: {} };

	it.each([[null], ['text'], [[]], [wrong]])('are empty if they are broken: %j', async (broken) => {
		const binary = { a: broken, ...(JSON.parse('{"__proto__":null}') as object) };

		const parts = partsOf(await byName(['a', '__proto__'], binary));
		expect(parts).toStrictEqual(Array(2).fill('The file "image" is empty.'));
	});
});
