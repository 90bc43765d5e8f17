import {
	imageType,
	otherKindOf,
	usualExtension,
} from '../../../nodes/ImageGeneration/images/imageType';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const typeOf = (text: string, claimed?: string) => imageType(bytes(text), claimed)?.mimeType;
/** The box that begins a file with brands. */
const brands = (main: string, ...compatible: string[]) =>
	`\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${main}\0\0\0\0${compatible.join('')}`;

/** Files as programs write them, by the type that their first bytes tell. */
const IMAGES: Array<[mimeType: string, beginnings: string[]]> = [
	['image/jpeg', ['\xff\xd8\xff\xe0']],
	['image/png', ['\x89PNG\r\n\x1a\n']],
	['image/gif', ['GIF87a', 'GIF89a']],
	['image/webp', ['RIFF\x10\0\0\0WEBPVP8 ']],
	['image/avif', [brands('avif'), brands('avis'), brands('mif1', 'miaf', 'avif')]],
	['image/heic', ['heic', 'heix', 'mif1', 'mif2'].map((one) => brands(one))],
	['image/heic', [brands('hevc', 'mif1'), brands('new1', 'miaf', 'heic')]],
	['image/tiff', ['II*\0', 'MM\0*', 'II+\0', 'MM\0+', 'II*\0\x08\0\0\0\x01\0\0\x01\x04\0']],
	['image/bmp', ['BM\x36\x03\0\0\0\0\0\0\x36']],
];

/** The first entries of a TIFF, after its beginning. */
const SUB_PICTURES = {
	II: 'II*\0\x08\0\0\0\x19\0\xfe\0\x04\0\x01\0\0\0\x01\0\0\0\x4a\x01\x04\0\x02\0\0\0',
	MM: 'MM\0*\0\0\0\x08\0\x19\x01\x4a\0\x04\0\0\0\x02',
};

/** Files that are not sent or stored under any claim. */
const OTHERS: Array<[kind: string, beginnings: string[]]> = [
	['a PDF', ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n']],
	[
		'an SVG',
		[
			'<svg width="8"/>',
			'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- A -->\n<svg>',
			'<!DOCTYPE svg><svg>',
		],
	],
	['a Photoshop file', ['8BPS\0\x01', '8BPS\0\x02']],
	['an icon', ['\0\0\x01\0\x01\0']],
	[
		"a camera's raw file",
		[
			'II*\0\x10\0\0\0CR\x02\0',
			SUB_PICTURES.II,
			SUB_PICTURES.MM,
			'MM\0*\0\0\0\x08\0\x01\x01\x03\0\x03\0\0\0\x01\xff\xff',
		],
	],
	[
		'an archive',
		[
			'PK\x03\x04\x14\0\0\0',
			'\x1f\x8b\x08\0',
			'BZh91AY\x01',
			'Rar!\x1a\x07\0',
			'7z\xbc\xaf\x27\x1c',
		],
	],
	['an Office file', ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']],
	[
		'text, not an image',
		['a\tb', 'text\r\n', '{"err":"gone"}', '<!doctype html><svg/>', 'r\xe9sum\xe9'],
	],
	[
		'text, not an image',
		['\xff\xfeN\0o\0', 'N\0o\0t\0e\0s\0 \0 \0 \0', '\0N\0o\0t\0e\0s\0 \0 \0 '],
	],
	['nothing but zeros', ['\0'.repeat(5000)]],
];

describe('an image’s type', () => {
	it.each(IMAGES)('is %s if it begins like one, whatever it declares', (mimeType, beginnings) => {
		for (const start of beginnings) {
			for (const claimed of [undefined, 'text/plain', 'image/png', 'image/x-odd']) {
				expect([start, typeOf(start, claimed)]).toStrictEqual([start, mimeType]);
			}
		}
	});

	it.each([...IMAGES.map(([type]) => type), 'image/jpg', 'image/heif', 'image/x-ms-bmp'])(
		'is not %s only because it says so',
		(claimed) => {
			expect(typeOf('\x01\x02\x03\x04 noise \x05', claimed)).toBeUndefined();
		},
	);

	it.each(OTHERS)('is not that of %s, whatever it declares', (kind, beginnings) => {
		for (const start of beginnings) {
			for (const claimed of ['image/jpeg', 'image/svg+xml', 'image/x-odd', undefined]) {
				expect([start, claimed, typeOf(start, claimed)]).toStrictEqual([start, claimed, undefined]);
			}
			expect([start, otherKindOf(bytes(start))]).toStrictEqual([start, kind]);
		}
	});

	it('is the declared one, without its case, spaces and parameters, if its bytes can be that', () => {
		expect(typeOf('odd\x00', ' IMAGE/X-Odd ; q=1')).toBe('image/x-odd');
		expect(typeOf('odd\x00', 'application/x-odd')).toBeUndefined();
		expect(typeOf('odd\x00')).toBeUndefined();
	});

	it('is no image if the line ends of a PNG were changed on the way', () => {
		expect(typeOf('\x89PNG\n\x1a\n\0\0\0', 'image/png')).toBeUndefined();
	});

	it.each([
		['RIFF\0\0\0\0WAVE\x01'],
		['\0\0\0\0\0\0\0\0WEBP'],
		['BM\x01\x02\x03\x04\x05\x06\x07\x08'],
		['\x01\x02\0\0\0\0\0\0\0\0'],
		['\x01\0\0\0\x18ftypavif'],
		['\x01MM\0*'],
		['\x01BM'],
	])('is unknown if the bytes only resemble one: %j', (text) => {
		expect(typeOf(text)).toBeUndefined();
	});

	it.each([
		['image/jpeg', '\xff\xd8\xff', 'jpg'],
		// Made up by the service.
		['image/exe', '\x01\x02', 'img'],
	])('%s gives a file the extension %s', (claimed, text, extension) => {
		const type = imageType(bytes(text), claimed);

		expect(type && usualExtension(type)).toBe(extension);
	});
});
