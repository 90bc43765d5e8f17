import sharp from 'sharp';

import { extensionOf, imageType } from '../../nodes/ImageGeneration/images/imageType';

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } });
const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('an image’s type', () => {
	it.each(['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const)(
		'comes from its bytes, whatever type it declares: %s',
		async (format) => {
			const image = await picture().toFormat(format).toBuffer();

			expect(imageType(image.subarray(0, 64), 'text/plain')).toBe(`image/${format}`);
		},
	);

	it.each([
		['ftypheic', 'image/heic'],
		['ftypmif1', 'image/heic'],
	])('comes from its brand: %s', (brand, type) => {
		expect(imageType(bytes(`\0\0\0\x18${brand}`), undefined)).toBe(type);
	});

	it('is the declared type if the bytes are unknown', () => {
		expect(imageType(bytes('\xff\x0a\xfa\x00'), 'image/jxl; q=1')).toBe('image/jxl');
		expect(imageType(bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')).toBe(
			'image/svg+xml',
		);
	});

	it.each([
		['<!doctype html>', 'image/png'],
		['{"err":"gone"}', 'image/jpeg'],
		['\x00\x01\x02', 'application/octet-stream'],
		['%PDF-1.7', 'application/pdf'],
		['', 'image/png'],
		[`<html>${' '.repeat(60)}\f`, 'image/png'],
		['\x00\x01', undefined],
	])('is undefined for %j declared as %s', (text, claimed) => {
		expect(imageType(bytes(text), claimed)).toBeUndefined();
	});

	it.each([
		['image/jpeg', 'jpg'],
		['image/svg+xml', 'svg'],
		['image/x-portable-pixmap', 'portable'],
		['image/vnd.adobe', 'vnd'],
		['image/', 'img'],
	])('%s has the extension %s', (type, extension) => {
		expect(extensionOf(type)).toBe(extension);
	});
});

describe('bytes that only resemble an image', () => {
	it.each([
		'RIFF\0\0\0\0WAVE\x01',
		'\0\0\0\0\0\0\0\0WEBP',
		'BM\x01\x02\x03\x04\x05\x06\x07\x08',
		'\x01\x02\0\0\0\0\0\0\0\0',
		'\x01\0\0\0\x18ftypavif',
		'\x01\0\0\0\x18ftypheic',
		'\x01MM\0*',
		'\x01BM',
	])('have no image type: %j', (text) => {
		expect(imageType(bytes(text), undefined)).toBeUndefined();
	});

	it('have a type if they are a whole bitmap header', () => {
		expect(imageType(bytes('BM\x36\x03\0\0\0\0\0\0\x36'), undefined)).toBe('image/bmp');
	});

	it.each(['\t', '\n', '\r', ' ', 'text'])(
		'have no image type if they are text with %j',
		(text) => {
			expect(imageType(bytes(`a${text}b`), 'image/png')).toBeUndefined();
		},
	);

	it('have no image type if there are none', () => {
		expect(imageType(bytes(''), 'image/svg+xml')).toBeUndefined();
	});

	it('have the declared type without its case, spaces and parameters', () => {
		expect(imageType(bytes('\x00'), ' IMAGE/X-Odd ; q=1')).toBe('image/x-odd');
		expect(imageType(bytes('\x00'), '')).toBeUndefined();
	});
});
