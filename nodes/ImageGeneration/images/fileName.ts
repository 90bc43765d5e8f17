import { isImageExtension } from './imageType';

// Most file systems allow 255 bytes; numbers and extensions are added later.
const LONGEST_STEM = 200;

/** Windows devices. Node.js on Windows would write an image there, and it would be gone. */
const DEVICE = /^(con(in\$|out\$)?|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/**
 * Makes a file name that any system can store: no path, no special characters of paths or headers, no
 * invisible direction marks, and at most `longest` bytes before the extension.
 */
export function safeFileName(name: string, longest = LONGEST_STEM): string {
	const plain = truncate(name)
		.normalize('NFC')
		// Control characters, halves of characters, line separators, and text direction marks.
		.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
		.replace(/[\\/:*?"<>|]+/g, '-')
		// Dots and spaces at both ends, and leading dashes. The lookbehind avoids quadratic time.
		.replace(/^[\s.-]+|(?<![\s.])[\s.]+$/g, '');
	const { stem, extension } = splitExtension(plain);
	const short = truncateBytes(stem, longest).trim() || 'image';
	const safe = DEVICE.test(short) ? `_${short}` : short;
	return extension === '' ? safe : `${safe}.${extension}`;
}

/** The same without the extension of an image, which follows from the image's type. */
export function safeStem(name: string, longest = LONGEST_STEM): string {
	return splitExtension(safeFileName(name, longest)).stem;
}

/** Replaces the extension; `photo.jpeg` is left unchanged for `jpg`. */
export function withExtension(name: string, extension: string): string {
	const current = splitExtension(name);
	if (canonicalExtension(current.extension) === extension) return name;
	return `${current.stem}.${extension}`;
}

/** Returns a function that numbers repeated names, ignoring case: `a`, `b`, `a-2`. */
export function uniqueNames(): (name: string) => string {
	const taken = new Set<string>();
	const next = new Map<string, number>();
	return (name) => {
		const lower = name.toLowerCase();
		let number = next.get(lower) ?? 1;
		let unique = number === 1 ? name : `${name}-${number}`;
		while (taken.has(unique.toLowerCase())) unique = `${name}-${++number}`;
		next.set(lower, number + 1);
		taken.add(unique.toLowerCase());
		return unique;
	};
}

/** Reads only the start of a long name, and its end with the extension. */
function truncate(name: string): string {
	return name.length > 1000 ? name.slice(0, 900) + name.slice(-100) : name;
}

/** Cuts after a whole character: a decoder that is told of more bytes holds back an incomplete one. */
function truncateBytes(stem: string, longest: number): string {
	return new TextDecoder().decode(Buffer.from(stem).subarray(0, longest), { stream: true });
}

function splitExtension(name: string): { stem: string; extension: string } {
	const dot = name.lastIndexOf('.');
	const extension = name.slice(dot + 1);
	if (dot < 1 || !isImageExtension(extension)) return { stem: name, extension: '' };
	return { stem: name.slice(0, dot), extension };
}

function canonicalExtension(extension: string): string {
	const lower = extension.toLowerCase();
	return lower === 'jpeg' ? 'jpg' : lower === 'tif' ? 'tiff' : lower;
}

// Bytes; leaves room for the suffix.
const LONGEST_SOURCE = 160;
const MOST_WORDS = 6;
const LONGEST_SLUG = 60;

/** The default name of an image made from a file: `photo-edited`. */
export function nameAfterFile(name: string, suffix: string): string {
	return `${safeStem(name, LONGEST_SOURCE)}-${suffix}`;
}

/** The default name of an image made from a prompt, in any language: `a-red-fox`. */
export function nameAfterPrompt(prompt: string): string {
	// A prompt may be pages long; only its first words are used.
	const words = prompt.slice(0, 500).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	const slug = words.slice(0, MOST_WORDS).join('-').toLowerCase();
	return Array.from(slug).slice(0, LONGEST_SLUG).join('').replace(/-$/, '') || 'image';
}
