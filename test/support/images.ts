import { createHash } from 'node:crypto';

/** A GIF of four by four pixels, of which one is drawn; the zeros behind it make it larger than a tracking pixel. */
export const PIXEL = Buffer.concat([
	Buffer.from('R0lGODlhBAAEAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
	Buffer.alloc(62),
]);

/** A GIF that is as small as a tracking pixel. */
export const TRACKING_PIXEL = PIXEL.subarray(0, 42);

/** A different image for each name; readers ignore bytes after a GIF's end. */
export const gif = (name: string): Buffer => Buffer.concat([PIXEL, Buffer.from(name)]);

/** This many MiB with the beginning of a PNG: all the node checks. */
export function largePng(mebibytes: number): Buffer {
	const bytes = Buffer.alloc(mebibytes * 1024 * 1024, '0123456789abcdefghijklmnopqrstu');
	bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
	return bytes;
}

/** The hash by which the sandbox records a received file. */
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
