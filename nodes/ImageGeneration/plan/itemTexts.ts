import { BadInput } from '../failures/failures';
import type { Field } from '../fields/field';
import type { Item } from './item';
import { emptyText, onlyWords } from './nothingFound';
import { assertValue, mayHaveNoValue } from './noValue';
import {
	blankCandidates,
	isOnlyWords,
	isPath,
	namesVariable,
	shownExpression,
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
	check(given: ItemText): void {
		const { subject, written, value } = given;
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
			this.assertMeant(given, template.codes, text);
			return;
		}
		const blanks = blankCandidates(template, text).filter(
			(code) => isPath(code) && isBlank(this.evaluate(code)),
		);
		this.blanks.push(...blanks.map((code) => `${shownExpression(code)} in ${subject}`));
	}

	/** @throws BadInput if a text, or what an expression inserted into it, is no value. */
	private assertValues(subject: string, { words, codes }: Template, text: string): void {
		assertValue(subject, text);
		const isExpressionAlone = codes.length === 1 && words.join('').trim() === '';
		if (isExpressionAlone || !mayHaveNoValue(text)) return;
		for (const code of codes) {
			const value = textOf(this.evaluate(code)) ?? '';
			assertValue(`${shownExpression(code)} in ${subject}`, value);
		}
	}

	/**
	 * @param text One in which all expressions inserted nothing.
	 * @throws BadInput unless nothing may be meant.
	 */
	private assertMeant({ subject, isRequired }: ItemText, codes: readonly string[], text: string) {
		const { context, itemIndex } = this.item;
		const json = context.getInputData()[itemIndex]?.json;
		if (text.trim() === '') {
			if (isRequired) throw emptyText(subject, codes, json);
			return;
		}
		const refusal = onlyWords(subject, text, codes, json);
		if (refusal !== undefined) throw refusal;
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
		`${subject} contains ${shownExpression(code)} as plain text, so n8n does not fill it in.`,
		"Switch the field from 'Fixed' to 'Expression'.",
	);
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
