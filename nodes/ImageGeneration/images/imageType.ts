import { endOfGif, endOfJpeg, endOfPng, endOfWebp, type EndSearch } from './imageEnd';
import { isNoImage } from './noImage';
import { couldBeSvg, isSvg } from './svg';

/** A type of images. */
export interface ImageType {
	mimeType: string;
	/** Its extensions without the dot, the usual one first; none if nobody registered the type. */
	extensions: readonly string[];
	/** Other names for it, which services and n8n's nodes use. */
	aliases?: readonly string[];
	/** Finds the end of an image, if its type marks it. */
	findEnd?: () => EndSearch;
}

/** A type that its first bytes tell. */
interface KnownType extends ImageType {
	matches: (head: Uint8Array, start: string) => boolean;
}

/** Number of first bytes that {@link imageType} needs: much may stand before the root of an SVG. */
export const HEAD_BYTES = 4096;

/** Bytes in which every type but SVG is found. */
const START_BYTES = 64;

/** Matches the first bytes, written as Latin-1. */
function begins(pattern: string): KnownType['matches'] {
	const beginning = new RegExp(`^(?:${pattern})`, 's');
	return (_head, start) => beginning.test(start);
}

/** Types that name what they contain by brands: a main one, then compatible ones until the box ends. */
function hasBrand(brand: string): KnownType['matches'] {
	const main = new RegExp(`^....ftyp(?:${brand})`, 's');
	const compatible = new RegExp(`^....ftyp.{8}(?:.{4})*?(?:${brand})`, 's');
	return (head, start) => {
		if (main.test(start)) return true;
		const [brands] = compatible.exec(start) ?? [];
		if (brands === undefined) return false;
		const boxBytes = new DataView(head.buffer, head.byteOffset).getUint32(0);
		return brands.length <= boxBytes;
	};
}

/** Sizes of the headers that a bitmap may have, as the byte that begins them. */
const DIB_HEADER = '[\x0c\x10\x28\x34\x38\x40\x6c\x7c]\0\0\0';

