/** Image types, their extensions, and a pattern of how their bytes begin. */
const TYPES: Array<[type: string, extension: string, beginning: string]> = [
	['image/svg+xml', 'svg', '(\xef\xbb\xbf)?\\s*(<\\?xml[^>]*>\\s*)?<svg[\\s>]'],
	['image/jpeg', 'jpg', '\xff\xd8\xff'],
	['image/png', 'png', '\x89PNG\r\n\x1a\n'],
	['image/gif', 'gif', 'GIF8'],
	['image/webp', 'webp', 'RIFF....WEBP'],
	['image/avif', 'avif', '....ftypavi[fs]'],
	['image/heic', 'heic', '....ftyp(hei[cx]|m[is]f1)'],
	['image/bmp', 'bmp', 'BM....\0\0\0\0'],
	['image/tiff', 'tiff', 'II[*]\0|MM\0[*]'],
	['image/x-icon', 'ico', '\0\0\x01\0'],
	['image/jxl', 'jxl', '\xff\x0a|\0\0\0\x0cJXL '],
];
const SIGNATURES = TYPES.map(([, , beginning]) => new RegExp(`^(${beginning})`, 's'));
const EXTENSIONS = [...TYPES.map(([, extension]) => extension), 'jpeg', 'tif', 'heif'];

/** The extension at the end of the name of an image, with its dot. */
export const IMAGE_EXTENSION = new RegExp(`(?<=.)\\.(${EXTENSIONS.join('|')})$`, 'i');

// The longest registered type has 40 characters after the slash.
const TYPE = /^image\/[a-z0-9][a-z0-9.+-]{0,63}$/;
const LONGEST_TYPE = 200;

/** Number of first bytes that {@link imageType} needs. */
export const HEAD_BYTES = 64;

/**
 * Detects the MIME type of an image from its first bytes, or else from its claimed type.
 * @param head At least the first {@link HEAD_BYTES} bytes, or all if there are fewer.
 * @returns undefined if it is not an image.
 */
export function imageType(head: Uint8Array, claimed: string | undefined): string | undefined {
	const start = head.subarray(0, HEAD_BYTES);
	const text = Buffer.from(start).toString('latin1');
	const known = TYPES.find((_type, index) => SIGNATURES[index]?.test(text));
	if (known !== undefined) return known[0];
	const type = claimed?.slice(0, LONGEST_TYPE).split(';', 1)[0]?.trim().toLowerCase();
	if (type === undefined || !TYPE.test(type) || head.length === 0) return undefined;
	// SVG is text; any other type whose bytes are plain text is a web page or a message.
	return type === 'image/svg+xml' || !isPlainText(start) ? type : undefined;
}

/** The predicate of a sentence about content that is not an image. */
export function notAnImageBecause(claimed: string | undefined): string {
	const type = claimed?.slice(0, LONGEST_TYPE) || 'unknown type';
	return type.startsWith('image/')
		? `claims to be ${type} but is not an image`
		: `is not an image (${type})`;
}

/** The usual extension of an image type, without the dot. */
export function extensionOf(mimeType: string): string {
	const [, known] = TYPES.find(([type]) => type === mimeType) ?? [];
	return known ?? /^image\/(?:x-)?([a-z0-9]{1,20})/.exec(mimeType)?.[1] ?? 'img';
}

function isPlainText(head: Uint8Array): boolean {
	return head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}

/** Bytes at the end in which {@link hasEnd} searches: other data may follow the end of the image. */
export const TAIL_BYTES = 64 * 1024;

/**
 * Whether an image is complete, for formats that mark their end. If in doubt, it is: a complete image
 * must never be rejected.
 * @param tail Its last {@link TAIL_BYTES}, or all of it.
 */
export function hasEnd(type: string, size: number, head: Buffer, tail: Buffer): boolean {
	switch (type) {
		case 'image/png':
			return tail.includes('IEND');
		case 'image/jpeg':
			return tail.includes(Buffer.from([0xff, 0xd9]));
		case 'image/gif':
			// The end of the last block and the trailer; only near the end, because these bytes are common.
			return tail.subarray(-1024).includes(Buffer.from([0x00, 0x3b]));
		case 'image/webp':
			return head.length >= 8 && size >= riffSize(head);
		default:
			return true;
	}
}

/** The size in a RIFF header; encoders that don't know it write the maximum. */
function riffSize(head: Buffer): number {
	const size = head.readUInt32LE(4);
	return size === 0xffffffff ? 0 : size + 8;
}
