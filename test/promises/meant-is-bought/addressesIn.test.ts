import fc from 'fast-check';

import { ADDRESS_FIELD } from '../../../nodes/ImageGeneration/fields/image';
import { addressesIn } from '../../../nodes/ImageGeneration/plan/addressesIn';
import { select, type ImageField } from '../../../nodes/ImageGeneration/plan/readers';
import { fuzz, SEED } from '../../support/fuzz';
import { PIXEL } from '../../support/images';

const [A, B, C] = ['a', 'b', 'c'].map((name) => `https://example.com/${name}.jpg`) as [
	string,
	string,
	string,
];
const CDN = 'https://res.example.com/image';
const DATA = PIXEL.toString('base64');
const GIF = `data:image/gif;base64,${DATA}`;
const IMAGE_URL = { field: ADDRESS_FIELD } as ImageField;
/** The different addresses and images that the value of Image URL selects. */
const addressesOf = (value: unknown) => {
	const selected = select(value, IMAGE_URL).filter(({ kind }) => kind !== 'none');
	return [...new Set(selected.map(({ source }) => source))];
};
/** The different addresses in a text. */
const foundIn = (text: string) => [...new Set(addressesIn(text))];
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const PAGE = 'https://example.com/fox';
const PHOTO = 'https://cdn.example.com/12?v=1';
const AIRTABLE = 'https://v5.airtableusercontent.com/v3/u/1/2/abc,def/eR-x_~y';

