import type { IDataObject } from 'n8n-workflow';

import { batched } from './batched';
import { namedTable, type CallingContext } from './namedTable';
import {
	asRead,
	ofRun,
	type Condition,
	type PurchaseRow,
	type PurchaseTable,
	type StoredRow,
} from './purchaseTable';

/** Rows in one call. n8n refuses a second page if the table has changed meanwhile. */
const PAGE = 1000;
/** Conditions in one call; SQLite allows 1,000, but each makes it slower. */
const MOST_CONDITIONS = 100;

const GET = { operation: 'get', limit: PAGE };

/**
 * Uses an n8n data table through n8n's own Data Table node, in a workflow that runs inside this
 * execution. The table's own interface is closed to other nodes (2.40.3, 1.123.81). Writes that meet go
 * as one.
 * @param wanted Its name, or its id. n8n 1 knows tables by their id only.
 */
export function dataTable(context: CallingContext, wanted: string): PurchaseTable {
	const rows = namedTable(context, wanted);

	/** Halves the ids if there are more rows than n8n returns, which n8n 1 takes in any order (1.123.81). */
	async function readAll(all: Conditions, after = 0, last?: number): Promise<StoredRow[]> {
		const within: Conditions = [
			['id', 'gt', after],
			...(last === undefined ? [] : [['id', 'lte', last] as const]),
		];
		const page = await rows([{ ...GET, ...conditions([...all, ...within]) }]);
		page.sort((a, b) => a.id - b.id);
		const middle = page[PAGE / 2]?.id;
		if (page.length < PAGE || middle === undefined) return page;
		return [...(await readAll(all, after, middle)), ...(await readAll(all, middle, last))];
	}

	/** Reads in parts if there are too many conditions, or more rows than n8n returns. */
	async function readAny(any: readonly Condition[]): Promise<StoredRow[]> {
		if (any.length === 1) return await readAll(any);
		if (any.length <= MOST_CONDITIONS) {
			const page = await rows([{ ...GET, ...conditions(any, 'anyCondition') }]);
			if (page.length < PAGE) return page;
		}
		const part = Math.min(Math.ceil(any.length / 2), MOST_CONDITIONS);
		return [...(await readAny(any.slice(0, part))), ...(await readAny(any.slice(part)))];
	}

	const write = batched(
		async (writes: Array<{ row?: PurchaseRow; last?: () => IDataObject[] }>) => {
			const inserted = writes.flatMap(({ row }) => (row === undefined ? [] : [{ ...row }]));
			const steps = writes.flatMap(({ last }) => last?.() ?? []);
			const columns = { mappingMode: 'autoMapInputData', value: {} };
			if (inserted.length > 0) steps.unshift({ operation: 'insert', columns });
			if (steps.length > 0) await rows(steps, inserted);
		},
	);

	return {
		isShared: true,
		mostRows: Infinity,
		// Nobody waits for what was bought, and the next request follows soon.
		insert: async (row) => await write({ row }, row.state === 'bought' ? 0 : 1),
		read: async (all) => await readAll(all),
		find: async (column, values) => {
			const any = values.map((value) => [column, 'eq', value] as const);
			const found = any.length === 0 ? [] : await readAny(any);
			return found.sort((a, b) => a.id - b.id);
		},
		update: async (all, change) => await rows([{ ...update(change), ...conditions(all) }]),
		pass: async (read, change) => {
			if (read.length === 0) return [];
			const each = conditions(asRead({ id: '={{ $json.id }}', run: '={{ $json.run }}' }));
			const items = read.map((row) => ({ id: row.id, run: row.run, change: { ...change(row) } }));
			const changed = await rows([{ ...update('={{ $json.change }}'), ...each }], items);
			const runs = new Map(changed.map(({ id, run }) => [id, run]));
			return read.filter((row) => runs.get(row.id) === (change(row).run ?? row.run));
		},
		remove: batched(async (any: Condition[]) => {
			while (any.length > 0) {
				const part = conditions(any.splice(0, MOST_CONDITIONS), 'anyCondition');
				await rows([{ operation: 'deleteRows', ...part }]);
			}
		}),
		close: async (run, state, isWhole) => {
			const steps = [
				{ operation: 'deleteRows', ...conditions(ofRun(run, 'sent')) },
				{ ...update({ state }), ...conditions(ofRun(run, 'bought')) },
			];
			await write({ last: () => (isWhole() ? steps : []) }, Infinity);
		},
	};
}

/** Conditions of which only a data table knows some. */
type Conditions = ReadonlyArray<Condition | readonly ['id', 'gt' | 'lte', number]>;

/** Which rows. n8n evaluates values that begin with `=`, which come from this folder's code alone. */
function conditions(list: Conditions, matchType = 'allConditions'): IDataObject {
	const named = list.map(([keyName, condition, keyValue]) => ({ keyName, condition, keyValue }));
	return { matchType, filters: { conditions: named } };
}

/** @param value What rows become, or an expression for it. */
function update(value: Partial<PurchaseRow> | string): IDataObject {
	return { operation: 'update', columns: { mappingMode: 'defineBelow', value } };
}
