import { BadInput } from '../failures/failures';
import { isBlank, quote } from '../values/text';

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

/** A value that can be chosen, and the name that the panel shows. */
export interface Choice<T extends string = string> {
	value: T;
	name: string;
}

/**
 * Finds a choice by its value or by its name, because people write sheets: `Super Genius` and `SUPER-GENIUS`
 * are `super_genius`.
 */
export function findChoice<T extends string>(
	value: unknown,
	choices: ReadonlyArray<Choice<T>>,
): T | undefined {
	if (typeof value !== 'string') return undefined;
	const exact = choices.find((choice) => choice.value === value);
	const written = simplified(value);
	const found =
		exact ??
		choices.find(
			({ value: own, name }) => simplified(own) === written || simplified(name) === written,
		);
	return found?.value;
}

function simplified(text: string): string {
	return text.toLowerCase().replace(/[\s_-]+/g, '');
}

/** @throws BadInput unless the value is one of the choices. */
export function oneOf<T extends string>(
	field: string,
	value: unknown,
	choices: ReadonlyArray<Choice<T>>,
): T {
	const found = findChoice(value, choices);
	if (found !== undefined) return found;
	const allowed = choices.map((choice) => choice.value || 'none').join(', ');
	throw notAllowed(`'${field}'`, value, allowed);
}

/**
 * Returns text that is not blank. Numbers from expressions count as text.
 * @throws BadInput if it is empty, blank or not text.
 */
export function requiredText(field: string, value: unknown): string {
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string' && !isBlank(value)) return value;
	if (typeof value !== 'string' && value !== undefined && value !== null) {
		throw new BadInput(`'${field}' must be text, but is ${quote(value)}.`, CHOOSE_TEXT);
	}
	throw new BadInput(
		`'${field}' is empty.`,
		'Fill it in for this item, or filter out empty items before this node.',
	);
}

/**
 * Returns text that can describe an image.
 * @throws BadInput if it has no letter or digit, such as a lone emoji, or if it is only a command of a chat: `/start`.
 */
export function requiredPrompt(field: string, value: unknown): string {
	const prompt = requiredText(field, value);
	if (!/[\p{L}\p{N}]/u.test(prompt)) {
		throw new BadInput(
			`'${field}' is ${quote(prompt)}, which has no letter or digit.`,
			'Describe the image in words, or filter out such items before this node.',
		);
	}
	if (/^\/\S+$/.test(prompt.trim())) {
		throw new BadInput(
			`'${field}' is ${quote(prompt)}, which is a command of a chat.`,
			'Describe the image in words, or filter out commands before this node.',
		);
	}
	return prompt;
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
