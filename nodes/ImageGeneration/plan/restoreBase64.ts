import { BadInput } from '../failures/failures';
import { EndFinder } from '../images/imageEnd';
import { imageType } from '../images/imageType';

/** How much a cell holds, in characters. A longer text is cut there. */
const CELL_LIMITS: Array<[characters: number, where: string]> = [
	[32_767, 'a cell of Excel'],
	[50_000, 'a cell of Google Sheets'],
	[65_535, 'a TEXT column of MySQL'],
	[100_000, 'a cell of Airtable'],
];

/**
 * An image's base64 as it was before it was wrapped into lines, or before a form made spaces of its plus
 * signs.
 * @param length Characters of the whole text in the field.
 * @throws BadInput if its end is missing, or if it is unclear what it was.
 */
export function restoreBase64(field: string, written: string, length: number): string {
	const lines = written.split(/[\r\n]+/).map((line) => line.trim());
	const text = lines.join('');
	if (hasLostPlusSigns(text)) {
		const restored = text.replaceAll(' ', '+');
		if (endsWithImage(restored)) return restored;
		throw lostPlusSigns(field);
	}
	const joined = text.replace(/\s+/g, '');
	if (isCutOff(joined, length)) throw cutOff(field, length);
	return joined;
}

/** Whether base64 that no form, sheet or model handed over may be damaged all the same, as in a Code node. */
export function mayBeDamaged(text: string): boolean {
	return text.includes(' ') || fullCell(text.length) !== undefined;
}

/** Where text of this length fills a cell, so that it was probably cut there; undefined if it fills none. */
function fullCell(length: number): string | undefined {
	return CELL_LIMITS.find(([characters]) => characters === length)?.[1];
}

/** Some types mark no end: what fills a cell is cut off, unless padding shows that it is whole. */
function isCutOff(base64: string, length: number): boolean {
	const end = endOf(base64);
	if (end === 'unknown') return fullCell(length) !== undefined && !base64.endsWith('=');
	return end === 'missing';
}

/**
 * Whether spaces stand in base64 that has no plus signs: a form that is decoded turns all of them into spaces.
 * Spaces that divide it into parts of equal length are the line ends of somebody who wrapped it.
 */
function hasLostPlusSigns(text: string): boolean {
	return text.includes(' ') && !/[+_-]/.test(text) && !isRegular(text.split(/\s+/));
}

/** Whether the parts are as long as each other, but for the last one. Two may be so by chance. */
function isRegular(parts: string[]): boolean {
	const [first = '', ...others] = parts;
	const last = others.pop() ?? '';
	return (
		others.length > 0 &&
		others.every(({ length }) => length === first.length) &&
		last.length <= first.length
	);
}

/**
 * Whether base64 ends where its image does. With a wrong character in between, the image would seem to end
 * elsewhere, if at all.
 */
function endsWithImage(base64: string): boolean {
	return endOf(base64) === 'found' && endOf(base64.slice(0, -8)) === 'missing';
}

/** Whether the end of an image is there. */
function endOf(base64: string): 'found' | 'missing' | 'unknown' {
	const bytes = Buffer.from(base64, 'base64');
	const findEnd = imageType(bytes, undefined)?.findEnd;
	if (findEnd === undefined) return 'unknown';
	const finder = new EndFinder(findEnd);
	finder.take(bytes);
	return finder.isFound ? 'found' : 'missing';
}

function lostPlusSigns(field: string): BadInput {
	return new BadInput(
		`The image in base64 in '${field}' has spaces where plus signs were, and it is unclear where.`,
		'Forms (x-www-form-urlencoded) turn plus signs into spaces: send each as %2B, or send the image as JSON or as a file.',
	);
}

function cutOff(field: string, length: number): BadInput {
	const cell = fullCell(length);
	const reason = cell === undefined ? '' : `, which is all that ${cell} holds`;
	return new BadInput(
		`The image in base64 in '${field}' is cut off: its end is missing after ${length.toLocaleString('en')} characters${reason}.`,
		'Use a file or a link instead. A cell holds at most 32,767 characters in Excel, 50,000 in Google Sheets and 100,000 in Airtable.',
	);
}
