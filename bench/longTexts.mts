/** What the longest texts repeat: n8n accepts a body of 16 MB. */
const LONG = ['a,', 'https://a.b/c\n', '<img src=', '[[],', ' '];

/** What shorter texts repeat, which the search for addresses reads as a whole. */
const SEARCHED = [
	'https://a.b/c\n',
	'https://a.b/c,',
	'<img src="https://a.b/c">',
	'<img src=',
	'![a](https://a.b/',
	'(https://a.b',
	'<https://a.b|',
	'&amp;',
	',',
	',\n',
	'\\n',
	'{"a":',
];

const MEGABYTE = 1_000_000;
/** Characters of the longest text that is searched. */
const LONGEST = 200_000;

const each = (units: readonly string[], length: number) =>
	Object.fromEntries(units.map((unit) => [JSON.stringify(unit), () => filled(unit, length)]));

/** What the fields may get from outside, in the groups of the table. */
export const groupsOfTexts: Record<string, Record<string, () => unknown>> = {
	'15 MB of text': {
		...each(LONG, 15 * MEGABYTE),
		'in an object': () => ({ text: filled('a,', 15 * MEGABYTE) }),
	},
	'200 kB of what may be addresses': {
		...each(SEARCHED, LONGEST),
		'names of files': () => `https://a.b/${filled('.jpg?', LONGEST - 20)}`,
		brackets: () => `https://a.b/${filled(']', LONGEST - 20)}`,
	},
	'An image of 11 MB in base64': {
		'one line': base64,
		lines: () => base64().replace(/.{76}/g, '$&\r\n'),
		'an object': () => ({ mimeType: 'image/png', data: base64() }),
	},
	'A list of millions': {
		'a Buffer as JSON': () => bufferOf('137'),
		'a Buffer of lists': () => bufferOf('[]'),
		addresses: () => Array<string>(700_000).fill('https://a.b/c'),
	},
};

/** As n8n reads it from a request. */
function bufferOf(entry: string): unknown {
	return JSON.parse(
		`{"type":"Buffer","data":[${Array(4 * MEGABYTE)
			.fill(entry)
			.join()}]}`,
	);
}

function base64(): string {
	const image = Buffer.alloc(11 * MEGABYTE, 'pixels');
	image.write('\x89PNG\r\n\x1a\n', 'latin1');
	return image.toString('base64');
}

/** A text in one piece: joining it lazily would be measured as well. */
function filled(unit: string, length: number): string {
	return Buffer.from(unit.repeat(Math.ceil(length / unit.length))).toString('utf8', 0, length);
}
