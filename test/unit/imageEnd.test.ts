import { Readable } from 'node:stream';

import fc from 'fast-check';
import sharp from 'sharp';

import { imageType, TAIL_BYTES } from '../../nodes/ImageGeneration/images/imageType';
import { checkImage } from '../../nodes/ImageGeneration/images/readable';
import { fuzz, SEED } from '../support/fuzz';
import { PIXEL } from '../support/images';

const typeOf = (format: string) =>
	imageType(Buffer.alloc(1), `image/${format}`) as NonNullable<ReturnType<typeof imageType>>;
const isWhole = (format: string, image: Buffer) =>
	typeOf(format).isWhole(image.subarray(-TAIL_BYTES), image.length, image.subarray(0, 64));
const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const;
const picture = async (format: (typeof FORMATS)[number]) =>
	await sharp('examples/photos/astronaut.jpg').resize(120).toFormat(format).toBuffer();

describe('an image', () => {
	it.each(FORMATS)('is complete with or without bytes after its end: %s', async (format) => {
		const whole = await picture(format);

		expect(isWhole(format, whole)).toBe(true);
		expect(isWhole(format, Buffer.concat([whole, Buffer.alloc(900)]))).toBe(true);
	});

	it.each(['png', 'jpeg', 'webp'] as const)(
		`is truncated wherever it is cut (seed ${SEED}): %s`,
		async (format) => {
			const whole = await picture(format);
			fc.assert(
				// A PNG that lacks only its checksum is complete enough to view.
				fc.property(fc.integer({ min: 0, max: whole.length - 9 }), (end) => {
					expect(isWhole(format, whole.subarray(0, end))).toBe(false);
				}),
				fuzz(300),
			);
		},
	);

	it('is truncated if it is a GIF whose last block is open', () => {
		expect(isWhole('gif', PIXEL)).toBe(true);
		expect(isWhole('gif', PIXEL.subarray(0, -1))).toBe(false);
		expect(isWhole('gif', PIXEL.subarray(0, -2))).toBe(false);
	});

	it('counts as complete if in doubt', () => {
		expect(isWhole('webp', Buffer.from('RIFF\0\0\0\0WEBP'))).toBe(true);
		expect(isWhole('webp', Buffer.from('RIFF\xff\xff\xff\xffWEBP', 'latin1'))).toBe(true);
		expect(isWhole('avif', Buffer.from('a'))).toBe(true);
	});
});

describe('an image without a length', () => {
	/** Reads it in chunks of this many bytes. */
	const read = async (image: Buffer, size: number) => {
		const chunks = Array.from({ length: Math.ceil(image.length / size) }, (_, index) =>
			image.subarray(index * size, (index + 1) * size),
		);
		const checked = checkImage(Readable.from(chunks), typeOf('png'), NaN, { end: () => {} });
		return Buffer.concat((await Readable.from(checked).toArray()) as Buffer[]);
	};

	it(`is whole if its end is in the last 16 KiB, whatever its chunks (seed ${SEED})`, async () => {
		const png = await picture('png');
		const after = fc.integer({ min: 0, max: TAIL_BYTES - 8 });
		await fc.assert(
			fc.asyncProperty(after, fc.integer({ min: 100, max: 30_000 }), async (bytes, size) => {
				const image = Buffer.concat([png, Buffer.alloc(bytes)]);

				expect((await read(image, size)).equals(image)).toBe(true);
			}),
			fuzz(50),
		);
	});

	it('is incomplete if its end comes much earlier, because no more of it is kept', async () => {
		const image = Buffer.concat([await picture('png'), Buffer.alloc(4 * TAIL_BYTES)]);

		await expect(read(image, 1000)).rejects.toThrow('download');
	});
});
