import { BadInput } from '../failures/failures';
import { cut, listed, quote } from '../failures/text';
import type { Field } from '../fields/field';
import type { Item } from './item';
import { missingStep } from './jsonPath';
import { assertValue, mayHaveNoValue } from './noValue';
import {
	blankCandidates,
	expressionOf,
	isOnlyWords,
	isPath,
	namesVariable,
	templateIn,
	type Template,
} from './template';

/** A text of an item that an expression may fill in. */
export interface ItemText {
	/** The subject of messages, such as `'Prompt'`. */
	subject: string;
	/** As the parameter has it; undefined if it has none, so that n8n takes the default. */
	written: unknown;
	/** As n8n has evaluated it. */
	value: unknown;
	/** Whether an empty text is invalid. */
	isRequired: boolean;
}

/** Names of an item's fields that a message lists. */
const MOST_NAMES = 4;
/** Characters of a name, and of an expression, in a message. */
const LONGEST_NAME = 40;
const LONGEST_CODE = 80;

/**
 * Checks the texts of an item against the way they are written, and notes which expressions found nothing. What
 * an expression returned is no template, whatever it contains: only what somebody typed is one.
 */
export class ItemTexts {
	/** The texts that expressions filled in so far, such as `'Prompt'`. */
	readonly fields: string[] = [];
	/** The expressions that found nothing in texts that have more, such as `{{ $json.color }} in 'Prompt'`. */
	readonly blanks: string[] = [];

	constructor(private readonly item: Pick<Item, 'context' | 'itemIndex'>) {}

	/**
	 * Checks the value of a field if it is text.
	 * @returns the value
	 */
	read(
		{ type, displayName, required }: Field['property'],
		written: unknown,
		value: unknown,
	): unknown {
		if (type === 'string') {
			this.check({
				subject: `'${displayName}'`,
				written,
				value,
				isRequired: required === true,
			});
		}
		return value;
	}

	/**
	 * @throws BadInput if n8n was to fill in the text and did not, if all its expressions found nothing, or if
	 * one found what is no value.
	 */
	check({ subject, written, value, isRequired }: ItemText): void {
		if (typeof written !== 'string') return;
		if (!written.startsWith('=')) {
			assertFilledIn(subject, written);
			return;
		}
		const template = templateIn(written.slice(1));
		const text = textOf(value);
		if (template.codes.length === 0 || text === undefined) return;
		this.fields.push(subject);
		this.assertValues(subject, template, text);
		if (isOnlyWords(template, text)) {
			this.assertMeant(subject, template, text, isRequired);
			return;
		}
		const blanks = blankCandidates(template, text).filter(
			(code) => isPath(code) && isBlank(this.evaluate(code)),
		);
		this.blanks.push(...blanks.map((code) => `${shown(code)} in ${subject}`));
	}

	private assertValues(subject: string, { codes }: Template, text: string): void {
		if (!mayHaveNoValue(text)) return;
		assertValue(subject, text);
		for (const code of codes) {
			const value = textOf(this.evaluate(code)) ?? '';
			assertValue(`${shown(code)} in ${subject}`, value);
		}
	}

	/** @param text One in which all expressions inserted nothing. */
	private assertMeant(
		subject: string,
		{ codes }: Template,
		text: string,
		isRequired: boolean,
	): void {
		if (text.trim() === '') {
			if (isRequired) throw new BadInput(`${subject} is empty.`, this.adviceAbout(codes));
			return;
		}
		const paths = codes.filter(isPath);
		if (paths.length === 0) return;
		const found = codes.length === 1 ? 'its expression' : 'its expressions';
		throw new BadInput(
			`${subject} is only ${quote(text.replace(/\s+/g, ' ').trim())}, because ${found} found nothing.`,
			this.adviceAbout(paths),
		);
	}

	/** Says what to do about expressions that found nothing. */
	private adviceAbout(codes: readonly string[]): string {
		const { context, itemIndex } = this.item;
		const json = context.getInputData()[itemIndex]?.json;
		const missing = codes.flatMap((code) => {
			const step = missingStep(code, json);
			return step === undefined ? [] : { code, step };
		});
		const [first] = missing;
		if (first === undefined) {
			return `Fill it in for this item, in which ${namesOf(codes)} found nothing, or filter out empty items before this node. An expression that may find nothing says so: {{ $json.style ?? "" }}.`;
		}
		const expressions = namesOf(missing.map(({ code }) => code));
		const { of, names } = first.step;
		const owner = of === '' ? 'the item' : of;
		if (names.length === 0) {
			return `Filter out empty items before this node: ${expressions} found nothing, because ${owner} has no fields.`;
		}
		const fields = names.map((name) => `'${cut(name, LONGEST_NAME)}'`);
		return `Correct ${expressions}, which found nothing: ${owner} has ${listed(fields, '', MOST_NAMES)}. Or filter out items without it before this node.`;
	}

	/** The value of an expression, or no text if n8n can't evaluate it by itself. */
	private evaluate(code: string): unknown {
		const { context, itemIndex } = this.item;
		try {
			return context.evaluateExpression(`{{${code}}}`, itemIndex);
		} catch {
			return {};
		}
	}
}

/** @throws BadInput if a text that n8n takes as it is holds an expression. */
function assertFilledIn(subject: string, written: string): void {
	if (!written.includes('{{')) return;
	const code = templateIn(written).codes.find(namesVariable);
	if (code === undefined) return;
	throw new BadInput(
		`${subject} contains ${shown(code)} as plain text, so n8n does not fill it in.`,
		"Switch the field from 'Fixed' to 'Expression'.",
	);
}

/** Expressions in a sentence. */
function namesOf(codes: readonly string[]): string {
	return listed(codes.map(shown), '', MOST_NAMES);
}

function shown(code: string): string {
	return cut(expressionOf(code), LONGEST_CODE);
}

/** The text of what n8n inserts or returns; undefined if it is none, such as a list or a file. */
function textOf(value: unknown): string | undefined {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	return undefined;
}

/** Whether an expression found nothing, or only spaces. An empty list is inserted as nothing as well. */
function isBlank(value: unknown): boolean {
	const text = Array.isArray(value) ? value.join() : textOf(value);
	return text?.trim() === '';
}
