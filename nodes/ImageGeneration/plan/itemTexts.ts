import { BadInput } from '../failures/failures';
import type { Field } from '../fields/field';
import { isBlank } from '../values/text';
import type { Item } from './item';
import { emptyText, missingParts, onlyWords } from './nothingFound';
import { assertValue, mayHaveMissingPart, mayHaveNoValue, noValue } from './noValue';
import {
	FilledTemplate,
	namesVariable,
	pathsIn,
	shownExpression,
	statesAlternative,
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

/** The templates of a node in a run, by what is written. */
const templatesOf = new WeakMap<object, Map<string, FilledTemplate>>();

/**
 * Checks the texts of an item against the way they are written, and notes which expressions found nothing. What
 * an expression returned is no template, whatever it contains: only what somebody typed is one.
 */
export class ItemTexts {
	/** The texts that expressions filled in so far, such as `'Prompt'`. */
	readonly fields: string[] = [];
	/** The expressions that found nothing in texts that have more, such as `{{ $json.color }} in 'Prompt'`. */
	readonly blanks: string[] = [];

	constructor(private readonly item: Pick<Item, 'context' | 'itemIndex' | 'node'>) {}

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
	 * @throws BadInput if n8n was to fill in the text and did not, if it has braces too many, if all its expressions
	 * found nothing, or if one found what is no value.
	 */
	check(given: ItemText): void {
		const { subject, written, value, isRequired } = given;
		if (typeof written !== 'string') return;
		if (!written.startsWith('=')) {
			assertFilledIn(subject, written);
			return;
		}
		const filled = this.filledTemplate(written.slice(1));
		const { template } = filled;
		if (template.codes.length === 0) return;
		const { codeBeforeStrayBraces: code } = filled;
		if (code !== undefined) throw strayBraces(subject, code);
		if (value === false && isRequired) throw noValue(subject, value);
		const text = textOf(value);
		if (text === undefined) return;
		this.fields.push(subject);
		this.assertValues(subject, template, text);
		if (filled.isOnlyWords(text) || this.hasOnlyTyped(filled, text)) {
			this.assertMeant(given, template.codes, text);
			return;
		}
		const blanks = filled
			.blankCandidates(text)
			.filter((code) => !statesAlternative(code) && foundNothing(this.evaluate(code)));
		this.blanks.push(...blanks.map((code) => `${shownExpression(code)} in ${subject}`));
	}

	/** @throws BadInput if a text, or what an expression inserted into it, is no value or has a part that is none. */
	private assertValues(subject: string, { words, codes }: Template, text: string): void {
		assertValue(subject, text);
		if (!mayHaveNoValue(text)) return;
		const isExpressionAlone = codes.length === 1 && words.join('').trim() === '';
		for (const code of codes) {
			const value = isExpressionAlone ? text : (textOf(this.evaluate(code)) ?? '');
			if (!isExpressionAlone) assertValue(`${shownExpression(code)} in ${subject}`, value);
			if (mayHaveMissingPart(value)) this.assertParts(subject, code, text);
		}
	}

	/**
	 * @param code One that returned a text with `undefined` or the like in it.
	 * @throws BadInput if that stands for values that the expression did not find.
	 */
	private assertParts(subject: string, code: string, text: string): void {
		const parts = pathsIn(code).map((path) => ({ path, value: this.evaluate(path) }));
		const missing = parts.filter(({ value }) => isMissing(value));
		const isOfValue = parts.some(({ value }) => !isMissing(value) && holdsMissingPart(value));
		if (missing.length === 0 || isOfValue) return;
		const paths = missing.map(({ path }) => path);
		throw missingParts(subject, text, paths, this.json);
	}

	/** Whether a text is only what was typed, also within its expressions, whose values are all empty. */
	private hasOnlyTyped(filled: FilledTemplate, text: string): boolean {
		if (!filled.isOnlyTyped(text)) return false;
		const paths = filled.template.codes.flatMap(pathsIn);
		return paths.length > 0 && paths.every((path) => foundNothing(this.evaluate(path)));
	}

	/**
	 * @param text One in which all expressions inserted nothing.
	 * @throws BadInput unless nothing may be meant.
	 */
	private assertMeant({ subject, isRequired }: ItemText, codes: readonly string[], text: string) {
		if (isBlank(text)) {
			if (isRequired) throw emptyText(subject, codes, this.json);
			return;
		}
		const refusal = onlyWords(subject, text, codes, this.json);
		if (refusal !== undefined) throw refusal;
	}

	private filledTemplate(written: string): FilledTemplate {
		const { node } = this.item;
		const templates = templatesOf.get(node) ?? new Map<string, FilledTemplate>();
		templatesOf.set(node, templates);
		const template = templates.get(written) ?? new FilledTemplate(templateIn(written));
		templates.set(written, template);
		return template;
	}

	/** What the item has. */
	private get json(): unknown {
		const { context, itemIndex } = this.item;
		return context.getInputData()[itemIndex]?.json;
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

/** n8n closes the braces of an expression once somebody pauses after `{{ ` or `{{$` (2.41.1 and 1.123.81). */
function strayBraces(subject: string, code: string): BadInput {
	return new BadInput(
		`${subject} has }} too many after ${shownExpression(code)}.`,
		'Remove them. n8n adds the closing braces by itself.',
	);
}

/** The text of what n8n inserts or returns; undefined if it is none, such as a list or a file. */
function textOf(value: unknown): string | undefined {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	return undefined;
}

/** Whether an expression found nothing, or only what nobody sees. n8n inserts empty lists and NaN as nothing as well. */
function foundNothing(value: unknown): boolean {
	if (isMissing(value)) return true;
	const text = Array.isArray(value) ? value.join() : textOf(value);
	return text !== undefined && isBlank(text);
}

/** Whether JavaScript has no value, for which it writes `undefined` or the like. */
function isMissing(value: unknown): boolean {
	return value === undefined || value === null || Number.isNaN(value);
}

/** Whether a value has `undefined` or the like in it by itself. */
function holdsMissingPart(value: unknown): boolean {
	try {
		// Of a function there is no JSON.
		const json: unknown = JSON.stringify(value);
		return typeof json === 'string' && mayHaveMissingPart(json);
	} catch {
		// What n8n returns may be a circle.
		return false;
	}
}
