import { asRecord } from '../values/asRecord';

/** Steps of a path: a name after a dot, or a quoted name or a number in brackets. */
const STEP = /\??\.([\p{L}\p{N}_$]+)(\()?|\[(?:(\d+)|"([^"]*)"|'([^']*)')\]/gu;

/** Where a path into an item's JSON ends too early. */
export interface MissingStep {
	/** The object without the next step, as an expression names it; empty for the item itself. */
	of: string;
	/** The names that it has, those most like the missing one first. */
	names: string[];
}

/** Finds the name that a path such as `$json.name` misses; undefined if it is there, or can't be told. */
export function missingStep(code: string, json: unknown): MissingStep | undefined {
	const [root = '', rest = ''] = splitAt(code.trim(), '$json'.length);
	if (root !== '$json') return undefined;
	let value = json;
	let end = 0;
	for (const step of rest.matchAll(STEP)) {
		const [, name, call, ...others] = step as Array<string | undefined>;
		const key = name ?? others.find((each) => each !== undefined) ?? '';
		if (call !== undefined || typeof value !== 'object' || value === null) return undefined;
		if (!Object.hasOwn(value, key)) {
			const names = Array.isArray(value) ? [] : Object.keys(value);
			return { of: end === 0 ? '' : root + rest.slice(0, end), names: likeFirst(names, key) };
		}
		value = asRecord(value)[key];
		end = step.index + step[0].length;
	}
	return undefined;
}

function splitAt(text: string, index: number): [string, string] {
	return [text.slice(0, index), text.slice(index)];
}

/** The longest names that are compared: the time grows with their square. */
const LONGEST = 50;

function likeFirst(names: readonly string[], wanted: string): string[] {
	const ranked = names.map((name) => ({ name, steps: distance(name, wanted) }));
	return ranked.sort((a, b) => a.steps - b.steps).map(({ name }) => name);
}

/** How many characters to add, remove or replace to make one name of another, in any case. */
function distance(one: string, other: string): number {
	const letters = (name: string) => Array.from(name.slice(0, LONGEST).toLowerCase());
	const [a, b] = [letters(one), letters(other)];
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (const [index, letter] of a.entries()) {
		const next = [index + 1];
		for (const [column, wanted] of b.entries()) {
			const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
			next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
