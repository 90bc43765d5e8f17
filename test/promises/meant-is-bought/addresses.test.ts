import fc from 'fast-check';

import { planAll } from '../../../nodes/ImageGeneration/plan/planAll';
import { fuzz, SEED } from '../../support/fuzz';
import {
	byUrl,
	DATA,
	partsOf,
	placesOf,
	plan,
	problemOf,
	sourcesOf,
} from '../../support/planImages';
import { planningRun } from '../../support/planningRun';

const [A, B, C] = ['a', 'b', 'c'].map((name) => `https://example.com/${name}.jpg`) as [
	string,
	string,
	string,
];
const PAGE = 'https://example.com/fox';
const PHOTO = 'https://cdn.example.com/12?v=1';
const CDN = 'https://res.example.com/image';
const AIRTABLE = 'https://v5.airtableusercontent.com/v3/u/1/2/abc,def/eR-x_~y';
const GIF = `data:image/gif;base64,${DATA}`;
/** The name by which an image itself is sent. */
const FILE = 'image.gif';

/** What is sent for a value of Image URL, or why nothing can be. */
const sentFor = async (value: unknown) => partsOf(await byUrl(value));

describe('a text in Image URL gives its addresses, in order and each once:', () => {
	it.each<[what: string, text: string, sent: string[]]>([
		['lines of Windows, with empty ones', `\r\n${A}  \r\n\r\n  ${B}\r\n`, [A, B]],
		['line ends that were escaped', `${A}\\n${B}\\r\\n${C}`, [A, B, C]],
		['commas, also several', `${A},,${B},  ,${C},`, [A, B, C]],
		['semicolons', `${A};${B}; ${C};`, [A, B, C]],
		['bars of a shop’s export', `${A}|${B}|${C}`, [A, B, C]],
		['words', `${A} und ${B} & ${C}`, [A, B, C]],
		['commas of Chinese and Japanese', `${A}、${B}，${C}。`, [A, B, C]],
		['bullets', `- ${A}\n• ${B}\n* ${C}`, [A, B, C]],
		['numbers', `1. ${A}\n2) ${B}\n3 ${C}`, [A, B, C]],
		['names before or behind them', `Front: ${A}\n${B} (back)`, [A, B]],
		['a sentence', `Please cut out ${A}. Thank you! (See ${B}...)`, [A, B]],
		['a list without quotes', `[${A}, ${B}]`, [A, B]],
		['a list of Python', `['${A}', '${B}']`, [A, B]],
		['curly quotes', `“${A}” ‘${B}’ „${C}“`, [A, B, C]],
		['quotes of code', `\`${A}\` \`\`\`\n${B}\n\`\`\``, [A, B]],
		['a message of Slack', `<${A}|example.com/a.jpg> <${B}>`, [A, B]],
		['links of Markdown', `[front](${A}) and [back](${B} "Back")`, [A, B]],
		['images of Markdown', `![front](${A})![back](//example.com/b.jpg)`, [A, B]],
		['Markdown with a page behind an image', `[![a](${A})](${PAGE})\nSee [it](${PAGE}).`, [A]],
		['formulas of a sheet', `=IMAGE("${A}")\n=HYPERLINK("${B}";"b")`, [A, B]],
		['columns of CSV', `"1","a.jpg","${A}"\n"2","b.jpg","${B}"`, [A, B]],
		['attachments as Airtable exports them', `a.jpg (${A}),b.jpg (${B})`, [A, B]],
		['HTML', `<a href="${PAGE}"><img src="${A}"/></a><IMG alt='b' SRC='${B}'>`, [A, B]],
		['HTML that loads images late', `<img src="${GIF}" data-src="${A}">`, [A]],
		['HTML with comments', `<!--[if mso]><img src="${C}"><![endif]--><img src="${B}">`, [B]],
		[
			'a mail with a pixel that counts readers, and with attachments',
			`<img width="1" height="1" src="${B}"><img src="cid:1@a"><img src="${A}">`,
			[A],
		],
		['lines of HTML', `${A}<br>${B}<br/>\n${C}`, [A, B, C]],
		['no scheme but its two slashes', `${A},//example.com/b.jpg`, [A, B]],
		['`&amp;` for `&`, as a mail writes it', `${A}?w=1&amp;h=2&#038;q=3`, [`${A}?w=1&h=2&q=3`]],
		[
			'`&` and slashes as JSON may write them',
			`${A}?w=1\\u0026h=2`.replaceAll('/', '\\/'),
			[`${A}?w=1&h=2`],
		],
		[
			'invisible characters',
			`\ufeff${A}\u200b\n\u00a0${B.replace('/b', '/\u200bb')}&nbsp;`,
			[A, B],
		],
		['repeated ones', `${B}\n${A}\n${B}`, [B, A]],
		['images themselves between them', `${A},${GIF},${B}`, [A, FILE, B]],
		[
			'several with one in their query',
			`${PAGE}?url=${A},${PAGE}?url=${B}`,
			[`${PAGE}?url=${A}`, `${PAGE}?url=${B}`],
		],
	])('%s', async (_what, text, sent) => {
		expect(await sentFor(text)).toStrictEqual(sent);
	});

	it.each([
		`${CDN}/w_200,h_100/a;v=1.jpg`,
		`${CDN}/fetch/w_1,h_2/${A}`,
		`${AIRTABLE},z/photo.jpg?ts=1,2`,
		'https://example.com/Shared Documents/my photo (1).jpg?v=2',
		"https://example.com/photo of Ann's fox.jpg",
		'https://example.com/fox_(animal).jpg',
		'https://example.com/a[1].jpg?filter[size]=2&x={y}',
		'https://[2001:db8::1]:8080/a.jpg',
		'https://example.com/chart?chl=Hello|World&chs=9x9',
		'https://example.com/a.jpg?v=1.2&sig=a%2Bb%3D%3D#top',
		'https://example.com/ä/赤い狐.jpg',
		'HTTPS://example.com/a.jpg?',
	])('what belongs to one stays: %s', async (address) => {
		expect(await sentFor(address)).toStrictEqual([address]);
		expect(await sentFor(`1. ${address}, ${C}`)).toStrictEqual([address, C]);
	});

	/** Parts of a path that can stand anywhere in it. */
	const part = fc.stringMatching(
		/^[\w~!$&+=@%-]{1,9}(?:[,;.:][\w-]{1,9}|\(\w{0,9}\)|\[\d\]|'\w){0,2}$/,
	);
	const address = fc
		.record({
			scheme: fc.constantFrom('http://', 'https://', 'HTTPS://'),
			host: fc.stringMatching(/^[a-z]{1,9}\.(?:com|example)(?::\d{2,4})?$/),
			path: fc.array(part, { minLength: 1, maxLength: 4 }),
			query: fc.option(part, { nil: undefined }),
		})
		.map(
			({ scheme, host, path, query }) =>
				`${scheme}${host}/${path.join('/')}.jpg${query === undefined ? '' : `?q=${query}`}x`,
		);
	const separator = fc.constantFrom(
		'\n',
		'\r\n',
		' ',
		',',
		', ',
		';',
		' | ',
		' and ',
		'\n- ',
		'\n2. ',
		'<br>',
		'.\n',
		'", "',
		'> <',
	);

	it(`any, whatever separates them (seed ${SEED})`, async () => {
		const several = fc.uniqueArray(address, { minLength: 1, maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(several, separator, async (list, by) => {
				expect(await sentFor(list.join(by))).toStrictEqual(list);
			}),
			fuzz(100),
		);
	});
});

/** As Airtable has one. */
const attachment = (url: string, more: object = {}) => ({
	id: 'att1',
	url,
	filename: 'a.jpg',
	type: 'image/jpeg',
	thumbnails: { small: { url: `${url}?small`, width: 36 } },
	...more,
});

describe('a value of another system in Image URL gives its addresses:', () => {
	it.each<[what: string, value: unknown, sent: string[]]>([
		['a cell of Airtable', [attachment(AIRTABLE), attachment(B)], [AIRTABLE, B]],
		['that cell as text', JSON.stringify([attachment(A), attachment(B)], undefined, 2), [A, B]],
		[
			'a shop’s images',
			[
				{ src: A, alt: null },
				{ src: B, link: PAGE },
			],
			[A, B],
		],
		['files of Notion', [{ name: 'a.jpg', file: { url: A, expiry_time: 'x' } }], [A]],
		['a model’s answer', { created: 1, data: [{ url: A }] }, [A]],
		['a model’s message', { type: 'image_url', image_url: { url: GIF } }, [FILE]],
		['this node’s output', { id: '1', output_url: A, fileName: 'a.jpg', url: B, image: C }, [A]],
		['Typeform', { type: 'file_url', file_url: A }, [A]],
		['Notion', { name: 'a.jpg', type: 'external', external: { url: A } }, [A]],
		['a file name beside its address', { image: 'fox.jpg', src: '/uploads/fox.jpg', url: A }, [A]],
		['an entry of a feed', { rel: 'enclosure', href: A }, [A]],
		['a photo with the page of its author', { url: PHOTO, photographer_url: PAGE }, [PHOTO]],
		['a product with its page', { '@type': 'Product', url: PAGE, image: [A, B] }, [A, B]],
		['a list of texts with several', [`${A},${B}`, C, A], [A, B, C]],
		['a file of an unknown type', { url: A, type: 'application/octet-stream' }, [A]],
	])('%s', async (_what, value, sent) => {
		expect(await sentFor(value)).toStrictEqual(sent);
	});
});

describe('what is refused in Image URL, with the field and what to do:', () => {
	const noAddress = (value: string): [string, string] => [
		value,
		`'Image URL' is "${value}". Allowed: an address starting with http:// or https://, or an image in base64.`,
	];

	it.each<[value: unknown, message: string]>([
		...['see below', 'www.example.com/a', 'ftp://a.b', 'http://[', 'blob:https://a.b/c'].map(
			noAddress,
		),
		...['data:a/b,AAAA', 'data:;base64', 'data:;base64,AAAA!'].map(noAddress),
		[' \n ', `'Image URL' is empty.`],
		[[], `'Image URL' is an empty list.`],
		[[A, ''], `Entry 2 of the list in 'Image URL' is empty.`],
	])('no address: %j', async (value, message) => {
		expect((await sentFor(value)).at(-1)).toBe(message);
	});

	it.each<[value: unknown]>([
		[`<p>Hi</p><a href="${A}">View it</a>`],
		['<img src="/a.jpg">'],
		[{ small: A, large: B }],
		[Buffer.from('{"a":"text"}'.repeat(9)).toString('base64')],
	])('nothing that is a picture: %j', async (value) => {
		expect(await sentFor(value)).toStrictEqual([expect.stringContaining('Allowed: an address')]);
	});

	it('an entry that lacks the beginning of an address is not left out silently', async () => {
		expect(await sentFor(`${A}\nb.jpg`)).toStrictEqual([A, noAddress('b.jpg')[1]]);
	});

	it.each<[what: string, value: unknown]>([
		['an attachment', attachment(AIRTABLE, { type: 'application/pdf' })],
		['one of several, as text', JSON.stringify([attachment(A), { url: B, mimeType: 'video/mp4' }])],
	])('a file that is no image by its type: %s', async (_what, value) => {
		expect(await sentFor(value)).toStrictEqual([
			expect.stringMatching(/contains a file of the type ".+", which is not an image\.$/),
		]);
	});

	it('more than 1,000 addresses, and a text of more than 200,000 characters', async () => {
		const many = Array.from({ length: 1001 }, (_, index) => `${PAGE}/${index}`);

		expect(await sentFor(many.slice(1).join(','))).toHaveLength(1000);
		expect(await sentFor(many.join(','))).toStrictEqual([
			"'Image URL' selects more than 1,000 images.",
		]);
		expect(await sentFor(A.padEnd(200_001))).toStrictEqual([
			"'Image URL' is a text of 200,001 characters, which is too long to search for addresses.",
		]);
	});

	it.each([
		['Google Drive', 'https://drive.google.com/drive/folders/1AbC', 'a Google Drive node'],
		['Google Photos', 'https://photos.app.goo.gl/AbC', 'Save the picture'],
		['Dropbox', 'https://www.dropbox.com/scl/fo/1/a?rlkey=2&dl=0', 'a Dropbox node'],
		['OneDrive', 'https://1drv.ms/i/s!AbC', 'a Microsoft OneDrive node'],
		[
			'OneDrive',
			'https://shop-my.sharepoint.com/:i:/g/personal/1?e=2',
			'a Microsoft OneDrive node',
		],
		['Instagram', 'https://www.instagram.com/p/AbC/?img_index=1', 'Save the picture'],
	])('a page that shows pictures: %s', async (name, address, advice) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: `'Image URL' is "${address}". That is a page of ${name} that shows pictures, not a picture.`,
			advice: expect.stringContaining(advice) as string,
		});
	});

	const LOCAL = 'http://localhost:5678/a.jpg';

	it.each([
		LOCAL,
		'http://127.1/a.jpg',
		'https://[::1]:5678/a.jpg',
		'http://[::ffff:127.0.0.1]/a.jpg',
		'http://0.0.0.0:8080/a.jpg',
	])('an address of this machine, where the service finds nothing: %s', async (address) => {
		expect(problemOf(await byUrl(address))).toMatchObject({
			kind: 'bad input',
			message: `'Image URL' is "${address}". Only this machine can open that address, but the service downloads the image.`,
			advice:
				"Get the image with an HTTP Request node first, and set 'Image Source' to 'File From an Earlier Node'.",
		});
	});

	it.each(['http://localhost:8080', 'http://[::1]:8080', 'http://host.docker.internal:8080'])(
		'but not if the service is on this machine as well: %s',
		async (origin) => {
			const rows = await plan({ inputType: 'url', imageUrl: LOCAL }, {}, { origin });

			expect(partsOf(rows)).toStrictEqual([LOCAL]);
		},
	);
});

