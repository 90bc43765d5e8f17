import { startOf } from './firstBytes';
import { KNOWN_TYPES, type ImageType } from './knownTypes';
import { isNoImage } from './noImage';
import { couldBeSvg, isSvg } from './svg';

/** Number of first bytes that {@link imageType} needs: much may stand before the root of an SVG. */
export const HEAD_BYTES = 4096;

const EXTENSIONS = KNOWN_TYPES.flatMap(({ extensions }) => extensions);

/** The extension at the end of the name of an image, with its dot. */
export const IMAGE_EXTENSION = new RegExp(`(?<=.)\\.(${EXTENSIONS.join('|')})$`, 'i');

/** The longest registered type has 40 characters after the slash. */
const IMAGE = /^image\/[a-z0-9][a-z0-9.+-]{0,63}$/;
const LONGEST_TYPE = 200;

/**
 * Detects the type of an image from its first bytes, or else from its claimed MIME type. A claim counts
 * only if the bytes can be that: a type that its first bytes tell must begin so, and no other may be text,
 * a program or anything else that is known not to be an image.
 * @param head At least the first {@link HEAD_BYTES} bytes, or all if there are fewer.
 * @returns undefined if it is not an image.
 */
export function imageType(head: Uint8Array, claimed: string | undefined): ImageType | undefined {
	const start = startOf(head);
	const known = KNOWN_TYPES.find(({ matches }) => matches(head.subarray(0, HEAD_BYTES), start));
	if (known !== undefined) return known;
	const mimeType = claimed?.slice(0, LONGEST_TYPE).split(';', 1)[0]?.trim().toLowerCase() ?? '';
	if (!IMAGE.test(mimeType)) return undefined;
	const isClaimed = (type: ImageType) =>
		type.mimeType === mimeType || type.aliases?.includes(mimeType) === true;
	const missed = KNOWN_TYPES.find(isClaimed);
	if (missed?.matches === isSvg && head.length >= HEAD_BYTES && couldBeSvg(head)) return missed;
	if (missed !== undefined || isNoImage(head)) return undefined;
	// It has no extension: that would be whatever the service made up.
	return { mimeType, extensions: [] };
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
