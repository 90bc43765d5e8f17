import { asRecord } from '../values/asRecord';
import { cut, listed } from '../values/text';
import { shownExpression } from './template';

/** What advice on a text depends on. */
export interface TextCase {
	/** The expressions that it is about. */
	codes: readonly string[];
	/** What the item has. */
	json: unknown;
}

const FILTER = 'filter out items without a value before this node';

/** What a message on a text suggests. */
export const TEXT_ADVICE = {
	fixed: ({ codes, json }: TextCase) => {
		const field = fieldMeant(codes, json);
		const write = field === undefined ? '' : `, and write ${field}`;
		return `Switch the field from 'Fixed' to 'Expression'${write}. If the braces are meant, write single ones.`;
	},
	braces: () =>
		'Remove them, because n8n adds the closing braces by itself. If they are meant, put a space between them.',
	empty: (about: TextCase) => `${check(about)}, or ${FILTER}.`,
	'only words': (about: TextCase) =>
		`${check(about)}, or ${FILTER}. An expression that may find nothing says so: {{ $json.style ?? "" }}.`,
	missing: (about: TextCase) => `${check(about)}, or ${FILTER}.`,
	'not text': (about: TextCase) =>
		`${check(about)}, and choose a text in it, such as {{ $json.title }}.`,
	sheet: () => 'Correct the sheet, or filter out items with this value before this node.',
} satisfies Record<string, (about: TextCase) => string>;

/** Names of an item's fields, and expressions, that a message lists. */
const MOST_NAMES = 4;
/** Characters of a name in a message. */
const LONGEST_NAME = 40;

function check({ codes, json }: TextCase): string {
	const field = fieldMeant(codes, json);
	if (field !== undefined) return `Write ${field}`;
	if (codes.length === 0) return 'Fill it in';
	const expressions = listed(codes.map(shownExpression), '', MOST_NAMES);
	// Of another node's items the node knows nothing.
	if (!codes.some((code) => code.includes('$json'))) return `Check ${expressions}`;
	const names = Object.keys(asRecord(json)).map((name) => `'${cut(name, LONGEST_NAME)}'`);
	const fields = names.length === 0 ? 'no fields' : listed(names, '', MOST_NAMES);
	return `Check ${expressions} (the item has ${fields})`;
}

/** The expression for the field of the item that somebody wrote without `$json`: `{{ title }}`, `{{ 1.title }}`. */
function fieldMeant(codes: readonly string[], json: unknown): string | undefined {
	const [code = ''] = codes.filter((each) => !each.includes('$'));
	const name = code.slice(code.lastIndexOf('.') + 1);
	const isSame = (key: string) => key.trim().toLowerCase() === name.trim().toLowerCase();
	const key = Object.keys(asRecord(json)).find(isSame);
	if (key === undefined) return undefined;
	const step = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
	return `{{ $json${step} }}`;
}
