import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import sharp from 'sharp';

import { EndFinder } from '../../nodes/ImageGeneration/images/imageEnd';
import { imageType } from '../../nodes/ImageGeneration/images/imageType';
import { fuzz, SEED } from '../support/fuzz';
import { PIXEL } from '../support/images';

/** Whether the end of an image is found, read in chunks of this many bytes. */
function isWhole(image: Buffer, chunkBytes = image.length): boolean {
	const findEnd = imageType(image, undefined)?.findEnd;
	if (findEnd === undefined) throw new Error('The type has no end');
	const finder = new EndFinder(findEnd);
	for (let start = 0; start < image.length; start += chunkBytes) {
		finder.take(image.subarray(start, start + chunkBytes));
	}
	return finder.isFound;
}

const PHOTO = 'examples/photos/astronaut.jpg';
const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const;
const picture = async (format: (typeof FORMATS)[number]) =>
	await sharp(PHOTO).resize(120).toFormat(format).toBuffer();
/** A JPEG with the whole of another one in its metadata. */
async function withThumbnail(): Promise<Buffer> {
	const thumbnail = await sharp(PHOTO).resize(40).jpeg().toBuffer();
	const segment = Buffer.alloc(4);
	segment.writeUInt16BE(0xffe1);
	segment.writeUInt16BE(thumbnail.length + 2, 2);
	const photo = await picture('jpeg');
	return Buffer.concat([photo.subarray(0, 2), segment, thumbnail, photo.subarray(2)]);
}

const PICTURES: Record<string, () => Promise<Buffer>> = {
	...Object.fromEntries(FORMATS.map((format) => [format, async () => await picture(format)])),
	'a progressive jpeg': async () =>
		await sharp(PHOTO).resize(120).jpeg({ progressive: true }).toBuffer(),
	'a jpeg with a thumbnail': withThumbnail,
	'a jpeg from a camera': async () => readFileSync(PHOTO),
	'a gif of several pictures': async () => {
		const colors = ['#c33', '#3c3', '#33c'].map(async (background) =>
			sharp({ create: { width: 9, height: 9, channels: 3, background } })
				.png()
				.toBuffer(),
		);
		return await sharp(await Promise.all(colors), { join: { animated: true } })
			.gif()
			.toBuffer();
	},
};

describe.each(Object.entries(PICTURES))('%s', (_name, draw) => {
	it(`is complete, whatever follows its end and however it is cut into chunks (seed ${SEED})`, async () => {
		const whole = await draw();
		const behind = fc.oneof(
			fc.constant(Buffer.alloc(200_000)),
			fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
		);
		fc.assert(
			fc.property(behind, fc.integer({ min: 1, max: 5000 }), (more, chunkBytes) => {
				expect(isWhole(Buffer.concat([whole, more]), chunkBytes)).toBe(true);
			}),
			fuzz(30),
		);
	});

	it(`is incomplete wherever it is cut (seed ${SEED})`, async () => {
		const whole = await draw();
		fc.assert(
			fc.property(fc.integer({ min: 16, max: whole.length - 1 }), (end) => {
				expect(isWhole(whole.subarray(0, end))).toBe(false);
			}),
			fuzz(200),
		);
		expect(isWhole(whole.subarray(0, -1))).toBe(false);
	});
});

it('a GIF with zeros between its blocks and behind its trailer is complete', () => {
	const zeros = Buffer.alloc(5);
	const [start, trailer] = [PIXEL.subarray(0, -1), PIXEL.subarray(-1)];

	expect(isWhole(Buffer.concat([start, zeros, trailer, zeros]))).toBe(true);
	expect(isWhole(Buffer.concat([start, zeros]))).toBe(false);
});

it('a file of nothing but tiny parts is not searched for long, and counts as complete', () => {
	const zeros = Buffer.alloc(4_000_000);
	const start = performance.now();

	expect(isWhole(Buffer.concat([PIXEL.subarray(0, -1), zeros]), 64 * 1024)).toBe(true);
	expect(performance.now() - start).toBeLessThan(5000);
});

it('a JPEG of hardly any pixels is complete', () => {
	const pixels = Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 0x12, 0xff, 0xd9]);

	expect(isWhole(pixels)).toBe(true);
	expect(isWhole(pixels.subarray(0, -1))).toBe(false);
});

it('a WebP whose encoder did not know its length is complete', () => {
	expect(isWhole(Buffer.from('RIFF\xff\xff\xff\xffWEBP', 'latin1'))).toBe(true);
	expect(isWhole(Buffer.from('RIFF\x05\0\0\0WEBP', 'latin1'))).toBe(false);
	expect(isWhole(Buffer.from('RIFF\x05\0\0\0WEBP\0', 'latin1'))).toBe(true);
});

it.each(['avif', 'tiff'] as const)(
	'a type that marks no end is never incomplete: %s',
	async (format) => {
		const whole = await sharp(PHOTO).resize(40).toFormat(format).toBuffer();

		expect(imageType(whole, undefined)?.findEnd).toBeUndefined();
	},
);
