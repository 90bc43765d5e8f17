import { cut } from '../values/text';

/** A text of a parameter as it is written: words, and the expressions between them. */
export interface Template {
	/** One more than {@link codes}, before, between and after them. */
	words: string[];
	/** What stands between double braces. */
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
const PATH = new RegExp(
	String.raw`^\$${NAME.replace('+', '*')}(?:\((?:${QUOTED})\))?(?:\??\.${NAME}(?:\(\))?|(?:\?\.)?\[(?:\d+|${QUOTED})\])*$`,
	'u',
);

/**
 * Whether an expression only reads a value: a path, such as `$json.title` or `$("Form").item.json["My title"]`,
 * with calls that take no arguments, such as `.trim()`. Whoever writes more, such as a condition, `||`, `??` or
 * a call with arguments, decides what an empty value becomes, so nothing may be meant.
 */
export function isPath(code: string): boolean {
	return PATH.test(code.trim());
}

/** Characters of an expression in a message. */
const LONGEST = 80;

/** An expression as a message shows it: on one line, and not too long. */
export function shownExpression(code: string): string {
	return cut(`{{ ${code.replace(/\s+/g, ' ').trim()} }}`, LONGEST);
}

/**
 * The expressions that may have inserted nothing into a text that has more than the words: those whose words
 * stand together there. Looks at the text alone, because it takes n8n longer to evaluate an expression.
 */
export function blankCandidates({ words, codes }: Template, text: string): string[] {
	if (codes.length < 2) return [];
	const around = words.map(withoutSpaces);
	const whole = withoutSpaces(text);
	return codes.filter((_code, index) => {
		const together = `${around[index] ?? ''}${around[index + 1] ?? ''}`;
		if (index > 0 && index < codes.length - 1) return whole.includes(together);
		const isFirst = index === 0;
		if (together !== '') return isFirst ? whole.startsWith(together) : whole.endsWith(together);
		// Only spaces are around it, or nothing at all, which tells nothing.
		const spaces = `${words[index] ?? ''}${words[index + 1] ?? ''}`;
		const edge = isFirst ? text.slice(0, 1) : text.slice(-1);
		return spaces === '' || edge.trim() === '';
	});
}

/** Whether all expressions of a template inserted nothing, or only spaces. */
export function isOnlyWords({ words }: Template, text: string): boolean {
	const plain = words.join('');
	if (plain.trim() === '') return text.trim() === '';
	return withoutSpaces(text) === withoutSpaces(plain);
}

/** Also without backslashes, of which n8n makes one of two. */
function withoutSpaces(text: string): string {
	return text.replace(/[\s\\]+/g, '');
}
