import { hash } from 'crypto';

import { safeStem } from './fileName';

/** What is known of an image's file name before the image is bought. */
export interface PlannedName {
	/** Without an extension, which follows from the image's actual type. */
	stem: string;
	/**
	 * Whether a few characters of the purchase follow. The same image then always has the same name, and
	 * no other image has it. Otherwise the stem is numbered if it is in use.
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

// Bytes; leaves room for the suffix.
const LONGEST_SOURCE = 160;

/** The default name of an image made from a file: `photo-edited`. */
export function nameAfterFile(name: string, suffix: string): string {
	return `${safeStem(name, LONGEST_SOURCE)}-${suffix}`;
}

const MOST_WORDS = 8;
const MOST_CHARACTERS = 80;
/** With its mark it is within {@link LONGEST_SOURCE}, so an image made from this one keeps the mark in its name. */
const MOST_BYTES = 150;

/** Words that need a following one, so that a name does not end on them. */
const DANGLING = new Set(
	[
		'a an the this that these those my your his her its our their and or but with without of in on at',
		'by for from to into onto over under near beside behind between through as is are',
		'der die das den dem des ein eine einen einem einer eines und oder mit ohne von vom zu zum zur im',
		'am auf aus bei für über unter vor hinter neben zwischen durch ist sind',
		'le la les l un une du d et ou avec sans dans sur sous à au aux pour par en est sont',
		'el los las una unos unas y o con sin del al para por es sobre entre',
	].flatMap((words) => words.split(' ')),
);

/** The default name of an image made from a prompt, in any language: `a-red-fox`. */
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
	while (kept.length > 1 && isTooLong(kept.join('-'))) kept.pop();
	if (kept.length < words.length) {
		while (kept.length > 1 && DANGLING.has(kept.at(-1) ?? '')) kept.pop();
	}
	return safeStem(Array.from(kept.join('-')).slice(0, MOST_CHARACTERS).join(''), MOST_BYTES);
}

function isTooLong(name: string): boolean {
	return Array.from(name).length > MOST_CHARACTERS || Buffer.byteLength(name) > MOST_BYTES;
}
