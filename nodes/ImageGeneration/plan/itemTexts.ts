import { BadInput } from '../failures/failures';
import type { Field } from '../fields/field';
import { isBlank, quote } from '../values/text';
import type { Item } from './item';
import {
	isOnlyTyped,
	mayHaveBlank,
	parseTemplate,
	shownExpression,
	statesAlternative,
	type Template,
} from './template';
import { fieldMeant, fillIn } from './textAdvice';

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

/** Longer texts are not looked at: they have a value, such as an image in base64. */
const LONGEST = 100_000;

/** What JavaScript writes for an object, also in a list. */
const OBJECT = /\[object Object\]/g;

/** What JavaScript writes for a value that is missing or no text, also when it joins texts. */
const JOINED = new RegExp(
	String.raw`\b(?:undefined|null|NaN|Invalid Date(?:Time)?)\b|${OBJECT.source}`,
	'g',
);

/** What a sheet shows for a formula without a result, in any language: `#REF!`, `#NAME?`, `#¡VALOR!`, `#N/A`. */
const SHEET_ERROR = /#(?:[¡¿]?\p{Lu}[^\s\p{Ll}]{0,20}[!?]|N\/\p{Lu})/u;

/** What counts as no value. */
const NO_VALUE = new RegExp(`${JOINED.source}|${SHEET_ERROR.source}`, 'u');

/** Code that may put a value into a text, as in `"A photo of " + $json.title`, so that JavaScript writes what is missing. */
const JOINS_TEXTS = /[+`]|\.(?:concat|replace|replaceAll)\s*\(/;

/**
 * Checks the texts of an item against the way they are written, and notes which expressions found nothing. What
 * an expression returned is no template, whatever it contains: only what somebody typed is one.
 */
export class ItemTexts {
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

	/** @throws BadInput if n8n did not fill in the text, if it has no words but the typed ones, or if it is no value. */
	check({ subject, written, value, isRequired }: ItemText): void {
		if (typeof written !== 'string') return;
		const text = textOf(value);
		if (!written.startsWith('=')) {
			this.assertFilledIn(subject, written);
			if (text !== undefined) this.assertValue(subject, text, []);
			return;
		}
		const template = parseTemplate(written.slice(1));
		assertNoBraces(subject, template);
		if (template.codes.length === 0 || text === undefined || text.length > LONGEST) return;
		this.assertValue(subject, text, template.codes);
		if (isOnlyTyped(template, text)) this.assertMeant(subject, template, text, isRequired);
		else this.checkInsertions(subject, template, text);
	}

	/** @throws BadInput if a text that n8n takes as it is holds an expression. */
	private assertFilledIn(subject: string, written: string): void {
		const start = written.indexOf('{{');
		const end = written.indexOf('}}', start);
		if (start < 0 || end < 0) return;
		const code = written.slice(start + 2, end);
		const field = fieldMeant([code], this.json);
		const write = field === undefined ? '' : `, and write ${field}`;
		throw new BadInput(
			`${subject} contains ${shownExpression(code)} as plain text, so n8n does not fill it in.`,
			`Switch the field from 'Fixed' to 'Expression'${write}. If the braces are meant, write single ones.`,
		);
	}

	/** @throws BadInput if a text is what counts as no value. */
	private assertValue(subject: string, text: string, codes: readonly string[]): void {
		if (text.length > LONGEST || !isNoValue(text)) return;
		throw new BadInput(
			`${subject} is ${quote(text.trim())}, which is no value.`,
			fillIn(codes, this.json),
		);
	}

	/**
	 * @param text One in which all expressions inserted nothing.
	 * @throws BadInput unless nothing may be meant.
	 */
	private assertMeant(subject: string, { codes }: Template, text: string, isRequired: boolean) {
		if (isBlank(text)) {
			if (!isRequired) return;
			throw new BadInput(`${subject} is empty.`, fillIn(codes, this.json));
		}
		const unplanned = codes.filter((code) => !statesAlternative(code));
		if (unplanned.length === 0) return;
		const expressions = codes.length === 1 ? 'its expression' : 'its expressions';
		throw new BadInput(
			`${subject} is only ${quote(text.replace(/\s+/g, ' ').trim())}, because ${expressions} found nothing.`,
			`${fillIn(unplanned, this.json)} An expression that may find nothing says so: {{ $json.style ?? "" }}.`,
		);
	}

	/**
	 * Checks what each expression inserted into a text, and notes those that inserted nothing.
	 * @throws BadInput if one inserted what counts as no value, or joined it with a text.
	 */
	private checkInsertions(subject: string, template: Template, text: string): void {
		const { words, codes } = template;
		const isAlone = codes.length === 1 && isBlank(words.join(''));
		const mayMiss = codes.length > 1 && mayHaveBlank(template, text);
		if (!mayMiss && !NO_VALUE.test(text)) return;
		for (const code of codes) {
			const inserted = isAlone ? text : this.inserted(code);
			if (inserted === undefined) continue;
			const place = `${shownExpression(code)} in ${subject}`;
			this.assertValue(place, inserted, [code]);
			this.assertNoneWithin(place, inserted, code);
			if (isBlank(inserted) && !statesAlternative(code)) this.blanks.push(place);
		}
	}

	/** @throws BadInput if an expression put into a text what counts as no value, which is not in the item's data. */
	private assertNoneWithin(place: string, inserted: string, code: string): void {
		const missing = inserted.match(JOINS_TEXTS.test(code) ? JOINED : OBJECT);
		const found = [...new Set(missing)].find((each) => !this.dataContains(each));
		if (found === undefined) return;
		throw new BadInput(
			`${place} is ${quote(inserted)}, where ${quote(found)} is no value.`,
			fillIn([code], this.json),
		);
	}

	private dataContains(text: string): boolean {
		// Without null, which the item does not say.
		const data = JSON.stringify(this.json ?? {}, (_name, value: unknown) => value ?? '');
		return data.includes(text);
	}

	/** What the item has. */
	private get json(): unknown {
		const { context, itemIndex } = this.item;
		return context.getInputData()[itemIndex]?.json;
	}

	/** What n8n inserts for an expression; undefined if it can't evaluate it by itself. */
	private inserted(code: string): string | undefined {
		const { context, itemIndex } = this.item;
		try {
			const value: unknown = context.evaluateExpression(`{{${code}}}`, itemIndex);
			// n8n inserts NaN as nothing (2.41.1).
			const isNothing = value === undefined || value === null || Number.isNaN(value);
			return isNothing ? '' : String(value as unknown);
		} catch {
			return undefined;
		}
	}
}

/** Whether a text is nothing but what counts as no value. */
function isNoValue(text: string): boolean {
	return NO_VALUE.exec(text)?.[0] === text.trim();
}

/** @throws BadInput if double braces stand among the words. n8n adds closing ones by itself (2.41.1, 1.123.81). */
function assertNoBraces(subject: string, { words, codes }: Template): void {
	const index = words.findIndex((word) => word.includes('}}'));
	if (index < 0) return;
	const after = index === 0 ? '' : ` after ${shownExpression(codes[index - 1] ?? '')}`;
	throw new BadInput(
		`${subject} has }} too many${after}.`,
		'Remove them, because n8n adds the closing braces by itself. If they are meant, put a space between them.',
	);
}

/** The text of what n8n returned; undefined if it is none, such as a list or a file. */
function textOf(value: unknown): string | undefined {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	return undefined;
}
