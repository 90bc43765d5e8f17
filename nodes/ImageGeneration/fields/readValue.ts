import { BadInput } from '../failures/failures';
import { quote } from '../failures/text';

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

/** One line of text, trimmed. A list or an object counts as empty. */
export function lineOfText(_field: string, value: unknown): string {
	return typeof value === 'object' ? '' : String(value as unknown).trim();
}

/** Converts a number, or text with a whole number; NaN for anything else. */
export function asNumber(value: unknown): number {
	if (typeof value === 'string' && /^\d{1,15}$/.test(value.trim())) return Number(value);
	return typeof value === 'number' ? value : NaN;
}
