import sharp from 'sharp';

import {
	HEAD_BYTES,
	imageType,
	usualExtension,
} from '../../nodes/ImageGeneration/images/imageType';

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } });
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
	[
		'image/heic',
		['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'mif3'].map((one) => brands(one)),
	],
	['image/heic', [brands('hevc', 'mif1'), brands('new1', 'miaf', 'heic')]],
	['image/x-canon-cr3', [brands('crx ', 'crx ', 'isom')]],
	['image/tiff', ['II*\0', 'MM\0*', 'II+\0', 'MM\0+']],
	['image/bmp', ['BM\x36\x03\0\0\0\0\0\0\x36', 'BM\x36\x03\0\0abcd\x36\0\0\0\x28\0\0\0']],
	['image/x-icon', ['\0\0\x01\0\x01\0']],
	['image/jxl', ['\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n']],
	['image/jp2', ['\0\0\0\x0cjP  \r\n\x87\n']],
	['image/j2c', ['\xff\x4f\xff\x51']],
	['image/vnd.adobe.photoshop', ['8BPS\0\x01', '8BPS\0\x02']],
];

/** Files that are no images, which must not be sent or stored under any claim. */
const OTHERS: Array<[what: string, beginnings: string[]]> = [
	['a PDF', ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n']],
	[
		'a ZIP, an Office file',
		['PK\x03\x04\x14\0\0\0', 'PK\x05\x06\0\0', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
	],
	['other archives', ['\x1f\x8b\x08\0', 'BZh91AY\x01', 'Rar!\x1a\x07\0', '7z\xbc\xaf\x27\x1c']],
	['an MP4', [brands('isom', 'mp41'), brands('mp42'), brands('M4A '), brands('avc1')]],
	['a MOV', [brands('qt  '), '\0\0\0\x08wide\0\0\x01', '\0\0\0\x6cmoov']],
	['a WebM', ['\x1a\x45\xdf\xa3\x01']],
	[
		'sound',
		[
			'RIFF\x10\0\0\0WAVEfmt ',
			'ID3\x03\0',
			'\xff\xfb\x90\0',
			'\xff\xf1\x50',
			'OggS\0',
			'fLaC\0',
			'FORM\0\0\0\x10AIFF',
		],
	],
	['an AVI or a WMV', ['RIFF\x10\0\0\0AVI LIST', '0&\xb2\x75\x8e']],
	[
		'a program',
		['\x7fELF\x02\x01\x01\0', 'MZ\x90\0', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe\0', '\0asm\x01'],
	],
	[
		'UTF-16 text',
		['\xff\xfeN\0o\0', '\xfe\xff\0N\0o', 'N\0o\0t\0e\0s\0 \0 \0 \0', '\0N\0o\0t\0e\0s\0 \0 \0 '],
	],
	['zeros', ['\0'.repeat(5000)]],
	['text', ['a\tb', 'text\r\n', '{"err":"gone"}', '<!doctype html>', 'r\xe9sum\xe9']],
	['nothing', ['']],
];

describe('an image’s type', () => {
	const formats = ['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const;

	it.each(formats)('comes from its bytes, whatever type it declares: %s', async (format) => {
		const image = await picture().toFormat(format).toBuffer();

		expect(imageType(image, 'text/plain')?.mimeType).toBe(`image/${format}`);
	});

	it.each(IMAGES)('is %s if it begins like one, whatever it declares', (mimeType, beginnings) => {
		for (const start of beginnings) {
			for (const claimed of [undefined, 'application/octet-stream', 'image/png', 'image/x-odd']) {
				expect([start, typeOf(start, claimed)]).toStrictEqual([start, mimeType]);
			}
		}
	});

	it.each([
		...IMAGES.map(([type]) => type),
		'image/svg+xml',
		'image/jpg',
		'image/heif',
		'image/x-ms-bmp',
	])('is not %s only because it says so', (claimed) => {
		expect(typeOf('\x01\x02\x03\x04 noise \x05', claimed)).toBeUndefined();
	});

	it.each(OTHERS)('is not that of %s, whatever it declares', (_what, beginnings) => {
		for (const start of beginnings) {
			for (const claimed of [
				'image/jpeg',
				'image/svg+xml',
				'image/x-odd',
				'image/exe',
				'',
				undefined,
			]) {
				expect([start, claimed, typeOf(start, claimed)]).toStrictEqual([start, claimed, undefined]);
			}
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
		// The brand stands behind the box.
		[`${brands('new1')}heic`],
		['\x01MM\0*'],
		['\x01BM'],
		['\0\0\x01\0\0\0'],
	])('is unknown if the bytes only resemble one: %j', (text) => {
		expect(typeOf(text)).toBeUndefined();
	});

	it.each([
		['image/jpeg', '\xff\xd8\xff', 'jpg'],
		['image/vnd.adobe.photoshop', '8BPS\0\x01', 'psd'],
		// Rare, or made up by the service.
		['image/x-targa', '\0\0\x02\0\0\0\0\0\0\0\0\0\x08', 'img'],
		['image/x-odd', '\x01\x02', 'img'],
		['image/exe', '\x01\x02', 'img'],
	])('%s gives a file the extension %s', (claimed, text, extension) => {
		const type = imageType(bytes(text), claimed);

		expect(type && usualExtension(type)).toBe(extension);
	});
});

describe('an SVG', () => {
	const ROOT = '<svg xmlns="http://www.w3.org/2000/svg" width="8"/>';
	const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
	const DOCTYPE =
		'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n';
	const ENTITIES =
		'<!DOCTYPE svg PUBLIC "a" "b" [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>\n';

	it.each([
		['alone', ROOT],
		[
			'after a declaration, a comment and a document type',
			`${XML}<!-- Generator: A -->\n${DOCTYPE}${ROOT}`,
		],
		['after entities', `${XML}${ENTITIES}${ROOT}`],
		['with a prefix', `${XML}<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>`],
		['after a long comment', `<!--${' '.repeat(3500)}-->${ROOT}`],
		['after a byte order mark', `\xef\xbb\xbf${ROOT}`],
		['after spaces', `\r\n\t ${ROOT}`],
		['with its root alone', '<svg>'],
	])('is known by its root: %s', (_what, text) => {
		expect(typeOf(text)).toBe('image/svg+xml');
	});

	it.each(['utf-16le', 'utf-16be'])('is known in %s', (encoding) => {
		const text = Buffer.from(`\ufeff${XML}${ROOT}`, 'utf-16le');
		const encoded = encoding === 'utf-16be' ? text.swap16() : text;

		expect(imageType(encoded, '')?.mimeType).toBe('image/svg+xml');
	});

	it('is taken at its word if its root comes later than the first bytes', () => {
		const text = `<!--${' '.repeat(HEAD_BYTES)}-->${ROOT}`.slice(0, HEAD_BYTES);

		expect(typeOf(text, 'image/svg+xml')).toBe('image/svg+xml');
		expect(typeOf(text, 'text/plain')).toBeUndefined();
		expect(typeOf(text.slice(0, 2000), 'image/svg+xml')).toBeUndefined();
	});

	it.each([
		['a web page', '<!doctype html><html><svg></svg></html>'],
		['another document', `${XML}<rss><svg/></rss>`],
		['a root that only begins like it', '<svgs/>'],
		['text before it', `An image: ${ROOT}`],
		['a comment without an end', `<!-- ${ROOT}`],
	])('is not %s, even if that claims to be one', (_what, text) => {
		expect(typeOf(text, 'image/svg+xml')).toBeUndefined();
	});
});
