import type { IDataObject } from 'n8n-workflow';

import { batched } from './batched';
import { namedTable, type CallingContext } from './namedTable';
import type { PurchaseRow, PurchaseTable, StoredRow, TableStep, Which } from './purchaseTable';
import { readRow, toCells } from './readRow';

/** Conditions in one call; SQLite allows 1,000, but each makes it slower. */
const MOST_CONDITIONS = 100;
/** Rows to return for a value of which there are few. */
const ENOUGH = 1000;

/** A column, how to compare it, and with what. */
type Condition = readonly [
	column: string,
	how: 'eq' | 'neq' | 'like' | 'isEmpty',
	value: string | number,
];

/**
 * Uses an n8n data table through n8n's own Data Table node, in a workflow that runs inside this
 * execution. The table's own interface is closed to other nodes (2.41.1). Rows that are inserted while a
 * call is under way go together as the next one.
 */
export function dataTable(context: CallingContext, wanted: string): PurchaseTable {
	const named = namedTable(context, wanted);
	const { name, run } = named;

	async function runRows(operation: IDataObject, items: IDataObject[]): Promise<StoredRow[]> {
		const rows = await run(operation, items);
		return rows.flatMap((row) => readRow(row) ?? []);
	}

	const insert = batched(async (rows: readonly PurchaseRow[]) => {
		const columns = { mappingMode: 'autoMapInputData', value: {} };
		return await runRows({ operation: 'insert', columns }, rows.map(toCells));
	});

	return {
		isShared: true,
		name,
		get id() {
			return named.id;
		},
		mostRows: Infinity,
		insert: async (row) => {
			const inserted = (await insert(row)).find(({ entry }) => entry === row.entry);
			if (inserted === undefined) throw new Error('n8n did not return the row that it added.');
			return inserted;
		},
		read: async (which) => {
			const conditions = conditionsFor(which);
			return await runRows({ ...where('get', conditions, 'allConditions'), returnAll: true }, [
				{ values: valuesOf(conditions) },
			]);
		},
		find: async (column, values, perValue = ENOUGH) => {
			const found = new Map<number, StoredRow>();
			let open = [...values];
			while (open.length > 0) {
				const part = open.slice(0, MOST_CONDITIONS);
				const conditions = part.map((value): Condition => [column, 'eq', value]);
				const limit = perValue * part.length;
				const latest = {
					orderBy: true,
					orderByColumn: 'id',
					orderByDirection: 'DESC',
					limit,
				};
				const operation = { ...where('get', conditions, 'anyCondition'), ...latest };
				const cells = await run(operation, [{ values: part }]);
				for (const row of cells.flatMap((each) => readRow(each) ?? [])) found.set(row.id, row);
				// If there are more, those of some values may have left no place for others.
				const isComplete = (value: string | number) =>
					cells.length < limit || cells.filter((each) => each[column] === value).length >= perValue;
				open = [...part.filter((value) => !isComplete(value)), ...open.slice(MOST_CONDITIONS)];
			}
			return [...found.values()].sort((a, b) => b.id - a.id);
		},
		change: async (steps) => {
			const changed: StoredRow[] = [];
			for (const alike of groupsOf(steps)) {
				const [first] = alike;
				const conditions = conditionsFor(first.which);
				const update = where('update', conditions, 'allConditions', fromItem);
				const columns = { mappingMode: 'defineBelow', value: '={{ $json.cells }}' };
				const items = alike.map(({ which, set }) => ({
					values: valuesOf(conditionsFor(which)),
					cells: toCells(set),
				}));
				changed.push(...(await runRows({ ...update, columns }, items)));
			}
			return changed;
		},
		remove: async (ids) => {
			for (let first = 0; first < ids.length; first += MOST_CONDITIONS) {
				const part = ids.slice(first, first + MOST_CONDITIONS);
				const conditions = part.map((id): Condition => ['id', 'eq', id]);
				await run(where('deleteRows', conditions, 'anyCondition'), [{ values: part }]);
			}
		},
	};
}

function conditionsFor({ notIn = [], process, ...values }: Which): Condition[] {
	const equal = Object.entries(values).map(
		([column, value]): Condition => [column, value === '' ? 'isEmpty' : 'eq', value],
	);
	const others = notIn.map((state): Condition => ['state', 'neq', state]);
	if (process === undefined) return [...equal, ...others];
	return [...equal, ...others, ['run', 'like', `${process}.%`]];
}

function valuesOf(conditions: readonly Condition[]): Array<string | number> {
	return conditions.map(([, , value]) => value);
}

/** The item's value of that number. */
function fromItem(_value: string | number, index: number): string {
	return `={{ $json.values[${index}] }}`;
}

/**
 * A value itself, which takes n8n much less time. n8n evaluates a parameter that begins with `=`, but not what an
 * expression returns (2.41.1), so no cell is ever code.
 */
function itself(value: string | number, index: number): string | number {
	const isCode = typeof value === 'string' && value.startsWith('=');
	return isCode ? fromItem(value, index) : value;
}

/**
 * Works on rows.
 * @param toCompare How a parameter says with what to compare.
 */
function where(
	operation: string,
	conditions: readonly Condition[],
	matchType: 'allConditions' | 'anyCondition',
	toCompare: (value: string | number, index: number) => string | number = itself,
): IDataObject {
	return {
		operation,
		matchType,
		filters: {
			conditions: conditions.map(([keyName, condition, value], index) => ({
				keyName,
				condition,
				keyValue: toCompare(value, index),
			})),
		},
	};
}

/** Steps in a row that compare and set the same columns go in one call. */
function groupsOf(steps: readonly TableStep[]): Array<[TableStep, ...TableStep[]]> {
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
	const compared = conditionsFor(which).map(([column, how]) => `${column} ${how}`);
	return [...compared, '→', ...Object.keys(set)].join(' ');
}
