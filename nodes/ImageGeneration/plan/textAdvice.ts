import { asRecord } from '../values/asRecord';
import { cut, listed } from '../values/text';
import { shownExpression } from './template';

/** Names of an item's fields, and expressions, that a message lists. */
const MOST_NAMES = 4;
/** Characters of a name in a message. */
const LONGEST_NAME = 40;

/** What to do about a text without a value. @param json what the item has */
export function fillIn(codes: readonly string[], json: unknown): string {
	return `${check(codes, json)}, or filter out items without a value before this node.`;
}

function check(codes: readonly string[], json: unknown): string {
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
export function fieldMeant(codes: readonly string[], json: unknown): string | undefined {
	const [code = ''] = codes.filter((each) => !each.includes('$'));
	const name = code.slice(code.lastIndexOf('.') + 1);
	const isSame = (key: string) => key.trim().toLowerCase() === name.trim().toLowerCase();
	const key = Object.keys(asRecord(json)).find(isSame);
	if (key === undefined) return undefined;
	const step = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
	return `{{ $json${step} }}`;
}
