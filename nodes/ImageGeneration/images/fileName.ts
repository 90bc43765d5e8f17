import { IMAGE_EXTENSION, usualExtension } from './imageType';
import type { ImageType } from './knownTypes';

// Most file systems allow 255 bytes; numbers and extensions are added later.
const LONGEST_STEM = 200;

/** Windows devices. Node.js on Windows would write an image there, and it would be gone. */
const DEVICE = /^(con(in\$|out\$)?|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Not only accents, variation selectors or spaces. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{M}\p{Z}]/u;

/**
 * Makes a file name that any system can store: no path, no special characters of paths or headers, no
 * invisible direction marks, and at most `longest` bytes. The extension of an image is removed, because
 * it follows from the image's type.
 */
export function safeStem(name: string, longest = LONGEST_STEM): string {
	// Only the start of a long name, and its end with the extension.
	const known = name.length > 1000 ? name.slice(0, 900) + name.slice(-100) : name;
	const plain = known
		.normalize('NFC')
		// Control characters, halves of characters, line separators, and text direction marks.
		.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
		.replace(/[\\/:*?"<>|]+/g, '-')
		// Dots and spaces at both ends, and leading dashes. The lookbehind avoids quadratic time.
		.replace(/^[\s.-]+|(?<![\s.])[\s.]+$/g, '')
		.replace(IMAGE_EXTENSION, '');
	// A decoder that is told of more bytes holds back an incomplete character.
	const start = Buffer.from(plain).subarray(0, longest);
	const short = new TextDecoder().decode(start, { stream: true }).trim();
	if (!VISIBLE.test(short)) return 'image';
	return DEVICE.test(short) ? `_${short}` : short;
}

/** The last part of a name, if it can be an extension. */
const EXTENSION = /(?<=.)\.([a-z0-9]{1,8})$/i;

/**
 * Makes a safe name with an extension that fits the type: the name's own one if it does, else the usual one.
 * To a type that the node does not know, any fits.
 */
export function nameOfType(name: string, type: ImageType): string {
	const own = EXTENSION.exec(name.slice(-20))?.[1]?.toLowerCase() ?? '';
	const { extensions } = type;
	const fits = own !== '' && (extensions.length === 0 || extensions.includes(own));
	const stem = safeStem(name);
	if (fits && stem.toLowerCase().endsWith(`.${own}`)) return stem;
	return `${stem}.${fits ? own : usualExtension(type)}`;
}