describe('addresses are read from text', () => {
	it.each<[what: string, text: string, addresses: string[]]>([
		['lines of Windows, with empty ones', `\r\n${A}  \r\n\r\n  ${B}\r\n`, [A, B]],
		['lines of an old Mac', `${A}\r${B}`, [A, B]],
		['line ends that were escaped', `${A}\\n${B}\\r\\n${C}`, [A, B, C]],
		['a comma at the end', `${A},`, [A]],
		['several commas', `${A},,${B},  ,${C}`, [A, B, C]],
		['semicolons', `${A};${B}; ${C};`, [A, B, C]],
		['bars of a shop’s export', `${A}|${B}|${C}`, [A, B, C]],
		['"&" and "+"', `${A} & ${B} + ${C}`, [A, B, C]],
		['other languages', `${A} und ${B} y ${C}`, [A, B, C]],
		['commas of Chinese and Japanese', `${A}、${B}，${C}。`, [A, B, C]],
		['dashes', `- ${A}\n- ${B}`, [A, B]],
		['bullets', `• ${A}\n• ${B}\n* ${C}`, [A, B, C]],
		['numbers', `1. ${A}\n2) ${B}\n3 ${C}`, [A, B, C]],
		['check boxes', `- [ ] ${A}\n- [x] ${B}`, [A, B]],
		['names before them', `Front: ${A}\nBack: ${B}`, [A, B]],
		['names behind them', `${A} (front)\n${B} (back)`, [A, B]],
		['a sentence', `Please cut out ${A}. Thank you!`, [A]],
		['a sentence’s dots and marks', `${A}... ${B}! ${C}:`, [A, B, C]],
		['brackets of a sentence', `The photo (see ${A}), or [${B}].`, [A, B]],
		['brackets around all', `(${A} ${B})`, [A, B]],
		['a list without quotes', `[${A}, ${B}]`, [A, B]],
		['lists of lists without quotes', `[${A},${B}],[${C}]`, [A, B, C]],
		['double quotes', `"${A}", "${B}"`, [A, B]],
		['single quotes', `'${A}','${B}'`, [A, B]],
		['a list of Python', `['${A}', '${B}']`, [A, B]],
		['curly quotes', `“${A}” ‘${B}’ „${C}“`, [A, B, C]],
		['guillemets', `«${A}» »${B}«`, [A, B]],
		['quotes of code', `\`${A}\` \`\`\`\n${B}\n\`\`\``, [A, B]],
		['angle brackets', `<${A}> <${B}>`, [A, B]],
		['a message of Slack', `<${A}|example.com/a.jpg> <${B}|b>`, [A, B]],
		['links of Markdown', `[front](${A}) and [back](${B} "Back")`, [A, B]],
		['images of Markdown', `![front](${A})![back](${B})`, [A, B]],
		['Markdown whose text is the address', `[${A}](${A})`, [A]],
		['Markdown with an image that links to a page', `[![a](${A})](https://example.com/)`, [A]],
		['Markdown with a page behind an image', `![a](${A})\nSee [the shop](${PAGE}).`, [A]],
		['Markdown with links alone', `[a](${PAGE}), [b](${PHOTO})`, [PAGE, PHOTO]],
		['Markdown with names of files', `![a.jpg](${A})\n![b.jpg](${B})`, [A, B]],
		['bold Markdown', `**${A}** and **${B}**`, [A, B]],
		['an image of CSS', `background: url('${A}'), url(${B})`, [A, B]],
		['formulas of a sheet', `=IMAGE("${A}")\n=HYPERLINK("${B}";"b")`, [A, B]],
		['columns of CSV', `"1","a.jpg","${A}"\n"2","b.jpg","${B}"`, [A, B]],
		['attachments as Airtable exports them', `a.jpg (${A}),b.jpg (${B})`, [A, B]],
		['HTML', `<p>Hi</p><img src="${A}" alt="a"><IMG alt='b' SRC='${B}'><img src=${C}>`, [A, B, C]],
		[
			'HTML with links beside the images',
			`<a href="https://example.com/"><img src="${A}"/></a>`,
			[A],
		],
		['HTML whose scheme is that of the page', `<img src="//example.com/a.jpg">`, [A]],
		[
			'HTML that loads images late',
			`<img src="${GIF}" data-src="${A}"><img data-src='${B}'>`,
			[A, B],
		],
		[
			'HTML with images in comments, which nobody sees',
			`<!-- <img src="${C}"> --><img src="${A}"><!--[if mso]><img src="${C}"><![endif]--><img src="${B}">`,
			[A, B],
		],
		[
			'HTML with an address that a script completes',
			`<img data-src="//example.com/{width}x.jpg" src="${A}">`,
			[A],
		],
		[
			'HTML of pages that load them late in other ways',
			`<img src="${GIF}" data-lazy-src="${A}"><img src="${GIF}" data-original="${B}">`,
			[A, B],
		],
		['HTML with an image in it', `<img src="${PNG}">`, [PNG]],
		[
			'HTML without pixels that count readers',
			`<img src="${A}"><img width="1" height="1" src="${B}">`,
			[A],
		],
		['HTML without attachments of a mail', `<img src="cid:1@a"><img src="${A}">`, [A]],
		['lines of HTML', `${A}<br>${B}<br/>\n${C}`, [A, B, C]],
		['paragraphs of HTML', `<p>${A}</p><p>${B}</p>`, [A, B]],
		['no scheme but its two slashes', `//example.com/a.jpg`, [A]],
		['the same in a list', `${A},//example.com/b.jpg, "//example.com/c.jpg"`, [A, B, C]],
		['the same in Markdown', '![a](//example.com/a.jpg) ![b](//example.com/b.jpg)', [A, B]],
		['`&amp;` for `&`', `${A}?w=1&amp;h=2&amp;amp;q=3`, [`${A}?w=1&h=2&q=3`]],
		['other ways to write `&`', `${A}?w=1&#038;h=2&#x26;q=3`, [`${A}?w=1&h=2&q=3`]],
		['`&` as JSON may write it', `${A}?w=1\\u0026h=2`, [`${A}?w=1&h=2`]],
		['slashes that were escaped', A.replaceAll('/', '\\/'), [A]],
		['an invisible character in front', `\ufeff${A}\n\u200b${B}`, [A, B]],
		['invisible characters behind and within', `${A}\u200b ${B.replace('/b', '/\u200bb')}`, [A, B]],
		['spaces that don’t break', `\u00a0${A}\u00a0${B}&nbsp;${C}`, [A, B, C]],
		['repeated ones', `${B}\n${A}\n${B}`, [B, A]],
		['any case of the scheme', `HTTPS://b/ ${A}`, ['HTTPS://b/', A]],
	])('%s', (_what, text, addresses) => {
		expect(foundIn(text)).toStrictEqual(addresses);
	});
});

