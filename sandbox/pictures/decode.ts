import sharp, { type Sharp } from 'sharp';
import type { Upload } from '../service/form';
import { reasonOf } from '../service/reasonOf';
import { Refusal, shown } from '../service/refusal';

/** An image that was decoded to its last pixel, upright, in sRGB. */
export interface Picture {
	/** Raw pixels, 8 bits each. */
	data: Buffer;
	width: number;
	height: number;
	/** RGB or RGBA. */
	channels: 3 | 4;
}

/** 268 million pixels, sharp's own limit; above it a small file could ask for all memory. */
const limitInputPixels = 0x3fff * 0x3fff;

/**
 * Decodes JPEG, PNG, WebP, GIF (first frame), TIFF, AVIF or SVG and applies the EXIF orientation.
 *
 * @throws Refusal 415 for anything else, and for a file that breaks off
 */
export async function decode({ file, fileName }: Upload): Promise<Picture> {
	try {
		const { data, info } = await sharp(file, { limitInputPixels, failOn: 'error' })
			.autoOrient()
			.toColourspace('srgb')
			.raw({ depth: 'uchar' })
			.toBuffer({ resolveWithObject: true });
		const grey = info.channels < 3;
		if (!grey) return { data, ...sizeOf(info), channels: info.channels === 4 ? 4 : 3 };
		return await withColours(data, info);
	} catch (error) {
		const reason = reasonOf(error).split('\n')[0];
		throw new Refusal(
			415,
			`image: ${shown(fileName)} is not an image that can be read (${reason}).`,
		);
	}
}

/** Opens the pixels for work. */
export function open({ data, width, height, channels }: Picture): Sharp {
	return sharp(data, { raw: { width, height, channels }, limitInputPixels });
}

async function withColours(data: Buffer, info: sharp.OutputInfo): Promise<Picture> {
	const channels = info.channels;
	const raw = { ...sizeOf(info), channels: channels === 2 ? (2 as const) : (1 as const) };
	const rgb = await sharp(data, { raw }).toColourspace('srgb').raw().toBuffer();
	return {
		data: rgb,
		...sizeOf(info),
		channels: rgb.length === info.width * info.height * 4 ? 4 : 3,
	};
}

function sizeOf({ width, height }: sharp.OutputInfo): { width: number; height: number } {
	return { width, height };
}
