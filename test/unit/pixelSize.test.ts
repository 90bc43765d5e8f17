import { isTrackingPixel } from '../../nodes/ImageGeneration/images/pixelSize';
import { sizedGif } from '../support/images';

/** The first bytes of an image of this size, as its type writes them. */
const HEADS: Record<string, (width: number, height: number) => Buffer> = {
	'image/gif': sizedGif,
	'image/png': (width, height) => {
		const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR........\x08\x06\0\0\0', 'latin1');
		head.writeUInt32BE(width, 16);
		head.writeUInt32BE(height, 20);
		return head;
	},
	'image/bmp': (width, height) => {
		const head = Buffer.alloc(54);
		head.write('BM');
		head.writeUInt32LE(40, 14);
		head.writeInt32LE(width, 18);
		// Rows from the top.
		head.writeInt32LE(-height, 22);
		return head;
	},
	'image/webp': (width, height) => {
		const head = Buffer.from('RIFF....WEBPVP8X....\0\0\0\0......', 'latin1');
		head.writeUIntLE(width - 1, 24, 3);
		head.writeUIntLE(height - 1, 27, 3);
		return head;
	},
	'image/jpeg': (width, height) => {
		const frame = Buffer.from('\xff\xc2\0\x11\x08....\x03', 'latin1');
		frame.writeUInt16BE(height, 5);
		frame.writeUInt16BE(width, 7);
		const before = Buffer.from('\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc4\0\x03c', 'latin1');
		return Buffer.concat([before, frame]);
	},
};
const webp = (chunk: string, width: number, height: number) => {
	const head = Buffer.from(`RIFF....WEBP${chunk}....\x2f.........`, 'latin1');
	if (chunk === 'VP8L') head.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
	else head.writeUInt32LE((height << 16) | width, 26);
	return head;
};

describe('an image is a tracking pixel up to two by two pixels, as far as its first bytes tell:', () => {
	it.each(Object.entries(HEADS))('%s', (mimeType, head) => {
		const sizes = [
			[1, 1],
			[2, 2],
			[3, 2],
			[2, 3],
			[258, 1],
			[1, 513],
		] as const;
		const small = sizes.filter(([width, height]) => isTrackingPixel(head(width, height), mimeType));

		expect(small).toStrictEqual(sizes.slice(0, 2));
	});

	it('a GIF whose screen has no size, because only its frames have one, is none', () => {
		const sizes = [
			[0, 0],
			[0, 1],
			[1, 0],
		] as const;

		expect(
			sizes.map(([width, height]) => isTrackingPixel(sizedGif(width, height), 'image/gif')),
		).toStrictEqual([false, false, false]);
	});

	it.each(['VP8L', 'VP8 '])('image/webp with %s', (chunk) => {
		const isSmall = (width: number, height: number) =>
			isTrackingPixel(webp(chunk, width, height), 'image/webp');

		expect([isSmall(2, 2), isSmall(3, 1), isSmall(1, 3)]).toStrictEqual([true, false, false]);
	});

	it.each(Object.entries(HEADS))(
		'%s that is cut, or of another type, is none',
		(mimeType, head) => {
			const whole = head(1, 1);
			const results = Array.from({ length: whole.length }, (_, end) =>
				isTrackingPixel(whole.subarray(0, end), mimeType),
			);

			expect(results.slice(0, 7)).not.toContain(true);
			expect(isTrackingPixel(whole, 'image/tiff')).toBe(false);
		},
	);
});
