/** A GIF of one pixel. Bytes behind its end do no harm. */
export const PIXEL = Buffer.from(
	'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	'base64',
);

/** So many MiB that begin as a PNG does, which is all that the node looks at. */
export function largePng(mebibytes: number): Buffer {
	const bytes = Buffer.alloc(mebibytes * 1024 * 1024, '0123456789abcdefghijklmnopqrstu');
	bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
	return bytes;
}
