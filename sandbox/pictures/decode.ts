import sharp, { type Sharp } from 'sharp';
import { quote, Refusal } from '../service/refusal';
import type { Upload } from '../types';

/** The largest image accepted. It takes 200 MB decoded, and a small file may claim any size. */
const maxPixels = 50_000_000;
const readable = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif'];

// Each picture is processed once, so a cache would only take memory.
sharp.cache(false);

/** @throws Refusal 415 if it is not an image that the sandbox can read, 413 above `maxPixels` */
export async function assertReadable({ file, name }: Upload): Promise<void> {
	const metadata = await sharp(file, { limitInputPixels: false })
		.metadata()
		.catch(() => undefined);
	// sharp reads AVIF but not HEIC, whose codec is patented (0.35.5).
	if (!metadata || !readable.includes(metadata.format) || metadata.compression === 'hevc') {
		const advice = 'Send JPEG, PNG, WebP, GIF, TIFF or AVIF.';
		throw new Refusal(
			415,
			`image: ${quote(name)} is not an image that the sandbox reads. ${advice}`,
		);
	}
	const { width, height } = metadata;
	if (width * height <= maxPixels) return;
	const limit = `the limit is ${maxPixels / 1_000_000} million pixels`;
	throw new Refusal(413, `image: ${quote(name)} has ${width} x ${height} pixels; ${limit}.`);
}

/** Opens an image (of a GIF the first frame), upright and in sRGB. A truncated file fails when it is read. */
export function openUpload({ file }: Upload): Sharp {
	return sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
		.autoOrient()
		.toColourspace('srgb');
}

/** sharp throws errors of no class of their own and without a code. Others are a defect. */
export function isOfDecoder(error: unknown): boolean {
	return error instanceof Error && error.constructor.name === 'Error' && !('code' in error);
}
