import { begins, hasBrand, type FirstBytes } from './firstBytes';
import { endOfGif, endOfJpeg, endOfPng, endOfWebp, type EndSearch } from './imageEnd';
import { isSvg } from './svg';

/** A type of images. */
export interface ImageType {
	mimeType: string;
	/** Its extensions without the dot, the usual one first; none if the node does not know the type. */
	extensions: readonly string[];
	/** Other names for it, which services and n8n's nodes use. */
	aliases?: readonly string[];
	/** Finds the end of an image, if its type marks it. */
	findEnd?: () => EndSearch;
}

/** A type that its first bytes tell. */
export interface KnownType extends ImageType {
	matches: FirstBytes;
}

/** Sizes of the headers that a bitmap may have, as the byte that begins them. */
const DIB_HEADER = '[\x0c\x10\x28\x34\x38\x40\x6c\x7c]\0\0\0';

/**
 * The types that people send to image services and get from them. Any other type may be sent and stored if
 * it says that it is an image; the node then can't check it, and does not know its extension.
 */
export const KNOWN_TYPES: readonly KnownType[] = [
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
	// Photos of phones.
	{
		mimeType: 'image/heic',
		aliases: ['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
		extensions: ['heic', 'heif', 'heics', 'heifs', 'hif'],
		matches: hasBrand('hei[cmxs]|hev[cmxs]|mif[123]|miaf|MiH[ABE]|msf1|avc[is]|jpeg|jpgs|vvi[cs]'),
	},
	// Raw files of newer Canon cameras.
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
	// Icons of websites.
	{
		mimeType: 'image/x-icon',
		aliases: ['image/vnd.microsoft.icon', 'image/ico'],
		extensions: ['ico'],
		matches: begins('\0\0\x01\0(?!\0\0)'),
	},
	// Photos of some phones, and exports of photo editors.
	{
		mimeType: 'image/jxl',
		extensions: ['jxl'],
		matches: begins('\xff\x0a|\0\0\0\x0cJXL '),
	},
	// Scans and archives.
	{
		mimeType: 'image/jp2',
		aliases: ['image/jpx', 'image/jpm', 'image/jpeg2000', 'image/x-jp2'],
		extensions: ['jp2', 'jpx', 'jpf', 'jpm', 'j2k'],
		matches: begins('\0\0\0\x0cjP(?:  |\x1a\x1a)\r\n\x87\n'),
	},
	// The same without its box, as PDF files contain it.
	{
		mimeType: 'image/j2c',
		aliases: ['image/x-j2c', 'image/j2k'],
		extensions: ['j2c', 'j2k', 'jpc', 'jp2'],
		matches: begins('\xff\x4f\xff\x51'),
	},
	// Drafts of designers.
	{
		mimeType: 'image/vnd.adobe.photoshop',
		aliases: ['image/x-photoshop', 'image/psd', 'image/x-psd'],
		extensions: ['psd', 'psb'],
		matches: begins('8BPS\0[\x01\x02]'),
	},
	// Logos.
	{
		mimeType: 'image/svg+xml',
		aliases: ['image/svg'],
		extensions: ['svg'],
		matches: isSvg,
	},
];
