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

const formats = 'Send JPEG, PNG, WebP, GIF, TIFF, AVIF or HEIC.';

/** The largest image accepted. It takes 200 MB decoded, and a small file may claim any size. */
export const maxPixels = 50_000_000;

/** The longest side accepted. JPEG has room for twice as many pixels, for borders and the like. */
const maxSide = 30_000;

/** How long each pass over the pixels of an image may take. */
export const workSeconds = 15;

/** How the message of an error begins if a pass took longer. */
export const timeout = 'timeout';

// Each picture is processed once, so a cache would only take memory.
sharp.cache(false);

/**
 * Returns how many pixels an image has, from its header alone. Only formats that the first bytes tell
 * are read: no time limit ends what draws an SVG, and a small one may take minutes and gigabytes.
 *
 * @throws Refusal 415 if it is not a readable image, 413 above `maxPixels` or `maxSide`
 */
export async function pixelsOf(upload: Upload): Promise<number> {
	const kind = await sniff(upload.file);
	if (!kind.readable) throw unreadable(upload, kind);
	const { width, height } = await sharp(upload.file, { limitInputPixels: false }).metadata();
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
 * Opens JPEG, PNG, WebP, GIF (first frame), TIFF or AVIF, upright and in sRGB; HEIC is one of them by
 * now (`readHeic`). A truncated file fails when it is read.
 */
export function openUpload({ file }: Upload): Sharp {
	return sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
		.timeout({ seconds: workSeconds })
		.autoOrient()
		.toColourspace('srgb');
}

/**
 * Decodes an upload to a small RGB picture, on white.
 *
 * @param edge its longer side at most, in pixels
 */
export async function decodeSmall(upload: Upload, edge: number): Promise<Picture> {
	const { data, info } = await openUpload(upload)
		.flatten({ background: '#fff' })
		.resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
		.raw({ depth: 'uchar' })
		.toBuffer({ resolveWithObject: true });
	return { data, width: info.width, height: info.height };
}

/**
 * Does work that reads an upload.
 *
 * @throws Refusal 413 if that takes too long, 415 if the image cannot be decoded
 */
export async function reading<Value>(upload: Upload, work: () => Promise<Value>): Promise<Value> {
	try {
		return await work();
	} catch (error) {
		if (!isOfDecoder(error)) throw error;
		if (error.message.startsWith(timeout)) {
			throw new Refusal(413, `image: ${quote(upload.fileName)} takes too long to process.`);
		}
		throw unreadable(upload, await sniff(upload.file));
	}
}

/** sharp throws errors of no class of their own and without a code. Others are a refusal or a defect. */
function isOfDecoder(error: unknown): error is Error {
	return error instanceof Error && error.constructor.name === 'Error' && !('code' in error);
}

/** Refuses an image in other words than sharp's. */
function unreadable({ fileName }: Upload, { format, readable }: Kind): Refusal {
	return new Refusal(415, `image: ${quote(fileName)} ${reasonFor(format, readable)}`);
}

function reasonFor(format: string, readable: boolean): string {
	if (readable) return `is a ${format} file that cannot be decoded; it may be damaged or cut off.`;
	if (format === 'unknown') return `is not a readable image. ${formats}`;
	return `is a ${format} file, which this sandbox cannot read. ${formats}`;
}