describe('what belongs to an address stays', () => {
	it.each([
		`${CDN}/w_200,h_100/a.jpg`,
		`${CDN}/a,b.jpg,c`,
		`${CDN}/a;v=1/b.jpg`,
		`${AIRTABLE},z/photo.jpg?ts=1,2`,
		'https://example.com/my photo.jpg',
		'https://example.com/photos/my best photo.jpg',
		'https://example.com/photo copy.jpg',
		'https://example.com/Shared Documents/My Photos/a b.jpg',
		"https://example.com/photo of Ann's fox.jpg",
		'https://example.com/photo (1).jpg',
		'https://example.com/photo (1).jpg?v=2',
		'https://example.com/my photo (12) copy.jpg',
		'https://example.com/photo [1] (2).jpg',
		'https://example.com/photo (front).jpg',
		`https://example.com/it's.jpg`,
		'https://example.com/fox_(animal).jpg',
		'https://example.com/a[1].jpg?filter[size]=2&x={y}',
		'https://[2001:db8::1]:8080/a.jpg',
		'https://example.com/chart?chl=Hello|World&chs=9x9',
		'https://example.com/a.jpg?v=1.2&sig=a%2Bb%3D%3D#top',
		'https://example.com/a.jpg?',
		'https://example.com/photo_',
		'https://example.com/ä/赤い狐.jpg',
		'https://example.com/👩‍🍳.jpg',
		`${CDN}/fetch/w_1,h_2/${A}`,
		`https://example.com/proxy?url=${A}&w=2`,
		`https://example.com/cdn-cgi/image/width=80,quality=75/${A}`,
		`${CDN}/fetch/w_1,h_2//example.com/a.jpg`,
	])('%s', (address) => {
		expect(foundIn(address)).toStrictEqual([address]);
		expect(foundIn(`1. ${address}, ${C}`)).toStrictEqual([address, C]);
	});
});

it.each([
	['a number', `${PAGE} (1)\n${B}`, [PAGE, B]],
	['a number and a sentence', `${PAGE} (1), and (2): ${B}`, [PAGE, B]],
	['a word', `${PAGE} (front), or b`, [PAGE]],
])('%s in brackets behind an address is no part of it', (_what, text, addresses) => {
	expect(foundIn(text)).toStrictEqual(addresses);
});

it.each<[what: string, separator: string]>([
	['a comma', ','],
	['a bar', '|'],
	['a semicolon', ';'],
	['quotes', "','"],
])('addresses with one in their query are several if they begin alike: %s', (_what, separator) => {
	const [a, b] = [A, B].map((nested) => `https://example.com/?url=${nested}`);
	expect(foundIn(`${a}${separator}${b}&w=2${separator}${a}`)).toStrictEqual([a, `${b}&w=2`]);
});

it('a closing bracket that nothing opened is a part of an address, unless it ends it', () => {
	expect(foundIn('https://example.com/a)b.jpg')).toStrictEqual(['https://example.com/a)b.jpg']);
	expect(foundIn(`${A})`)).toStrictEqual([A]);
});

describe('images themselves are read from text', () => {
	it.each<[what: string, text: string, found: string[]]>([
		['between addresses', `${A},${GIF},${B}`, [A, GIF, B]],
		['in quotes', `"${GIF}", '${PNG}'`, [GIF, PNG]],
		['in Markdown', `![a](${GIF}) ![b](${B})`, [GIF, B]],
		['after words', `My photo: ${GIF}`, [GIF]],
	])('%s', (_what, text, found) => {
		expect(foundIn(text)).toStrictEqual(found);
	});
});

