const EXTENSIONS = {
	'image/jpeg': 'jpg',
	'image/png': 'png',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'image/avif': 'avif',
	'image/heic': 'heic',
	'image/bmp': 'bmp',
	'image/tiff': 'tiff',
	'image/svg+xml': 'svg',
	'image/x-icon': 'ico',
	'image/jxl': 'jxl',
} as const satisfies Record<`image/${string}`, string>;

// The longest registered type has 40 characters after the slash.
const TYPE = /^image\/[a-z0-9][a-z0-9.+-]{0,63}$/;
const LONGEST_TYPE = 200;

/** Number of first bytes that {@link imageType} needs. */
export const HEAD_BYTES = 64;

/**
 * Detects the MIME type of an image from its first bytes, or else from its claimed type.
 * @param head The first {@link HEAD_BYTES} bytes, or all if there are fewer.
 * @returns undefined if it is not an image.
 */
export function imageType(head: Uint8Array, claimed: string | undefined): string | undefined {
	const bySignature = signature(head);
	if (bySignature !== undefined) return bySignature;
	const type = claimed?.slice(0, LONGEST_TYPE).split(';', 1)[0]?.trim().toLowerCase();
	if (type === undefined || !TYPE.test(type) || head.length === 0) return undefined;
	// SVG is text; any other type whose bytes are plain text is a web page or a message.
	return type === 'image/svg+xml' || !isPlainText(head) ? type : undefined;
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
	if (isKnown(mimeType)) return EXTENSIONS[mimeType];
	const [, subtype = ''] = mimeType.split('/', 2);
	return /^(?:x-)?([a-z0-9]{1,20})/.exec(subtype)?.[1] ?? 'img';
}

/** Whether a file extension, without the dot, is that of an image. */
export function isImageExtension(extension: string): boolean {
	return ['jpeg', 'tif', 'heif', ...Object.values(EXTENSIONS)].includes(extension.toLowerCase());
}

function isKnown(mimeType: string): mimeType is keyof typeof EXTENSIONS {
	return mimeType in EXTENSIONS;
}

function signature(head: Uint8Array): keyof typeof EXTENSIONS | undefined {
	const text = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1');
	if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (text.startsWith('GIF8')) return 'image/gif';
	if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
	if (text.startsWith('BM') && text.startsWith('\0\0\0\0', 6)) return 'image/bmp';
	if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'image/tiff';
	if (/^.{4}ftyp(avif|avis)/s.test(text)) return 'image/avif';
	if (/^.{4}ftyp(heic|heix|mif1|msf1)/s.test(text)) return 'image/heic';
	if (text.startsWith('\xff\x0a') || text.startsWith('\0\0\0\x0cJXL ')) return 'image/jxl';
	if (text.startsWith('\0\0\x01\0')) return 'image/x-icon';
	if (/^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(text)) return 'image/svg+xml';
	return undefined;
}

function isPlainText(head: Uint8Array): boolean {
	return head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}
