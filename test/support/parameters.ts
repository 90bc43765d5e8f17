import fc from 'fast-check';
import type { IBinaryData } from 'n8n-workflow';

const nonsense = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.double(),
	fc.constantFrom(null, undefined, true, {}, [], ' ', '\u2028', 'null', '__proto__', '👩‍👩‍👧'),
);
/** Usually one of the values, sometimes nonsense. */
const mostly = (...values: unknown[]) =>
	fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...values) }, nonsense);

const side = fc.oneof(
	{ weight: 6, arbitrary: fc.integer({ min: 4, max: 48 }).map((steps) => steps * 32) },
	{ weight: 2, arbitrary: fc.integer({ min: -100, max: 2000 }) },
	fc.integer({ min: 4, max: 48 }).map((steps) => ` ${steps * 32} `),
	nonsense,
);
const size = fc.oneof(
	mostly(
		'custom',
		'square',
		'landscape',
		'feed',
		'tall',
		'WIDE',
		'1920x1080',
		'1024x720',
		'1024X576',
		'128 × 160',
	),
	fc.tuple(side, side).map((sides) => sides.map(String).join('x')),
);
const text = fc.oneof(
	{ weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1 }) },
	nonsense,
);
const address = fc.oneof(
	fc.webUrl({ withQueryParameters: true, withFragments: true }),
	mostly(
		'https://example.com/a b.jpg',
		'http:/x',
		'file:///etc/passwd',
		'data:image/gif;base64,R0lGODlhAQ==',
		'"https://example.com/a.jpg"',
		'https://example.com/w_1,h_2/a.jpg, https://example.com/b.jpg',
		'http://localhost/a.jpg',
		'https://drive.google.com/file/d/1/view',
		'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	),
);
const binary = fc
	.record({
		head: fc.constantFrom('GIF89a', '\x89PNG\r\n\x1a\n', 'BM', '<html>', ''),
		rest: fc.string({ unit: 'binary-ascii' }),
		mimeType: fc.constantFrom('image/png', 'text/html', 'image/svg+xml', 'application/pdf', ''),
		fileName: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
	})
	.map(({ head, rest, mimeType, fileName }): IBinaryData => {
		const data = Buffer.from(head + rest, 'latin1').toString('base64');
		return { data, mimeType, ...(fileName !== undefined && { fileName }) };
	});

const FIELDS = ['data', 'photo_0', 'photo_1', 'photo, 2'];

const name = fc.oneof(
	{ weight: 9, arbitrary: mostly(...FIELDS) },
	{ weight: 9, arbitrary: binary },
	address,
);
const names = fc.oneof(
	name,
	fc.array(name, { maxLength: 5 }),
	fc
		.array(fc.constantFrom(...FIELDS, '', '__proto__'), { maxLength: 5 })
		.map((list) => list.join(', ')),
);
const addresses = fc.oneof(
	address,
	fc.array(address, { maxLength: 5 }),
	fc.array(address, { maxLength: 5 }).map((list) => list.join('\n')),
	fc.array(address, { maxLength: 5 }).map((list) => list.join(', ')),
);
const copies = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }) },
	mostly(1, '2', 10, 0, -1, 1.5, 11, 'many'),
);

/** One item's parameters, valid or not. */
export const randomItem = fc.record({
	operation: mostly('generate', 'removeBackground', 'edit'),
	prompt: text,
	version: mostly('standard', 'hd', 'genius', 'super_genius', 'Super Genius'),
	resolution: mostly('2k', '4k'),
	geniusPreference: mostly('', 'anime', 'cinematic', 'graphic', 'photography'),
	size,
	width: side,
	height: side,
	inputType: mostly('binary', 'all', 'url'),
	binaryPropertyName: names,
	imageUrl: addresses,
	options: fc.record({ negativePrompt: text, numberOfImages: copies }, { requiredKeys: [] }),
	/** The item's files, by field. */
	files: fc.dictionary(fc.constantFrom(...FIELDS), binary),
});
