import type { IDataObject } from 'n8n-workflow';

import { batched } from './batched';
import { namedTable, type CallingContext } from './namedTable';
import {
	SETTLED,
	type PurchaseRow,
	type PurchaseTable,
	type StoredRow,
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
	const rows = namedTable(context, wanted);

	/** Halves the ids if there are more rows than n8n returns, which n8n 1 takes in any order (1.123.81). */
	async function readAll(all: readonly Condition[]): Promise<StoredRow[]> {
		const page = await rows([{ ...step('get', all), limit: PAGE }]);
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
			const page = await rows([{ ...step('get', any, 'anyCondition'), limit: PAGE }]);
			if (page.length < PAGE) return page;
		}
		const part = Math.min(Math.ceil(any.length / 2), MOST_CONDITIONS);
		return [...(await readAny(any.slice(0, part))), ...(await readAny(any.slice(part)))];
	}

	/** Inserts rows, then does the last steps, which it asks for when it begins. */
	const write = batched(async (writes: Array<PurchaseRow | (() => IDataObject[])>) => {
		const inserted = writes.flatMap((each) => (typeof each === 'function' ? [] : [{ ...each }]));
		const steps = writes.flatMap((each) => (typeof each === 'function' ? each() : []));
		const columns = { mappingMode: 'autoMapInputData', value: {} };
		if (inserted.length > 0) steps.unshift({ operation: 'insert', columns });
		if (steps.length > 0) await rows(steps, inserted);
	});

	return {
		isShared: true,
		mostRows: Infinity,
		// Nobody waits for what was bought, and the next request follows soon.
		insert: async (row) => await write(row, row.state === 'bought' ? 0 : 1),
		read: async (which) => await readAll(conditionsFor(which)),
		find: async (column, values) => {
			const any = values.map((value) => [column, 'eq', value] as const);
			const found = any.length === 0 ? [] : await readAny(any);
			return found.sort((a, b) => a.id - b.id);
		},
		update: async (which, change) => await rows([update(conditionsFor(which), change)]),
		pass: async (read, change) => {
			if (read.length === 0) return [];
			const same = ['id', 'run'].map((name) => [name, 'eq', `={{ $json.${name} }}`] as const);
			const step = update([...same, ...conditionsFor({ notIn: SETTLED })], '={{ $json.change }}');
			const items = read.map((row) => ({ id: row.id, run: row.run, change: { ...change(row) } }));
			const runs = new Map((await rows([step], items)).map(({ id, run }) => [id, run]));
			return read.filter((row) => runs.get(row.id) === (change(row).run ?? row.run));
		},
		remove: batched(async (each: Which[]) => {
			const any = each.flatMap((which) => conditionsFor(which));
			while (any.length > 0)
				await rows([step('deleteRows', any.splice(0, MOST_CONDITIONS), 'anyCondition')]);
		}),
		close: async (run, state, isWhole) => {
			const steps = [
				step('deleteRows', conditionsFor({ run, state: 'sent' })),
				update(conditionsFor({ run, state: 'bought' }), { state }),
			];
			await write(() => (isWhole() ? steps : []), Infinity);
		},
	};
}

/** A column, how to compare it, and with what. */
type Condition = readonly [string, 'eq' | 'neq' | 'gt' | 'lte', string | number];

function conditionsFor({ notIn = [], ...values }: Which): Condition[] {
	const equal = Object.entries(values).map(([name, value]) => [name, 'eq', value] as Condition);
	return [...equal, ...notIn.map((state) => ['state', 'neq', state] as const)];
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
function update(all: readonly Condition[], value: Partial<PurchaseRow> | string): IDataObject {
	return { ...step('update', all), columns: { mappingMode: 'defineBelow', value } };
}
