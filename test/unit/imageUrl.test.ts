import { DATA, byUrl, partsOf, sourcesOf } from '../support/planImages';

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
