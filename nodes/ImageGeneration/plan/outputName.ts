import { safeFileName, stemOf } from '../images/fileName';

// Bytes; leaves room for the suffix.
const LONGEST_SOURCE = 160;
const MOST_WORDS = 6;
const LONGEST_SLUG = 60;

/** The default name of an image made from a file: `photo-edited`. */
export function nameAfterFile(name: string, suffix: string): string {
	return `${stemOf(safeFileName(name, LONGEST_SOURCE))}-${suffix}`;
}

/** The default name of an image made from a prompt, in any language: `a-red-fox`. */
export function nameAfterPrompt(prompt: string): string {
	// A prompt may be pages long; only its first words are used.
	const words = prompt.slice(0, 500).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	const slug = words.slice(0, MOST_WORDS).join('-').toLowerCase();
	return Array.from(slug).slice(0, LONGEST_SLUG).join('').replace(/-$/, '') || 'image';
}
