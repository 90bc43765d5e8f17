import sharp, { type Sharp } from 'sharp';
import type { Upload } from '../service/http/form';
import { quote, Refusal } from '../service/http/refusal';
import { sniff, type Kind } from './sniff';

/** A decoded image, upright and in sRGB. */
export interface Picture {
	/** Raw RGB pixels, 3 bytes each. */
	data: Buffer;
	width: number;
	height: number;
}

const formats = 'Send JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC or SVG.';

/** The largest image accepted. It takes 200 MB decoded, and a small file may claim any size. */
export const maxPixels = 50_000_000;

/** The longest side accepted. JPEG has room for twice as many pixels, for borders and the like. */
export const maxSide = 30_000;

/**
 * Returns how many pixels an image has, from its header alone.
 *
 * @throws Refusal 415 if it is not a readable image, 413 above `maxPixels` or `maxSide`
 */
export async function pixelsOf(upload: Upload): Promise<number> {
	const { width, height } = await sharp(upload.file, { limitInputPixels: false })
		.metadata()
		.catch(async () => await refuse(upload));
	const pixels = width * height;
	const tooLong = Math.max(width, height) > maxSide;
	if (pixels <= maxPixels && !tooLong) return pixels;
	const limit = tooLong ? `${maxSide} pixels on a side` : `${maxPixels / 1_000_000} million pixels`;
	throw new Refusal(
		413,
		`image: ${quote(upload.fileName)} has ${width} x ${height} pixels; the limit is ${limit}.`,
	);
}

/**
 * Opens JPEG, PNG, WebP, GIF (first frame), TIFF, AVIF or SVG, upright and in sRGB; HEIC is one of
 * them by now (`readHeic`). Any other format
 * and a truncated file fail when they are read, in sharp's words; `decode` finds better ones.
 */
export function openUpload({ file }: Upload): Sharp {
	return sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
		.autoOrient()
		.toColourspace('srgb');
}

/**
 * Decodes an upload to RGB, on white.
 *
 * @param edge longer side of the picture, in pixels; default: as it is
 * @throws Refusal 415 for any other format and for a truncated file
 */
export async function decode(upload: Upload, edge?: number): Promise<Picture> {
	const image = openUpload(upload)
		.flatten({ background: '#fff' })
		.resize(edge, edge, { fit: 'inside', withoutEnlargement: true });
	return await toPicture(image).catch(async () => await refuse(upload));
}

/** Runs an image's operations. */
export async function toPicture(image: Sharp): Promise<Picture> {
	const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
	return { data, width: info.width, height: info.height };
}

/** Opens the raw pixels in sharp. */
export function open({ data, width, height }: Picture): Sharp {
	return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}

/** Refuses an image that sharp cannot read, in other words than sharp's. */
export async function refuse({ file, fileName }: Upload): Promise<never> {
	throw new Refusal(415, `image: ${quote(fileName)} ${reasonFor(await sniff(file))}`);
}

function reasonFor({ format, readable }: Kind): string {
	if (!readable) return `is a ${format} file, which this sandbox cannot read. ${formats}`;
	if (format === 'unknown') return `is not a readable image. ${formats}`;
	return `is a ${format} file that cannot be decoded; it may be damaged or cut off.`;
}
