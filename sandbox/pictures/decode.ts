import sharp, { type Sharp } from 'sharp';
import type { Upload } from '../service/http/form';
import { quote, Refusal } from '../service/http/refusal';
import { sniff } from './sniff';

/** A decoded image, upright and in sRGB. */
export interface Picture {
	/** Raw pixels, 8 bits each. */
	data: Buffer;
	width: number;
	height: number;
	/** 3 for RGB, 4 for RGBA. */
	channels: 3 | 4;
}

/** The largest image accepted. It takes 200 MB decoded, and a small file may claim any size. */
export const maxPixels = 50_000_000;

/**
 * Returns how many pixels an image has, from its header alone.
 *
 * @throws Refusal 415 if it is not a readable image, 413 above `maxPixels`
 */
export async function pixelsOf(upload: Upload): Promise<number> {
	const { width, height } = await sharp(upload.file, { limitInputPixels: false })
		.metadata()
		.catch(async () => await refuse(upload));
	if (width * height <= maxPixels) return width * height;
	throw new Refusal(
		413,
		`image: ${quote(upload.fileName)} has ${width} x ${height} pixels; ` +
			`the limit is ${maxPixels / 1_000_000} million pixels.`,
	);
}

/**
 * Decodes JPEG, PNG, WebP, GIF (first frame), TIFF, AVIF or SVG and applies the EXIF orientation.
 *
 * @throws Refusal 415 for any other format and for a truncated file
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
		return await toRgb(data, info);
	} catch {
		return await refuse(upload);
	}
}

/** Opens the raw pixels in sharp. */
export function open({ data, width, height, channels }: Picture): Sharp {
	return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

/** Refuses an image that sharp cannot read, in other words than sharp's. */
async function refuse({ file, fileName }: Upload): Promise<never> {
	const { format, readable } = await sniff(file);
	const formats = 'Send JPEG, PNG, WebP, GIF, TIFF, AVIF or SVG.';
	const reason = !readable
		? `is a ${format} file, which this sandbox cannot read. ${formats}`
		: format === 'unknown'
			? `is not a readable image. ${formats}`
			: `is a ${format} file that cannot be decoded; it may be damaged or cut off.`;
	throw new Refusal(415, `image: ${quote(fileName)} ${reason}`);
}

async function toRgb(data: Buffer, info: sharp.OutputInfo): Promise<Picture> {
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
