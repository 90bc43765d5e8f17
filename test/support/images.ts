/** A GIF of one pixel. Bytes after its end do no harm. */
export const PIXEL = Buffer.from(
	'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	'base64',
);

/** This many MiB with a PNG signature, which is all the node checks. */
export function largePng(mebibytes: number): Buffer {
	const bytes = Buffer.alloc(mebibytes * 1024 * 1024, '0123456789abcdefghijklmnopqrstu');
	bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
	return bytes;
}
