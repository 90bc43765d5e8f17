/** A type of images. */
export interface ImageType {
	mimeType: string;
	/** Its usual extension, without the dot. */
	extension: string;
	/**
	 * Whether an image is complete, if its type marks the end. If in doubt, it is: a complete image must
	 * never be rejected.
	 * @param tail Its last {@link TAIL_BYTES}, or all of it.
	 * @param head Its first bytes.
	 */
	isWhole: (tail: Buffer, size: number, head: Buffer) => boolean;
}

/** MIME types, their extensions, a pattern of how their bytes begin, and how to find their end. */
const ROWS: Array<
	[mimeType: string, extension: string, beginning: string, isWhole?: ImageType['isWhole']]
> = [
	['image/svg+xml', 'svg', '(\xef\xbb\xbf)?\\s*(<\\?xml[^>]*>\\s*)?<svg[\\s>]'],
	['image/jpeg', 'jpg', '\xff\xd8\xff', (tail) => tail.includes('\xff\xd9', 0, 'latin1')],
	['image/png', 'png', '\x89PNG\r\n\x1a\n', (tail) => tail.includes('IEND')],
	// The end of the last block and the trailer; only near the end, because these bytes are common.
	['image/gif', 'gif', 'GIF8', (tail) => tail.subarray(-1024).includes('\0;')],
	['image/webp', 'webp', 'RIFF....WEBP', (_tail, size, head) => size >= riffSize(head)],
	['image/avif', 'avif', '....ftypavi[fs]'],
	['image/heic', 'heic', '....ftyp(hei[cx]|m[is]f1)'],
	['image/bmp', 'bmp', 'BM....\0\0\0\0'],
	['image/tiff', 'tiff', 'II[*]\0|MM\0[*]'],
	['image/x-icon', 'ico', '\0\0\x01\0'],
	['image/jxl', 'jxl', '\xff\x0a|\0\0\0\x0cJXL '],
];
const TYPES = ROWS.map(([mimeType, extension, beginning, isWhole = () => true]) => ({
	...{ mimeType, extension, isWhole },
	beginning: new RegExp(`^(${beginning})`, 's'),
}));
const EXTENSIONS = [...TYPES.map(({ extension }) => extension), 'jpeg', 'tif', 'heif'];

/** The extension at the end of the name of an image, with its dot. */
export const IMAGE_EXTENSION = new RegExp(`(?<=.)\\.(${EXTENSIONS.join('|')})$`, 'i');

// The longest registered type has 40 characters after the slash. The first of them are the extension.
const TYPE = /^image\/(?=[a-z0-9][a-z0-9.+-]{0,63}$)(?:x-)?([a-z0-9]{1,20})/;
const LONGEST_TYPE = 200;

/** Number of first bytes that {@link imageType} needs. */
export const HEAD_BYTES = 64;

/** Bytes at the end in which the end of an image is searched: other data may follow it. */
export const TAIL_BYTES = 64 * 1024;

/**
 * Detects the type of an image from its first bytes, or else from its claimed MIME type.
 * @param head At least the first {@link HEAD_BYTES} bytes, or all if there are fewer.
 * @returns undefined if it is not an image.
 */
export function imageType(head: Uint8Array, claimed: string | undefined): ImageType | undefined {
	const start = head.subarray(0, HEAD_BYTES);
	const text = Buffer.from(start).toString('latin1');
	const detected = TYPES.find(({ beginning }) => beginning.test(text));
	if (detected !== undefined) return detected;
	const mimeType = claimed?.slice(0, LONGEST_TYPE).split(';', 1)[0]?.trim().toLowerCase() ?? '';
	const [, extension] = TYPE.exec(mimeType) ?? [];
	if (extension === undefined || head.length === 0) return undefined;
	// SVG is text; any other type whose bytes are plain text is a web page or a message.
	if (mimeType !== 'image/svg+xml' && isPlainText(start)) return undefined;
	const known = TYPES.find((type) => type.mimeType === mimeType);
	return known ?? { mimeType, extension, isWhole: () => true };
}

/** The predicate of a sentence about content that is not an image. */
export function notAnImageBecause(claimed: string | undefined): string {
	const type = claimed?.slice(0, LONGEST_TYPE) || 'unknown type';
	return type.startsWith('image/')
		? `claims to be ${type} but is not an image`
		: `is not an image (${type})`;
}

function isPlainText(head: Uint8Array): boolean {
	return head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}

/** The size in a RIFF header; encoders that don't know it write the maximum. */
function riffSize(head: Buffer): number {
	const size = head.length < 8 ? Infinity : head.readUInt32LE(4);
	return size === 0xffffffff ? 0 : size + 8;
}
