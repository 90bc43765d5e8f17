import type { IDataObject } from 'n8n-workflow';

import type { Cells, Column } from './cells';

/** A column, how to compare it, and with what. An empty text stands for an empty cell. */
export type Condition = readonly [
	column: Column | 'id',
	how: 'eq' | 'neq' | 'gte',
	value: string | number,
];

/** Changes the rows that meet all conditions. */
export interface TableStep {
	which: readonly Condition[];
	set: Cells;
}

/**
 * A condition on a value itself, which takes n8n much less time than an expression. n8n evaluates a parameter that begins
 * with `=`, but not what an expression returns (2.41.1), so no cell is ever code.
 */
export function literal(condition: Condition, index: number) {
	const [, , value] = condition;
	const isCode = typeof value === 'string' && value.startsWith('=');
	return isCode ? fromItem(condition, index) : comparison(condition, value);
}

/** A condition on the item's value of that number. */
function fromItem(condition: Condition, index: number) {
	return comparison(condition, `={{ $json.values[${index}] }}`);
}

function comparison([keyName, how, value]: Condition, keyValue: string | number) {
	const condition = value === '' ? 'isEmpty' : how;
	return { keyName, condition, keyValue };
}

/** The operation for steps that compare and set the same columns, and an item for each of them. */
export function updateOf(alike: [TableStep, ...TableStep[]]): [IDataObject, IDataObject[]] {
	const operation = {
		operation: 'update',
		matchType: 'allConditions',
		filters: { conditions: alike[0].which.map(fromItem) },
		columns: { mappingMode: 'defineBelow', value: '={{ $json.cells }}' },
	};
	const items = alike.map(({ which, set }) => ({
		values: which.map(([, , value]) => value),
		cells: set,
	}));
	return [operation, items];
}

/** Steps in a row that compare and set the same columns go in one call. */
export function groupsOf(steps: readonly TableStep[]): Array<[TableStep, ...TableStep[]]> {
	const runs: Array<[TableStep, ...TableStep[]]> = [];
	let last = '';
	for (const step of steps) {
		const shape = shapeOf(step);
		if (shape === last) runs.at(-1)?.push(step);
		else runs.push([step]);
		last = shape;
	}
	return runs;
}

function shapeOf({ which, set }: TableStep): string {
	const compared = which.map(([column, how, value]) => `${column} ${value === '' ? 'empty' : how}`);
	return [...compared, '→', ...Object.keys(set)].join(' ');
}
