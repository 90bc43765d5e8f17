/** A type of images. */
export interface ImageType {
	mimeType: string;
	/** Its extensions without the dot, the usual one first; none if the node does not know the type. */
	extensions: readonly string[];
	/** Other names for it, which services and n8n's nodes use. */
	aliases?: readonly string[];
}

/** A type that its first bytes tell. */
export interface KnownType extends ImageType {
	/** How its files begin, in Latin-1. */
	begins: RegExp;
}

/** Matches the first bytes, written as Latin-1. */
function begin(pattern: string): RegExp {
	return new RegExp(`^(?:${pattern})`, 's');
}

/** What lists a TIFF's larger pictures (SubIFDs, 0x014A), or compresses a Pentax's: only a camera's raw file has it. */
const RAW =
	'II\\*\0.{4}CR|II\\*\0.*\x4a\x01[\x04\x0d]\0[\x01-\x09]\0\0\0|MM\0\\*.*\x01\x4a\0[\x04\x0d]\0\0\0[\x01-\x09]|MM\0\\*.*\x01\x03\0\x03\0\0\0\x01\xff\xff';

/** The types that people send to image services and get from them. */
export const KNOWN_TYPES: readonly KnownType[] = [
	{
		mimeType: 'image/jpeg',
		aliases: ['image/jpg', 'image/pjpeg'],
		extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
		begins: /^\xff\xd8\xff/,
	},
	{
		mimeType: 'image/png',
		aliases: ['image/x-png', 'image/apng'],
		extensions: ['png', 'apng'],
		begins: begin('\x89PNG\r\n\x1a\n'),
	},
	{
		mimeType: 'image/gif',
		extensions: ['gif'],
		begins: /^GIF8/,
	},
	{
		mimeType: 'image/webp',
		extensions: ['webp'],
		begins: /^RIFF.{4}WEBP/s,
	},
	// AVIF and HEIC name themselves first, or among the brands that follow.
	{
		mimeType: 'image/avif',
		extensions: ['avif'],
		begins: /^.{4}ftyp(?:.{4}){0,10}?avi[fs]/s,
	},
	{
		mimeType: 'image/heic',
		aliases: ['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
		extensions: ['heic', 'heif', 'hif'],
		begins: /^.{4}ftyp(?:.{4}){0,10}?(?:hei[cmxs]|hev[cmxs]|mif[123])/s,
	},
	{
		mimeType: 'image/tiff',
		aliases: ['image/tif', 'image/x-tiff'],
		extensions: ['tiff', 'tif'],
		begins: new RegExp(`^(?!${RAW})(?:II[*+]\\0|MM\\0[*+])`, 's'),
	},
	{
		mimeType: 'image/bmp',
		aliases: ['image/x-ms-bmp', 'image/x-bmp'],
		extensions: ['bmp', 'dib'],
		begins: /^BM.{4}\0{4}/s,
	},
];

/** A kind of file that is not sent, whatever type it claims. */
export interface OtherKind {
	/** With its article. */
	name: string;
	/** How its files begin, in Latin-1. */
	begins: RegExp;
}

export const OTHER_KINDS: readonly OtherKind[] = [
	{ name: 'a PDF', begins: /^%PDF-/ },
	{ name: 'an SVG', begins: /^(?:\xef\xbb\xbf)?\s*<(?!!doctype html|html)(?=[^]*?\bsvg\b)/i },
	{ name: 'a Photoshop file', begins: /^8BPS/ },
	{ name: 'an icon', begins: begin('\0\0\x01\0') },
	// What begins like a TIFF, but is none of the known types.
	{ name: "a camera's raw file", begins: /^(?:II[*+]\0|MM\0[*+])/ },
	{
		name: 'an archive',
		begins: begin('PK[\x03\x05\x07]|\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf|Rar!|\\x28\xb5\x2f\xfd'),
	},
	{ name: 'an Office file', begins: begin('\xd0\xcf\x11\xe0') },
	// Also in UTF-16, with its mark or without.
	{
		name: 'text, not an image',
		begins: /^(?:\xff\xfe|\xfe\xff|(?:[\t\n\r -~]\0){8}|(?:\0[\t\n\r -~]){8})/,
	},
	{ name: 'text, not an image', begins: /^(?:[\t\n\r\x20-\xff]{64}|[\t\n\r\x20-\xff]*$)/ },
	{ name: 'nothing but zeros', begins: /^\0*$/ },
];
