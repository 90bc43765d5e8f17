import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';

/** The whole numbers that a field allows. */
export interface Range {
	min: number;
	max: number;
	/** Such as `seconds`. */
	unit?: string;
}

/** @throws BadInput unless the value is one of `allowed`. */
export function oneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
	const found = allowed.find((candidate) => candidate === value);
	if (found !== undefined) return found;
	throw new BadInput(
		`'${field}' is ${quote(value)}. Allowed: ${allowed.map((value) => value || 'none').join(', ')}.`,
	);
}

/**
 * Returns text that is not blank. Numbers and booleans from expressions count as text.
 * @throws BadInput if it is empty, blank or not text.
 */
export function requiredText(field: string, value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value === 'string' && value.trim() !== '') return value;
	const isEmpty = typeof value === 'string' || value === undefined || value === null;
	throw new BadInput(
		isEmpty ? `'${field}' is empty.` : `'${field}' must be text, but is ${quote(value)}.`,
		isEmpty ? 'Fill it in for this item, or filter out empty items before this node.' : undefined,
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
		'Check the expression.',
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
	throw new BadInput(`'${field}' is ${quote(value)}. Allowed: ${what}${range}.`);
}

/** Converts a number, or text with a whole number; NaN for anything else. */
export function asNumber(value: unknown): number {
	if (typeof value === 'string' && /^\d{1,15}$/.test(value.trim())) return Number(value);
	return typeof value === 'number' ? value : NaN;
}
