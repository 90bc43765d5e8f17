import { KNOWN_TYPES, OTHER_KINDS, type ImageType } from './knownTypes';

/** Number of first bytes that {@link imageType} needs: they tell a camera's raw file from a TIFF. */
export const HEAD_BYTES = 4096;

/** A smaller image is a tracking pixel, by which the sender of a mail learns that it is read; in bytes. */
export const SMALLEST_IMAGE = 100;

/** The extensions of images without the dot, in a regular expression. */
export const IMAGE_EXTENSIONS = KNOWN_TYPES.flatMap(({ extensions }) => extensions).join('|');

/** The extension at the end of the name of an image, with its dot. */
export const IMAGE_EXTENSION = new RegExp(`(?<=.)\\.(?:${IMAGE_EXTENSIONS})$`, 'i');

/** The longest registered type has 40 characters after the slash. */
const IMAGE = /^image\/[a-z0-9][a-z0-9.+-]{0,63}$/;
const LONGEST_TYPE = 200;

/**
 * Detects the type of an image from its first bytes, or else from its claimed MIME type. The claim of a known type
 * counts for nothing, because its bytes would tell it, and nor does that of a file of another kind, such as a PDF.
 * @param head At least the first {@link HEAD_BYTES} bytes, or all if there are fewer.
 * @returns undefined if it is not an image.
 */
export function imageType(head: Uint8Array, claimed: string | undefined): ImageType | undefined {
	const start = startOf(head);
	const known = KNOWN_TYPES.find(({ begins }) => begins.test(start));
	if (known !== undefined) return known;
	const mimeType = claimed?.slice(0, LONGEST_TYPE).split(';', 1)[0]?.trim().toLowerCase() ?? '';
	const isOfKnownType = KNOWN_TYPES.some(
		(type) => type.mimeType === mimeType || type.aliases?.includes(mimeType) === true,
	);
	if (!IMAGE.test(mimeType) || isOfKnownType || otherKindOf(head) !== undefined) return undefined;
	// It has no extension: that would be whatever the service made up.
	return { mimeType, extensions: [] };
}

/** What a file is that is not sent, such as "a PDF"; undefined if its first bytes don't tell. */
export function otherKindOf(head: Uint8Array): string | undefined {
	const start = startOf(head);
	return OTHER_KINDS.find(({ begins }) => begins.test(start))?.name;
}

function startOf(head: Uint8Array): string {
	return Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1');
}

/** The extension of an image's file, without the dot. */
export function usualExtension({ extensions: [usual = 'img'] }: ImageType): string {
	return usual;
}

/** The predicate of a sentence about content that is not an image. */
export function notAnImageBecause(claimed: string | undefined): string {
	const type = claimed?.slice(0, LONGEST_TYPE) || 'unknown type';
	return type.startsWith('image/')
		? `claims to be ${type} but is not an image`
		: `is not an image (${type})`;
}
