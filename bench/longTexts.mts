/** Texts of about 16 MB, which is the longest body that n8n accepts, and what they repeat. */
const UNITS = {
	'names with commas': 'a,',
	'700,000 addresses': 'https://a.b/c\n',
	'<img src=': '<img src=',
	'JSON brackets': '[[],',
	spaces: ' ',
};

/** Short texts that the search for addresses reads as a whole. */
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

/** What the fields may get from outside, by what tables call it. */
export const longTexts: Record<string, () => unknown> = {
	...Object.fromEntries(
		Object.entries(UNITS).map(([name, unit]) => [name, () => filled(unit, 15 * MEGABYTE)]),
	),
	...Object.fromEntries(
		SEARCHED.map((unit) => [`200 kB of ${JSON.stringify(unit)}`, () => filled(unit, LONGEST)]),
	),
	'200 kB of names of files': () => `https://a.b/${filled('.jpg?', LONGEST - 20)}`,
	'200 kB of brackets': () => `https://a.b/${filled(']', LONGEST - 20)}`,
	'an image in base64': base64,
	'the same in lines': () => base64().replace(/.{76}/g, '$&\r\n'),
	'an object with an image': () => ({ mimeType: 'image/png', data: base64() }),
	'an object with a text': () => ({ text: filled('a,', 15 * MEGABYTE) }),
	'a Buffer as JSON': () => bufferOf('137'),
	'a Buffer of lists': () => bufferOf('[]'),
	'a list of 700,000 addresses': () => Array<string>(700_000).fill('https://a.b/c'),
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
