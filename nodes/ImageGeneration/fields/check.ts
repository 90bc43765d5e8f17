import { BadInput } from '../failures/failures';
import { quote } from '../failures/quote';

/** @throws BadInput unless the value is one of `allowed`. */
export function oneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
	const found = allowed.find((candidate) => candidate === value);
	if (found !== undefined) return found;
	throw new BadInput(
		`${field} is ${quote(value)}. Allowed: ${allowed.map((value) => value || 'none').join(', ')}.`,
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
		isEmpty ? `${field} is empty.` : `${field} is ${quote(value)}, which is no text.`,
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

/** @throws BadInput unless the value is a whole number from `min` to `max`. */
export function wholeNumber(
	field: string,
	value: unknown,
	{ min, max, unit = '' }: { min: number; max: number; unit?: string },
): number {
	const number = asNumber(value);
	if (Number.isInteger(number) && number >= min && number <= max) return number;
	const what = unit === '' ? 'a whole number' : `a whole number of ${unit}`;
	throw new BadInput(`${field} is ${quote(value)}. Allowed: ${what} from ${min} to ${max}.`);
}

/** A number, or the whole number that a text is; NaN for anything else. */
export function asNumber(value: unknown): number {
	if (typeof value === 'string' && /^\d+$/.test(value.trim())) return Number(value);
	return typeof value === 'number' ? value : NaN;
}
