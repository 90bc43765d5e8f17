import sharp, { type Sharp } from 'sharp';
import type { Upload } from '../service/form';
import { reasonOf } from '../service/reasonOf';
import { Refusal, shown } from '../service/refusal';
import { sniff } from './sniff';

/** An image that was decoded to its last pixel, upright, in sRGB. */
export interface Picture {
	/** Raw pixels, 8 bits each. */
	data: Buffer;
	width: number;
	height: number;
	/** RGB or RGBA. */
	channels: 3 | 4;
}

/** A photo of 50 megapixels takes 200 MB decoded; a file of some kB may claim any number. */
export const maxPixels = 50_000_000;

/**
 * How many pixels an image has, by its header alone.
 *
 * @throws Refusal 415 when it is no image that can be read, 413 above `maxPixels`
 */
export async function pixelsOf(upload: Upload): Promise<number> {
	const { width, height } = await sharp(upload.file, { limitInputPixels: false })
		.metadata()
		.catch(async (error: unknown) => await refuse(upload, error));
	if (width * height <= maxPixels) return width * height;
	throw new Refusal(
		413,
		`image: ${shown(upload.fileName)} has ${width} x ${height} pixels; ` +
			`at most ${maxPixels / 1_000_000} million pixels are taken.`,
	);
}

/**
 * Decodes JPEG, PNG, WebP, GIF (first frame), TIFF, AVIF or SVG and applies the EXIF orientation.
 *
 * @throws Refusal 415 for anything else, and for a file that breaks off
 */
export async function decode(upload: Upload): Promise<Picture> {
	try {
		const { data, info } = await sharp(upload.file, {
			limitInputPixels: maxPixels,
			failOn: 'error',
		})
			.autoOrient()
			.toColourspace('srgb')
			.raw({ depth: 'uchar' })
			.toBuffer({ resolveWithObject: true });
		const grey = info.channels < 3;
		if (!grey) return { data, ...sizeOf(info), channels: info.channels === 4 ? 4 : 3 };
		return await withColours(data, info);
	} catch (error) {
		return await refuse(upload, error);
	}
}

/** Opens the pixels for work. */
export function open({ data, width, height, channels }: Picture): Sharp {
	return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

/** sharp's words may name the file on disk, which is nobody's business. */
async function refuse({ file, fileName }: Upload, error: unknown): Promise<never> {
	const { format, readable } = await sniff(file);
	if (!readable) {
		throw new Refusal(
			415,
			`image: ${shown(fileName)} is in the format ${format}, which this sandbox cannot read; ` +
				'send JPEG, PNG, WebP, GIF, TIFF, AVIF or SVG.',
		);
	}
	const reason = (reasonOf(error).split('\n')[0] ?? '').replaceAll(file, 'the file');
	throw new Refusal(415, `image: ${shown(fileName)} is not an image that can be read (${reason}).`);
}

async function withColours(data: Buffer, info: sharp.OutputInfo): Promise<Picture> {
	const channels = info.channels;
	const raw = { ...sizeOf(info), channels: channels === 2 ? (2 as const) : (1 as const) };
	const rgb = await sharp(data, { raw, limitInputPixels: false })
		.toColourspace('srgb')
		.raw()
		.toBuffer();
	return {
		data: rgb,
		...sizeOf(info),
		channels: rgb.length === info.width * info.height * 4 ? 4 : 3,
	};
}

function sizeOf({ width, height }: sharp.OutputInfo): { width: number; height: number } {
	return { width, height };
}
