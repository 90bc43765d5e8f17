import { BadInput } from '../failures/failures';
import { cut, listed, quote } from '../values/text';
import { missingStep } from './jsonPath';
import { isPath, shownExpression } from './template';

/** Names of an item's fields, and expressions, that a message lists. */
const MOST_NAMES = 4;
/** Characters of a name in a message. */
const LONGEST_NAME = 40;

/**
 * A text that is nothing but expressions is empty.
 * @param codes The expressions.
 * @param json What the item has.
 */
export function emptyText(subject: string, codes: readonly string[], json: unknown): BadInput {
	return new BadInput(`${subject} is empty.`, adviceAbout(codes, json));
}

/**
 * All expressions of a text found nothing.
 * @returns undefined if their author decided what the text is then
 */
export function onlyWords(
	subject: string,
	text: string,
	codes: readonly string[],
	json: unknown,
): BadInput | undefined {
	const paths = codes.filter(isPath);
	if (paths.length === 0) return undefined;
	const words = quote(text.replace(/\s+/g, ' ').trim());
	const expressions = codes.length === 1 ? 'its expression' : 'its expressions';
	return new BadInput(
		`${subject} is only ${words}, because ${expressions} found nothing.`,
		adviceAbout(paths, json),
	);
}

/** Says what to do about expressions that found nothing. */
function adviceAbout(codes: readonly string[], json: unknown): string {
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

/** Expressions in a sentence. */
function namesOf(codes: readonly string[]): string {
	return listed(codes.map(shownExpression), '', MOST_NAMES);
}