describe('entries that lack the beginning of an address are not left out', () => {
	it.each<[text: string, found: string[]]>([
		[`${A}\nb.jpg`, [A, 'b.jpg']],
		[`www.example.com/a, ${B}`, ['www.example.com/a', B]],
		[`- ftp://example.com/a\n- "${B}"`, ['ftp://example.com/a', B]],
		['https://a.test/1, www.b.test/2.jpg', ['https://a.test/1', 'www.b.test/2.jpg']],
		['https://a.test/1 www.b.test/2.jpg', ['https://a.test/1', 'www.b.test/2.jpg']],
		['1. a.jpg\n2. b.png', ['a.jpg', 'b.png']],
	])('%j', (text, found) => {
		expect(foundIn(text)).toStrictEqual(found);
	});
});

describe('no address is read from', () => {
	it.each([
		'',
		'see below',
		'/work/images/photo/of/the/day/fox',
		'aGVsbG8gd29ybGQsIHRoaXMgaXMgdGV4dA==',
		`<p>Hi</p><a href="${A}">View it</a>`,
		`<svg xmlns="http://www.w3.org/2000/svg"></svg>`,
		`<img src="/a.jpg"><img alt="src=${A}">`,
		`<img src="${GIF}" data-srcset="${A} 1x, ${B} 2x">`,
		'data: nothing',
		'blob:https://example.com/4b3e',
	])('%j', (text) => {
		expect(foundIn(text)).toStrictEqual([]);
	});
});

/** As Airtable has one. */
const attachment = (url: string) => ({
	id: 'att1',
	url,
	filename: 'a.jpg',
	type: 'image/jpeg',
	thumbnails: { small: { url: `${url}?small`, width: 36 }, large: { url: `${url}?large` } },
});

describe('addresses are read from values', () => {
	const markdown = `![image](${A})`;

	it.each<[what: string, value: unknown, found: string[]]>([
		['an attachment of Airtable', attachment(AIRTABLE), [AIRTABLE]],
		['a cell of Airtable', [attachment(A), attachment(B)], [A, B]],
		['that cell as text', JSON.stringify([attachment(A), attachment(B)], undefined, 2), [A, B]],
		['a shop’s image', { id: 1, alt: null, src: A, admin_graphql_api_id: 'gid://shopify/1' }, [A]],
		['a shop’s images', [{ src: A }, { src: B, link: 'https://example.com/' }], [A, B]],
		['files of Notion', [{ name: 'a.jpg', type: 'file', file: { url: A, expiry_time: 'x' } }], [A]],
		['a model’s answer', { created: 1, data: [{ url: A }] }, [A]],
		['this node’s output', { id: '1', output_url: A, fileName: 'a.jpg' }, [A]],
		['the output of its tool', { id: '1', output_url: A, markdown, fileName: 'a.jpg' }, [A]],
		['a picture beside its page', { link: 'https://example.com/fox', source_url: A }, [A]],
		['a page’s `href`', { rel: 'enclosure', href: A }, [A]],
		['a picture in an object with a page', { image: { src: PHOTO }, link: PAGE }, [PHOTO]],
		['pictures in an object with a page', { images: [{ src: A }, { src: B }], href: PAGE }, [A, B]],
		['an address without the name of a picture', { link: PHOTO, author: { url: PAGE } }, [PHOTO]],
		['a photo with the page of its author', { url: PHOTO, photographer_url: PAGE }, [PHOTO]],
		['an image with the page of its license', { url: PHOTO, image_license: PAGE }, [PHOTO]],
		['a product with its page', { '@type': 'Product', url: PAGE, image: [A, B] }, [A, B]],
		['the same picture twice', { url: PAGE, image: { src: A }, images: [{ src: A }] }, [A]],
		['a picture with smaller ones', { url: PHOTO, thumbnails: { small: { url: A } } }, [PHOTO]],
		['this node’s output beside its input', { url: A, image: B, output_url: PHOTO }, [PHOTO]],
		['a `data:` address in an object', { type: 'image_url', image_url: { url: GIF } }, [GIF]],
		['an object as text', `{"url":"${A.replaceAll('/', '\\/')}"}`, [A]],
		['a list as text', `["${A}","${B}"]`, [A, B]],
		['a list of one', [A], [A]],
		['several in an entry of a list', [`${A},${B}`, C], [A, B, C]],
		['repeated ones', [A, { url: A }], [A]],
		['text that is no JSON', `[${A}`, [A]],
		['text without an address', 'see below', []],
		['an empty list as text', '[]', []],
		['JSON without an address', '{"a":1}', []],
	])('%s', (_what, value, found) => {
		expect(addressesOf(value)).toStrictEqual(found);
	});

	it.each<[what: string, value: unknown]>([
		['an object without one', { a: 1 }],
		['an object with several', { small: A, large: B }],
		['the same as text', JSON.stringify({ small: A, large: B })],
		['a file', { mimeType: 'image/gif', data: 'R0lG' }],
	])('but none from %s', (_what, value) => {
		expect(addressesOf(value)).toStrictEqual([]);
	});
});

