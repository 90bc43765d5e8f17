import sharp from 'sharp';

import { imageType } from '../../nodes/ImageGeneration/images/imageType';

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } });
const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('an image’s type', () => {
	const formats = ['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const;

	it.each(formats)('comes from its bytes, whatever type it declares: %s', async (format) => {
		const image = await picture().toFormat(format).toBuffer();

		expect(imageType(image.subarray(0, 64), 'text/plain')?.mimeType).toBe(`image/${format}`);
	});

	it.each([
		['\0\0\0\x18ftypheic', undefined, 'image/heic'],
		['\0\0\0\x18ftypmif1', undefined, 'image/heic'],
		['BM\x36\x03\0\0\0\0\0\0\x36', undefined, 'image/bmp'],
		// Unknown bytes have the declared type, without its case, spaces and parameters.
		['odd\x00', ' IMAGE/X-Odd ; q=1', 'image/x-odd'],
		['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'image/svg+xml'],
	])('comes from its bytes %j declared as %s: %s', (text, claimed, type) => {
		expect(imageType(bytes(text), claimed)?.mimeType).toBe(type);
	});

	it.each<[claimed: string | undefined, texts: string[]]>([
		['image/png', ['<!doctype html>', `<html>${' '.repeat(60)}\f`]],
		['image/png', ['a\tb', 'a\nb', 'a\rb', 'a b', 'text']],
		['image/jpeg', ['{"err":"gone"}']],
		['image/svg+xml', ['']],
		['application/octet-stream', ['\x00\x01\x02']],
		['application/pdf', ['%PDF-1.7']],
		['', ['\x00']],
		[undefined, ['\x00\x01']],
		// Bytes that only resemble an image.
		[undefined, ['RIFF\0\0\0\0WAVE\x01', '\0\0\0\0\0\0\0\0WEBP']],
		[undefined, ['BM\x01\x02\x03\x04\x05\x06\x07\x08', '\x01\x02\0\0\0\0\0\0\0\0']],
		[undefined, ['\x01\0\0\0\x18ftypavif', '\x01\0\0\0\x18ftypheic']],
		[undefined, ['\x01MM\0*', '\x01BM']],
	])('is undefined if %s is declared for %j', (claimed, texts) => {
		for (const text of texts) expect(imageType(bytes(text), claimed)).toBeUndefined();
	});

	it.each([
		['image/jpeg', 'jpg'],
		['image/svg+xml', 'svg'],
		['image/x-portable-pixmap', 'portable'],
		['image/vnd.adobe', 'vnd'],
	])('%s has the extension %s', (type, extension) => {
		expect(imageType(bytes('\0'), type)?.extension).toBe(extension);
	});
});