const TYPES: readonly KnownType[] = [
	{
		mimeType: 'image/jpeg',
		aliases: ['image/jpg', 'image/pjpeg'],
		extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'jif', 'mpo'],
		matches: begins('\xff\xd8\xff'),
		findEnd: endOfJpeg,
	},
	{
		mimeType: 'image/png',
		aliases: ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng'],
		extensions: ['png', 'apng'],
		matches: begins('\x89PNG\r\n\x1a\n'),
		findEnd: endOfPng,
	},
	{
		mimeType: 'image/gif',
		extensions: ['gif'],
		matches: begins('GIF8'),
		findEnd: endOfGif,
	},
	{
		mimeType: 'image/webp',
		aliases: ['image/x-webp'],
		extensions: ['webp'],
		matches: begins('RIFF....WEBP'),
		findEnd: endOfWebp,
	},
	{
		mimeType: 'image/avif',
		aliases: ['image/avif-sequence'],
		extensions: ['avif', 'avifs'],
		matches: hasBrand('avi[fs]'),
	},
	{
		mimeType: 'image/heic',
		aliases: ['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
		extensions: ['heic', 'heif', 'heics', 'heifs', 'hif'],
		matches: hasBrand('hei[cmxs]|hev[cmxs]|mif[123]|miaf|MiH[ABE]|msf1|avc[is]|jpeg|jpgs|vvi[cs]'),
	},
	{
		mimeType: 'image/x-canon-cr3',
		extensions: ['cr3'],
		matches: begins('....ftypcrx '),
	},
	{
		mimeType: 'image/tiff',
		aliases: ['image/tif', 'image/x-tiff'],
		// Most cameras write their raw files as TIFF.
		extensions: [
			'tiff',
			'tif',
			'dng',
			'nef',
			'nrw',
			'cr2',
			'arw',
			'srf',
			'sr2',
			'pef',
			'srw',
			'3fr',
		],
		// An asterisk, or a plus sign if it may be larger than 4 GiB.
		matches: begins('II[*+]\0|MM\0[*+]'),
	},
	{
		mimeType: 'image/bmp',
		aliases: ['image/x-ms-bmp', 'image/x-bmp', 'image/x-windows-bmp'],
		extensions: ['bmp', 'dib'],
		// Some programs write into the reserved bytes; the header after them is then clear enough.
		matches: begins(`BM....(?:\0\0\0\0|.{8}${DIB_HEADER})`),
	},
	{
		mimeType: 'image/x-dib',
		aliases: ['image/dib', 'image/x-ms-dib'],
		extensions: ['dib', 'bmp'],
		// A bitmap without the header of a file: one plane, and so many bits for each pixel.
		matches: begins('\\x28\0\0\0.{8}\x01\0[\x01\x04\x08\x10\x18\x20]\0'),
	},
	{
		mimeType: 'image/x-icon',
		aliases: ['image/vnd.microsoft.icon', 'image/ico'],
		extensions: ['ico'],
		matches: begins('\0\0\x01\0(?!\0\0)'),
	},
	{
		mimeType: 'image/x-win-bitmap',
		aliases: ['image/vnd.microsoft.cursor'],
		extensions: ['cur'],
		matches: begins('\0\0\x02\0(?!\0\0)'),
	},
	{
		mimeType: 'image/jxl',
		extensions: ['jxl'],
		matches: begins('\xff\x0a|\0\0\0\x0cJXL '),
	},
	{
		mimeType: 'image/jp2',
		aliases: ['image/jpx', 'image/jpm', 'image/jpeg2000', 'image/x-jp2'],
		extensions: ['jp2', 'jpx', 'jpf', 'jpm', 'j2k'],
		matches: begins('\0\0\0\x0cjP(?:  |\x1a\x1a)\r\n\x87\n'),
	},
	{
		mimeType: 'image/j2c',
		aliases: ['image/x-j2c', 'image/j2k'],
		extensions: ['j2c', 'j2k', 'jpc', 'jp2'],
		matches: begins('\xff\x4f\xff\x51'),
	},
	{
		mimeType: 'image/vnd.adobe.photoshop',
		aliases: ['image/x-photoshop', 'image/psd', 'image/x-psd'],
		extensions: ['psd', 'psb'],
		matches: begins('8BPS\0[\x01\x02]'),
	},
	{
		mimeType: 'image/vnd.ms-dds',
		aliases: ['image/x-dds', 'image/vnd-ms.dds'],
		extensions: ['dds'],
		matches: begins('DDS \\x7c\0\0\0'),
	},
	{
		mimeType: 'image/x-exr',
		aliases: ['image/aces'],
		extensions: ['exr'],
		matches: begins('v/1\x01'),
	},
	{
		mimeType: 'image/qoi',
		aliases: ['image/x-qoi'],
		extensions: ['qoi'],
		matches: begins('qoif'),
	},
	{
		mimeType: 'image/svg+xml',
		aliases: ['image/svg'],
		extensions: ['svg'],
		matches: isSvg,
	},
];

/** Registered types whose first bytes tell nothing. */
const CLAIMED_ONLY: readonly ImageType[] = [
	{ mimeType: 'image/x-tga', aliases: ['image/x-targa', 'image/targa'], extensions: ['tga'] },
	{ mimeType: 'image/x-portable-pixmap', extensions: ['ppm', 'pnm'] },
	{ mimeType: 'image/x-portable-graymap', extensions: ['pgm', 'pnm'] },
	{ mimeType: 'image/x-portable-bitmap', extensions: ['pbm', 'pnm'] },
	{ mimeType: 'image/vnd.djvu', extensions: ['djvu', 'djv'] },
	{ mimeType: 'image/jxr', aliases: ['image/vnd.ms-photo'], extensions: ['jxr', 'wdp', 'hdp'] },
];

const EXTENSIONS = [...TYPES, ...CLAIMED_ONLY].flatMap(({ extensions }) => extensions);

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
	const start = Buffer.from(head.subarray(0, START_BYTES)).toString('latin1');
	const known = TYPES.find(({ matches }) => matches(head.subarray(0, HEAD_BYTES), start));
	if (known !== undefined) return known;
	const mimeType = claimed?.slice(0, LONGEST_TYPE).split(';', 1)[0]?.trim().toLowerCase() ?? '';
	if (!IMAGE.test(mimeType)) return undefined;
	const isClaimed = (type: ImageType) =>
		type.mimeType === mimeType || type.aliases?.includes(mimeType) === true;
	const missed = TYPES.find(isClaimed);
	if (missed?.matches === isSvg && head.length >= HEAD_BYTES && couldBeSvg(head)) return missed;
	if (missed !== undefined || isNoImage(head)) return undefined;
	// A type that nobody registered has no extension: it would be whatever the service made up.
	return CLAIMED_ONLY.find(isClaimed) ?? { mimeType, extensions: [] };
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
