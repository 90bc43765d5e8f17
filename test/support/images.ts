import { createHash } from 'node:crypto';

/** A GIF of four by four pixels, of which one is drawn: a smaller one is a tracking pixel. */
export const PIXEL = Buffer.from(
	'R0lGODlhBAAEAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	'base64',
);

/** A different image for each name; readers ignore bytes after a GIF's end. */
export const gif = (name: string): Buffer => Buffer.concat([PIXEL, Buffer.from(name)]);

/** A GIF of this size, which is a tracking pixel up to two by two. */
export function sizedGif(width: number, height: number): Buffer {
	const bytes = Buffer.from(PIXEL);
	bytes.writeUInt16LE(width, 6);
	bytes.writeUInt16LE(height, 8);
	return bytes;
}

/** This many MiB with the beginning and the end of a PNG, and one chunk between: all the node checks. */
export function largePng(mebibytes: number): Buffer {
	const bytes = Buffer.alloc(mebibytes * 1024 * 1024, '0123456789abcdefghijklmnopqrstu');
	const end = bytes.length - 12;
	bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
	bytes.writeUInt32BE(end - 20, 8);
	bytes.write('teSt', 12, 'latin1');
	bytes.writeUInt32BE(0, end);
	bytes.write('IEND', end + 4, 'latin1');
	return bytes;
}

/** The hash by which the sandbox records a received file. */
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
