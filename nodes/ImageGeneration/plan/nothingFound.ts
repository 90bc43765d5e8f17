import { BadInput } from '../failures/failures';
import { cut, listed, quote } from '../values/text';
import { missingStep } from './jsonPath';
import { pathsIn, shownExpression, statesAlternative } from './template';

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
 * @returns undefined if their author wrote what the text is then
 */
export function onlyWords(
	subject: string,
	text: string,
	codes: readonly string[],
	json: unknown,
): BadInput | undefined {
	const unplanned = codes.filter((code) => !statesAlternative(code));
	if (unplanned.length === 0) return undefined;
	const expressions = codes.length === 1 ? 'its expression' : 'its expressions';
	return new BadInput(
		`${subject} is only ${quote(onOneLine(text))}, because ${expressions} found nothing.`,
		adviceAbout(unplanned, json),
	);
}

/**
 * JavaScript wrote `undefined` or the like into a text for values that are missing.
 * @param paths Those of the values.
 */
export function missingParts(
	subject: string,
	text: string,
	paths: readonly string[],
	json: unknown,
): BadInput {
	return new BadInput(
		`${subject} is ${quote(onOneLine(text))}, because ${namesOf(paths)} found nothing.`,
		adviceAbout(paths, json),
	);
}

function onOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Says what to do about expressions that found nothing. */
function adviceAbout(codes: readonly string[], json: unknown): string {
	const missing = codes.flatMap((code) => {
		const steps = pathsIn(code).map((path) => missingStep(path, json));
		const step = steps.find((each) => each !== undefined);
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
