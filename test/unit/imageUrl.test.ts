import { DATA, byUrl, partsOf, sourcesOf } from '../support/planImages';

describe('Image URL', () => {
	const [A, B] = ['https://example.com/a.jpg', 'https://example.com/b.jpg'];
	const LONG = A.padEnd(200, '?');
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

	const wrapped = `${GIF.slice(0, 30)}\n${GIF.slice(30)}`;

	it.each<[what: string, value: unknown, addresses: string[]]>([
		['lines', `${A}\n${B}`, [A, B]],
		['a list', [A, ` ${B}\n`], [A, B]],
		['a list that repeats', [A, A], [A]],
		['objects', [{ url: A }, { src: B }], [A, B]],
		['base64 wrapped into lines', `${wrapped}\n${A}\n${wrapped}`, [GIF, A]],
		['an entry that lacks its beginning', `${A}\nb.jpg`, [A, 'b.jpg']],
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
		...['ftp://a.b', 'see below', 'http:/a.b/c.jpg', 'http://['].map(noAddress),
		...['data:a/b;base64', 'data:a/b,AAAA', 'data:;base64;x,AAAA', 'data:;base64'].map(noImage),
		...['data:;base64,-AAAA', 'data:;base64,AAAA-', 'data:;base64,AAAA==='].map(noImage),
		[' \n ', `'Image URL' is empty.`],
		[[], `'Image URL' is an empty list.`],
		[[A, ''], `Entry 2 of the list in 'Image URL' is empty.`],
		['<a>Hi</a>', `'Image URL' is HTML without an image that has a web address: "<a>Hi</a>".`],
		[[A, { a: 1 }], `'Image URL' contains "{"a":1}", in which no address of an image is clear.`],
	])('rejects %j', async (value, message) => {
		expect(partsOf(await byUrl(value))).toStrictEqual([message]);
	});
});