describe('the address of a file', () => {
	it.each([
		['https://www.dropbox.com/s/1/a.jpg?dl=0', 'https://www.dropbox.com/s/1/a.jpg?raw=1', 'a.jpg'],
		[
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=0&st=3#top',
			'https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&st=3&raw=1#top',
			'a.jpg',
		],
		[
			'https://drive.google.com/file/d/1Ab_C-/view?usp=sharing',
			'https://drive.google.com/uc?export=download&id=1Ab_C-',
			'1Ab_C-',
		],
		[
			'https://drive.google.com/open?id=1AbC&usp=drive_copy',
			'https://drive.google.com/uc?export=download&id=1AbC',
			'1AbC',
		],
	])('takes the place of its page, if that has one: %s', async (address, sent, label) => {
		const rows = await byUrl([address]);

		expect(partsOf(rows)).toStrictEqual([sent]);
		expect(sourcesOf(rows)).toStrictEqual([address]);
		expect(placesOf(rows)).toMatchObject([{ label }]);
	});

	it.each([
		'https://example.imgix.net/terms.pdf?page=1&fm=png',
		'https://drive.google.com/uc?export=download&id=1AbC',
		'https://lh3.googleusercontent.com/pw/AbC=w2400',
		'https://dl.dropboxusercontent.com/scl/fi/1/a.jpg?dl=0',
		'https://onedrive.live.com/download?resid=1',
		'https://shop-my.sharepoint.com/:i:/g/personal/1?e=2&download=1',
		'https://scontent.cdninstagram.com/v/a.jpg',
		'https://notdropbox.com/s/1/a.jpg?dl=0',
		'http://192.168.1.5/a.jpg',
	])('is sent as it is: %s', async (address) => {
		expect(await sentFor(address)).toStrictEqual([address]);
	});

	it.each([
		['https://example.com/fox%20one.jpg?size=2', 'fox one.jpg'],
		['https://example.com/100%.jpg', '100%.jpg'],
		['https://example.com', ''],
	])('names its image after its last part: %s', async (address, label) => {
		expect(placesOf(await byUrl(address))).toMatchObject([{ label }]);
	});

	it('is shown by its first 200 characters', async () => {
		const long = A.padEnd(200, '?');

		expect(sourcesOf(await byUrl([long, `${long}b`]))).toStrictEqual([
			long,
			`${long.slice(0, 199)}…`,
		]);
	});

	it('keeps its place in the item when it is signed again', async () => {
		const keysOf = async (signature: string) => {
			const addresses = ['a', 'b'].map((name) => {
				const date = `X-Amz-Date=${signature}&X-Amz-Credential=${'c'.repeat(200)}`;
				return `https://b.s3.amazonaws.com/${name}.png?${date}&X-Amz-Signature=${signature}`;
			});
			const run = planningRun({
				parameters: {
					operation: 'removeBackground',
					inputType: 'url',
					imageUrl: addresses,
					download: true,
				},
			});
			// As an expression, so that only the addresses change.
			run.node.parameters = { imageUrl: '={{ $json.photos }}' };
			return placesOf(await planAll(run, new AbortController().signal));
		};
		const [before, after] = [await keysOf('one'), await keysOf('two')];
		const keys = (places: typeof before) => places.map((each) => 'key' in each && each.key);

		expect(new Set(keys(before)).size).toBe(2);
		expect(keys(after)).toStrictEqual(keys(before));
	});
});

describe('an image itself in Image URL is sent as a file:', () => {
	it.each([
		['base64', DATA],
		['base64 in lines', DATA.replace(/.{40}/g, '$&\r\n')],
		['a data: address', GIF],
		['one with other parameters', `DATA:image/gif;charset=utf-8; BASE64 ,${DATA}`],
		['one without a type, in lines', `data:;base64, ${DATA.slice(0, 40)}\n  ${DATA.slice(40)} `],
		['one in Markdown', `![a](${GIF})`],
	])('%s', async (_what, value) => {
		expect(await sentFor(value)).toStrictEqual([FILE]);
	});

	it('unless a form has made spaces of its plus signs', async () => {
		const spaced = `${DATA.slice(0, 60)} ${DATA.slice(61)}`;

		expect(await sentFor(spaced)).toStrictEqual([
			'The file "image" has spaces where its base64 had plus signs.',
		]);
	});
});
