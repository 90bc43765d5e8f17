import type { IDataObject } from 'n8n-workflow';

import { batched } from './batched';
import { namedTable, type CallingContext } from './namedTable';
import {
	outcomeColumns,
	type PurchaseRow,
	type PurchaseTable,
	type StoredRow,
	type TableStep,
	type Which,
} from './purchaseTable';

/** Rows in one call. n8n refuses a second page if the table has changed meanwhile. */
const PAGE = 1000;
/** Conditions in one call; SQLite allows 1,000, but each makes it slower. */
const MOST_CONDITIONS = 100;

/**
 * Uses an n8n data table through n8n's own Data Table node, in a workflow that runs inside this
 * execution. The table's own interface is closed to other nodes (2.40.3, 1.123.81). Writes that meet go
 * as one.
 * @param wanted Its name, or its id. n8n 1 knows tables by their id only.
 */
export function dataTable(context: CallingContext, wanted: string): PurchaseTable {
	const { name, run } = namedTable(context, wanted);

	/** Halves the ids if there are more rows than n8n returns, which n8n 1 takes in any order (1.123.81). */
	async function readAll(all: readonly Condition[]): Promise<StoredRow[]> {
		const page = await run([{ ...step('get', all), limit: PAGE }]);
		page.sort((a, b) => a.id - b.id);
		const middle = page[PAGE / 2]?.id;
		if (page.length < PAGE || middle === undefined) return page;
		const lower = await readAll([...all, ['id', 'lte', middle]]);
		const others = all.filter(([, how]) => how !== 'gt');
		return [...lower, ...(await readAll([...others, ['id', 'gt', middle]]))];
	}

	/** Reads in parts if there are too many conditions, or more rows than n8n returns. */
	async function readAny(any: readonly Condition[]): Promise<StoredRow[]> {
		if (any.length === 1) return await readAll(any);
		if (any.length <= MOST_CONDITIONS) {
			const page = await run([{ ...step('get', any, 'anyCondition'), limit: PAGE }]);
			if (page.length < PAGE) return page;
		}
		const part = Math.min(Math.ceil(any.length / 2), MOST_CONDITIONS);
		return [...(await readAny(any.slice(0, part))), ...(await readAny(any.slice(part)))];
	}

	/** Makes each of the updates; all of them name the same columns. */
	async function updateEach(updates: readonly RowUpdate[]): Promise<StoredRow[]> {
		const [first] = updates;
		if (first === undefined) return [];
		// n8n takes the values from each item.
		const conditions = conditionsFor(first.which).map(
			([name, how], index): Condition => [name, how, `={{ $json.values[${index}] }}`],
		);
		const items = updates.map(({ which, set }) => ({
			values: conditionsFor(which).map(([, , value]) => value),
			set: { ...set },
		}));
		return await run([{ ...step('update', conditions), ...setTo('={{ $json.set }}') }], items);
	}

	const insert = batched(async (rows: readonly PurchaseRow[]) => {
		const columns = { mappingMode: 'autoMapInputData', value: {} };
		await run(
			[{ operation: 'insert', columns }],
			rows.map((row) => ({ ...row })),
		);
	});

	const save = batched(async (updates: readonly RowUpdate[]) => {
		const saved = await updateEach(updates);
		return new Set(saved.map(({ entry }) => entry));
	});

	const remove = batched(async (entries: readonly string[]) => {
		const any = entries.map((entry): Condition => ['entry', 'eq', entry]);
		while (any.length > 0) {
			await run([step('deleteRows', any.splice(0, MOST_CONDITIONS), 'anyCondition')]);
		}
	});

	return {
		isShared: true,
		name,
		mostRows: Infinity,
		insert,
		save: async (row, isNews) => {
			const { entry, run: owner } = row;
			const saved = await save({ which: { entry, run: owner }, set: outcomeColumns(row, isNews) });
			return saved.has(entry);
		},
		read: async (which) => await readAll(conditionsFor(which)),
		find: async (column, values) => {
			const any = values.map((value): Condition => [column, 'eq', value]);
			const found = any.length === 0 ? [] : await readAny(any);
			return found.sort((a, b) => a.id - b.id);
		},
		change: async (steps) => (steps.length === 0 ? [] : await run(steps.map(toNode))),
		changeEach: async (rows, which, change) => {
			const changed = await updateEach(
				rows.map((row) => ({ which: which(row), set: change(row) })),
			);
			const byId = new Map(changed.map((row) => [row.id, row]));
			// n8n also returns a row that another update was faster to change; its values tell (2.40.3).
			return rows.flatMap((row) => {
				const now = byId.get(row.id);
				return now !== undefined && hasValues(now, change(row)) ? [now] : [];
			});
		},
		remove,
	};
}

/** Which row to update, and the values to set. */
interface RowUpdate {
	which: Which;
	set: Partial<PurchaseRow>;
}

/** A column, how to compare it, and with what. */
type Condition = readonly [string, 'eq' | 'neq' | 'gt' | 'lte', string | number];

function conditionsFor({ notIn = [], ...values }: Which): Condition[] {
	const equal = Object.entries(values).map(([name, value]) => [name, 'eq', value] as Condition);
	return [...equal, ...notIn.map((state): Condition => ['state', 'neq', state])];
}

function toNode(each: TableStep): IDataObject {
	const conditions = conditionsFor(each.which);
	if ('remove' in each) return step('deleteRows', conditions);
	return { ...step('update', conditions), ...setTo({ ...each.set }) };
}

/** Works on rows. n8n evaluates values that begin with `=`, which come from this folder's code alone. */
function step(operation: string, which: readonly Condition[], matchType = 'allConditions') {
	const conditions = which.map(([keyName, condition, keyValue]) => ({
		keyName,
		condition,
		keyValue,
	}));
	return { operation, matchType, filters: { conditions } };
}

/** @param value What the rows become, or an expression for it. */
function setTo(value: IDataObject | string): IDataObject {
	return { columns: { mappingMode: 'defineBelow', value } };
}

function hasValues(row: StoredRow, values: Partial<PurchaseRow>): boolean {
	const wanted = Object.entries(values) as Array<[keyof PurchaseRow, string]>;
	return wanted.every(([column, value]) => row[column] === value);
}
