import { hash } from 'crypto';

import { safeStem } from './fileName';

/** What is known of an image's file name before the image is bought. */
export interface PlannedName {
	/** Without an extension, which follows from the image's actual type. */
	stem: string;
	/**
	 * Whether a few characters of the purchase follow, as in every default name: the same image always has the same
	 * name, and no other image has it. Names from File Name have none, and are numbered if they are equal.
	 */
	isMarked: boolean;
}

/** The name of a bought image, without its extension. @param link its `output_url`, which every memory of it has */
export function completeName({ stem, isMarked }: PlannedName, link: string): string {
	return isMarked ? `${stem}-${markOf(link)}` : stem;
}

const MARK_LENGTH = 6;

/** Six characters, 2 billion possibilities: enough to tell apart images of one prompt. */
function markOf(link: string): string {
	// 48 bits are exact in a number.
	const number = parseInt(hash('sha256', link, 'hex').slice(0, 12), 16);
	return (number % 36 ** MARK_LENGTH).toString(36).padStart(MARK_LENGTH, '0');
}

/** In bytes. Leaves room for the suffix and the mark, because most file systems allow 255. */
const LONGEST_SOURCE = 160;

/** The default name of an image made from a file, without its mark: `photo-edited`. */
export function nameAfterFile(name: string, suffix: string): string {
	return `${safeStem(name, LONGEST_SOURCE)}-${suffix}`;
}

const MOST_WORDS = 8;
/** In bytes. */
const LONGEST_WORDS = 100;

/** The default name of an image made from a prompt in any language, without its mark: `a-red-fox`. */
export function nameAfterPrompt(prompt: string): string {
	// A prompt may be pages long; only its first words are used.
	const words =
		prompt
			.slice(0, 500)
			.toLowerCase()
			.normalize('NFC')
			// Variation selectors, joiners and whatever else nobody can see.
			.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
			// Accents belong to a letter; alone they can hardly be seen.
			.match(/[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu) ?? [];
	const kept = words.slice(0, MOST_WORDS);
	while (kept.length > 1 && Buffer.byteLength(kept.join('-')) > LONGEST_WORDS) kept.pop();
	return safeStem(kept.join('-'), LONGEST_WORDS);
}

/** Returns a function that numbers the repeated names of a run: `a`, `b`, `a-2`. */
export function numbering(): (stem: string) => string {
	/** The number of the last repetition of each name. */
	const taken = new Map<string, number>();
	return (stem) => {
		let number = taken.get(keyOf(stem)) ?? 1;
		let unique = stem;
		while (taken.has(keyOf(unique))) {
			number++;
			unique = `${stem}-${number}`;
		}
		taken.set(keyOf(unique), 1);
		taken.set(keyOf(stem), number);
		return unique;
	};
}

/** Windows and macOS take names that differ only in case for the same. */
function keyOf(stem: string): string {
	return stem.toLowerCase();
}
