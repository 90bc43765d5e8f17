import type { IDataObject } from 'n8n-workflow';

import { batched } from './batched';
import { conditions, update, type CallingContext, type Conditions } from './inlineWorkflow';
import { namedTable } from './namedTable';
import {
	asRead,
	type Condition,
	type Filter,
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
		const page = await rows([{ ...GET, ...conditions({ all: [...all, ...within] }) }]);
		page.sort((a, b) => a.id - b.id);
		const middle = page[PAGE / 2]?.id;
		if (page.length < PAGE || middle === undefined) return page;
		return [...(await readAll(all, after, middle)), ...(await readAll(all, middle, last))];
	}

	/** Halves the conditions if there are more rows than n8n returns. */
	async function readAny(any: readonly Condition[]): Promise<StoredRow[]> {
		if (any.length === 1) return await readAll(any);
		const page = await rows([{ ...GET, ...conditions({ any }) }]);
		if (page.length < PAGE) return page;
		const half = Math.ceil(any.length / 2);
		return [...(await readAny(any.slice(0, half))), ...(await readAny(any.slice(half)))];
	}

	/** Calls once for each hundred conditions. */
	async function inParts(
		any: readonly Condition[],
		call: (part: readonly Condition[]) => Promise<StoredRow[]>,
	): Promise<StoredRow[]> {
		const results: StoredRow[] = [];
		for (let first = 0; first < any.length; first += MOST_CONDITIONS) {
			results.push(...(await call(any.slice(first, first + MOST_CONDITIONS))));
		}
		return results;
	}

	const pass = batched(async (changes: IDataObject[]) => {
		const of = (column: string) => `={{ $json.row.${column} }}`;
		const all = asRead({ id: of('id'), run: of('run') });
		return await rows([{ ...update('={{ $json.change }}'), ...conditions({ all }) }], changes);
	});

	const write = batched(
		async (writes: Array<{ row?: PurchaseRow; last?: () => IDataObject[] }>) => {
			const inserted = writes.flatMap(({ row }) => (row === undefined ? [] : [{ ...row }]));
			const steps = writes.flatMap(({ last }) => last?.() ?? []);
			const columns = { mappingMode: 'autoMapInputData', value: {} };
			if (inserted.length > 0) steps.unshift({ operation: 'insert', columns });
			await rows(steps, inserted);
		},
	);

	return {
		isShared: true,
		mostRows: Infinity,
		// Nobody waits for what was bought, and the next request follows soon.
		insert: async (row) => await write({ row }, row.state === 'bought' ? 0 : 1),
		read: async (filter) => {
			if ('all' in filter) return await readAll(filter.all);
			return (await inParts(filter.any, readAny)).sort((a, b) => a.id - b.id);
		},
		update: async (filter, change) => {
			const set = async (which: Filter) =>
				await rows([{ ...update(change), ...conditions(which) }]);
			if ('all' in filter) return await set(filter);
			return await inParts(filter.any, async (any) => await set({ any }));
		},
		pass: async (row, change) => {
			const passed = await pass({ row: { ...row }, change: { ...change } });
			return passed.some(({ id, run }) => id === row.id && run === (change.run ?? row.run));
		},
		remove: batched(async (any: Condition[]) => {
			const remove = { operation: 'deleteRows' };
			await inParts(any, async (part) => await rows([{ ...remove, ...conditions({ any: part }) }]));
		}),
		close: async (run, state, isWhole) => {
			const of = (its: string) =>
				conditions({ all: [['run', 'eq', run] as const, ['state', 'eq', its] as const] });
			const steps = [
				{ operation: 'deleteRows', ...of('sent') },
				{ ...update({ state }), ...of('bought') },
			];
			await write({ last: () => (isWhole() ? steps : []) }, Infinity);
		},
	};
}