describe('a file that is no image by its type is refused', () => {
	const pdf = { id: 'att1', url: AIRTABLE, filename: 'a.pdf', type: 'application/pdf' };
	const video = { src: AIRTABLE, mimeType: 'Video/mp4' };

	it.each<[what: string, value: unknown, type: string]>([
		['an attachment', pdf, 'application/pdf'],
		['one of several', [attachment(A), video], 'Video/mp4'],
		['one in a cell as text', JSON.stringify([pdf]), 'application/pdf'],
	])('%s', (_what, value, type) => {
		expect(() => addressesOf(value)).toThrow(
			`'Image URL' contains a file of the type "${type}", which is not an image.`,
		);
	});

	it.each<[what: string, value: unknown, found: string[]]>([
		['a file of an unknown type', { url: AIRTABLE, type: 'application/octet-stream' }, [AIRTABLE]],
		['a file with a type of its own kind', { url: AIRTABLE, type: 'file' }, [AIRTABLE]],
	])('but not %s', (_what, value, found) => {
		expect(addressesOf(value)).toStrictEqual(found);
	});
});

it('more than 1,000 addresses, and a text of more than 200,000 characters, are refused in words', () => {
	const many = Array.from({ length: 1001 }, (_, index) => `${PAGE}/${index}`);

	expect(addressesOf(many.slice(1).join(','))).toHaveLength(1000);
	expect(() => addressesOf(many.join(','))).toThrow("'Image URL' selects more than 1,000 images.");
	expect(() => addressesOf(A.padEnd(200_001))).toThrow(
		"'Image URL' is a text of 200,001 characters, which is too long to search for addresses.",
	);
});

/** Parts of a path that can stand anywhere in it. */
const PART = fc.stringMatching(
	/^[\w~!$&+=@%-]{1,9}(?:[,;.:][\w-]{1,9}|\(\w{0,9}\)|\[\d\]|'\w){0,2}$/,
);
const ADDRESS = fc
	.record({
		scheme: fc.constantFrom('http://', 'https://', 'HTTPS://'),
		host: fc.stringMatching(/^[a-z]{1,9}\.(?:com|example)(?::\d{2,4})?$/),
		path: fc.array(PART, { minLength: 1, maxLength: 4 }),
		nested: fc.constantFrom('', 'https://cdn.example.com/w_1,h_2/'),
		query: fc.option(PART, { nil: undefined }),
	})
	.map(
		({ scheme, host, path, nested, query }) =>
			`${scheme}${host}/${nested}${path.join('/')}.jpg${query === undefined ? '' : `?q=${query}`}x`,
	);
const SEPARATORS = [
	'\n',
	'\r\n',
	' ',
	'\t',
	',',
	', ',
	';',
	'; ',
	'|',
	' | ',
	' and ',
	', and ',
	'\n- ',
	'\n2. ',
	'<br>',
	'\u00a0',
	'\n\u2022 ',
	' \u200b',
	'.\n',
	'", "',
	'> <',
];
const SEPARATOR = fc.constantFrom(...SEPARATORS);

it(`any list of addresses comes back, whatever separates them (seed ${SEED})`, () => {
	fc.assert(
		fc.property(fc.uniqueArray(ADDRESS, { minLength: 1, maxLength: 6 }), SEPARATOR, (list, by) => {
			expect(foundIn(list.join(by))).toStrictEqual(list);
		}),
		fuzz(500),
	);
});
