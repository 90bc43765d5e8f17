import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';

/** The whole numbers that a field allows. */
export interface Range {
	min: number;
	max: number;
	/** Such as `seconds`. */
	unit?: string;
}

const CHANGE_IT = 'Change it to an allowed value, in the field or in its expression.';
/** For a value that is not text. */
export const CHOOSE_TEXT = 'Let the expression return one text, such as {{ $json.title }}.';

/** A value is not among those that a field allows. */
export function notAllowed(
	subject: string,
	value: unknown,
	allowed: string,
	advice = CHANGE_IT,
): BadInput {
	return new BadInput(`${subject} is ${quote(value)}. Allowed: ${allowed}.`, advice);
}

/** @throws BadInput unless the value is one of `allowed`. */
export function oneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
	const found = allowed.find((candidate) => candidate === value);
	if (found !== undefined) return found;
	throw notAllowed(`'${field}'`, value, allowed.map((each) => each || 'none').join(', '));
}

/**
 * Returns text that is not blank. Numbers and booleans from expressions count as text.
 * @throws BadInput if it is empty, blank or not text.
 */
export function requiredText(field: string, value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value === 'string' && value.trim() !== '') return value;
	if (typeof value !== 'string' && value !== undefined && value !== null) {
		throw new BadInput(`'${field}' must be text, but is ${quote(value)}.`, CHOOSE_TEXT);
	}
	throw new BadInput(
		`'${field}' is empty.`,
		'Fill it in for this item, or filter out empty items before this node.',
	);
}

/** What an expression inserts into text for a missing value. */
const MISSING_VALUES = ['undefined', 'null', 'NaN'];

/**
 * Returns text that describes an image.
 * @throws BadInput if it is not text, or shows that an expression found no value.
 */
export function promptText(field: string, value: unknown): string {
	const text = Number.isNaN(value) ? 'NaN' : requiredText(field, value);
	if (!MISSING_VALUES.includes(text.trim()) && !text.includes('[object Object]')) return text;
	throw new BadInput(
		`'${field}' is ${quote(text)}. An expression found no value there, or one that is not text.`,
		'Check the names in the expression, or filter out items without this value before this node.',
	);
}

/**
 * Returns a boolean; an expression may also return the text `true` or `false`.
 * @throws BadInput for anything else.
 */
export function trueOrFalse(field: string, value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	return oneOf(field, value, ['true', 'false']) === 'true';
}

/** @throws BadInput unless the value is a whole number in the range. */
export function wholeNumber(field: string, value: unknown, { min, max, unit }: Range): number {
	const number = asNumber(value);
	if (Number.isInteger(number) && number >= min && number <= max) return number;
	const what = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
	const range = max === Infinity ? `, ${min} or more` : ` from ${min} to ${max}`;
	throw notAllowed(`'${field}'`, value, what + range);
}

/** Converts a number, or text with a whole number; NaN for anything else. */
export function asNumber(value: unknown): number {
	if (typeof value === 'string' && /^\d{1,15}$/.test(value.trim())) return Number(value);
	return typeof value === 'number' ? value : NaN;
}
