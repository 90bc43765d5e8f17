import { cut, escapedForPattern, isBlank } from '../values/text';

/** A text of a parameter as it is written: words, and the expressions between them. */
export interface Template {
	/** One more than {@link codes}, before, between and after them. */
	words: string[];
	/** The code between double braces. */
	codes: string[];
}

/** Splits a text as n8n does: an expression without its closing braces goes on to the end. */
export function templateIn(text: string): Template {
	const [first = '', ...parts] = text.split('{{');
	const template: Template = { words: [first], codes: [] };
	for (const part of parts) {
		const end = part.indexOf('}}');
		template.codes.push(end < 0 ? part : part.slice(0, end));
		template.words.push(end < 0 ? '' : part.slice(end + 2));
	}
	return template;
}

/** Whether code is meant for n8n: it names a variable, such as `$json`. A price has a dollar sign as well. */
export function namesVariable(code: string): boolean {
	return /\$[a-z_(]/i.test(code);
}

const NAME = String.raw`[\p{L}\p{N}_$]+`;
const QUOTED = String.raw`"[^"]*"|'[^']*'`;
/** Keeps a name from ending early, and from being that of a function that is called with arguments. */
const NAME_ENDS = String.raw`(?![\p{L}\p{N}_$(])`;
const PATH = new RegExp(
	String.raw`\$(?=[\p{L}_(])(?:${NAME})?(?:\((?:${QUOTED})\))?${NAME_ENDS}` +
		String.raw`(?:\??\.${NAME}(?:\(\)|${NAME_ENDS})|(?:\?\.)?\[(?:\d+|${QUOTED})\])*`,
	'gu',
);

/**
 * The paths in an expression that read a value, such as `$json.title` or `$("Form").item.json["My title"]`, with
 * calls that take no arguments, such as `.trim()`.
 */
export function pathsIn(code: string): string[] {
	return [...new Set(code.match(PATH))];
}

/** What an author writes for a value that may be missing: a text, or nothing. */
const LITERAL = String.raw`(?:"[^"]*"|'[^']*'|\`[^\`]*\`|null\b|undefined\b)`;
/** `$json.style || "plain"` and `$json.style ?? ""`. */
const DEFAULT = new RegExp(String.raw`(?:\?\?|\|\|)\s*${LITERAL}`);
/** `$json.style ? "in style" : ""`, but not `$json.style?.name`. */
const CONDITION = /(?<!\?)\?(?![.?])/;
const BRANCH = new RegExp(String.raw`\?\s*${LITERAL}\s*:|:\s*${LITERAL}`);
/** `$if($json.style, "in style", "")` and `$ifEmpty($json.style, "plain")`. */
const IF = /\$if(?:Empty)?\(/;
const ARGUMENT = new RegExp(String.raw`,\s*${LITERAL}\s*[,)]`);

/**
 * Whether the author of an expression wrote a text for the case that a value is missing, possibly an empty one.
 * Another value is no such text, because it may be missing as well.
 */
export function statesAlternative(code: string): boolean {
	return (
		DEFAULT.test(code) ||
		(CONDITION.test(code) && BRANCH.test(code)) ||
		(IF.test(code) && ARGUMENT.test(code))
	);
}

/** The text that an expression adds to its values, as in `"A photo of " + $json.title`; empty if it adds none. */
function typedText(code: string): string {
	if (!/\+|\$\{/.test(code)) return '';
	const texts = code.replace(PATH, '').matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/g);
	const typed = Array.from(texts, ([, ...text]) => text.join('')).join('');
	// Line breaks, and what is inserted between backticks. A missing brace must not cost quadratic time.
	return typed.replace(/\\[nrt]|\$\{[^}]*\}?/g, '');
}

/** Characters of an expression in a message. */
const LONGEST = 80;

/** An expression as a message shows it: on one line, and not too long. */
export function shownExpression(code: string): string {
	return cut(`{{ ${code.replace(/\s+/g, ' ').trim()} }}`, LONGEST);
}

/**
 * Tells by a text alone what may be missing in it, because it takes n8n longer to evaluate an expression. Made
 * once for all items, because the template is the same.
 */
export class FilledTemplate {
	/** The code behind which stand closing braces that belong to no expression, and to no JSON either. */
	readonly codeBeforeStrayBraces: string | undefined;

	readonly #words: string;
	readonly #typed: string;
	readonly #together: RegExp[];

	constructor(readonly template: Template) {
		const { words, codes } = template;
		const typed = words.map((word, index) => word + typedText(codes[index] ?? ''));
		const allWords = words.join('');
		const isUnbalanced = allWords.split('}').length > allWords.split('{').length;
		this.codeBeforeStrayBraces = isUnbalanced
			? codes.find((_code, index) => words[index + 1]?.includes('}}'))
			: undefined;
		this.#words = withoutSpaces(allWords);
		this.#typed = withoutSpaces(typed.join(''));
		this.#together = codes.map((_code, index) => wordsTogether(words, index));
	}

	/** Whether all expressions inserted nothing, or only spaces. */
	isOnlyWords(text: string): boolean {
		return isSame(this.#words, text);
	}

	/** Whether all values in the expressions may have been empty, so that the text is only what was typed. */
	isOnlyTyped(text: string): boolean {
		return this.#typed !== this.#words && isSame(this.#typed, text);
	}

	/**
	 * The expressions that may have inserted nothing into a text that has more than the words: those whose words
	 * stand together there.
	 */
	blankCandidates(text: string): string[] {
		const { codes } = this.template;
		if (codes.length < 2) return [];
		const whole = comparable(text);
		return codes.filter((_code, index) => this.#together[index]?.test(whole));
	}
}

/** Finds the words around an expression with nothing between them but their own spaces, or more. */
function wordsTogether(words: readonly string[], index: number): RegExp {
	const [before = '', after = ''] = words.slice(index, index + 2).map(comparable);
	const [start, end] = [before.trimEnd(), after.trimStart()];
	const spaces = before.length - start.length + after.length - end.length;
	const isFirst = index === 0;
	const isLast = index === words.length - 2;
	return new RegExp(
		(isFirst ? '^' : '') +
			// Without the lookbehind, many spaces in a row would cost quadratic time.
			`${escapedForPattern(start)}(?<!\\s)\\s{${spaces},}${escapedForPattern(end)}` +
			(isLast ? '$' : ''),
	);
}

/** @param words Without spaces. */
function isSame(words: string, text: string): boolean {
	return words === '' ? isBlank(text) : withoutSpaces(text) === words;
}

function withoutSpaces(text: string): string {
	return comparable(text).replace(/\s+/g, '');
}

/** A text without what nobody sees, and without backslashes, because n8n makes one of two. */
function comparable(text: string): string {
	return text.replace(/[\\\p{Default_Ignorable_Code_Point}]+/gu, '');
}
