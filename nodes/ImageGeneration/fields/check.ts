import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';

/** A whole number that a field takes; said once for the panel and for the check. */
export interface Range {
	min: number;
	max: number;
	/** What is counted, such as `seconds`. */
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
 * Text that says something; numbers and booleans of an expression count as text.
 * @throws BadInput when it is empty, only spaces, or no text at all.
 */
export function requiredText(field: string, value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value === 'string' && value.trim() !== '') return value;
	const isEmpty = typeof value === 'string' || value === undefined || value === null;
	throw new BadInput(
		isEmpty ? `'${field}' is empty.` : `'${field}' must be text, but is ${quote(value)}.`,
	);
}

/** What an expression leaves in a text where a value was missing. */
const SLIPS = ['undefined', 'null', 'NaN'];

/**
 * Text that describes an image.
 * @throws BadInput when it is no text, or surely not the text that was meant.
 */
export function promptText(field: string, value: unknown): string {
	const text = Number.isNaN(value) ? 'NaN' : requiredText(field, value);
	if (!SLIPS.includes(text.trim()) && !text.includes('[object Object]')) return text;
	throw new BadInput(
		`'${field}' is ${quote(text)}. An expression found no value there, or one that is not text.`,
		'Check the expression.',
	);
}

/**
 * A switch; the text of an expression that says true or false will do.
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

/** A number, or the whole number that a text is; NaN for anything else. */
export function asNumber(value: unknown): number {
	if (typeof value === 'string' && /^\d{1,15}$/.test(value.trim())) return Number(value);
	return typeof value === 'number' ? value : NaN;
}
