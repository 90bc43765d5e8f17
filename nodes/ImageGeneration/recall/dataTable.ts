import type { IDataObject } from 'n8n-workflow';

import { settle, unwrap } from '../failures/outcome';
import { batched } from './batched';
import { conditions, runInline, update, type CallingContext, type Step } from './inlineWorkflow';
import {
	asRead,
	COLUMNS,
	type Condition,
	type Filter,
	type PurchaseRow,
	type PurchaseTable,
	type StoredRow,
	unusableLog,
} from './purchaseTable';

/** Rows in one call. n8n refuses a second page if the table has changed meanwhile. */
const PAGE = 1000;
/** Conditions in one call; SQLite allows 1,000, but each makes it slower. */
const MOST_CONDITIONS = 100;

/** Ids of tables by workflow and name. */
const knownIds = new Map<string, string>();

/**
 * Uses an n8n data table through n8n's own Data Table node, in a workflow that runs inside this
 * execution. The table's own interface is closed to other nodes (2.40.3, 1.123.81). Writes that meet go
 * as one.
 * @param wanted Its name, or its id. n8n 1 knows tables by their id only.
 */
export function dataTable(
	context: CallingContext,
	wanted: string,
	isVersion2: boolean,
): PurchaseTable {
	const key = JSON.stringify([context.getWorkflow().id, wanted]);
	let tableId: Promise<string> | undefined;
	let wasReached = false;

	const call = async (steps: Step[], items: IDataObject[] = []) =>
		await runInline(context, steps, { isVersion2, items });

	/** n8n's filter finds every name that contains this one (2.40.3). */
	async function listed(): Promise<IDataObject | undefined> {
		const options = { filterName: wanted };
		const list: Step = { resource: 'table', operation: 'list', returnAll: true, options };
		return (await call([list])).find(({ id, name }) => [id, name].includes(wanted));
	}

	async function idOf(): Promise<string> {
		const known = isVersion2 ? knownIds.get(key) : wanted;
		if (known !== undefined) return known;
		const columns = { column: COLUMNS.map((name) => ({ name, type: 'string' })) };
		const create: Step = { resource: 'table', operation: 'create', tableName: wanted, columns };
		const named = await listed();
		// Another run may be faster.
		const made = named === undefined ? await settle(call([create])) : { value: [named] };
		const found = 'value' in made ? made.value[0] : await listed();
		const id = (found ?? unwrap(made)[0])?.id as string;
		knownIds.set(key, id);
		return id;
	}

	async function callRows(steps: IDataObject[], items: IDataObject[] = []): Promise<StoredRow[]> {
		tableId ??= idOf();
		const dataTableId = { __rl: true, mode: 'id', value: await tableId };
		const complete = steps.map(
			(step): Step => ({ ...(step as Step), resource: 'row', dataTableId }),
		);
		const rows = await call(complete, items);
		// n8n 1 returns dates as objects.
		return JSON.parse(JSON.stringify(rows)) as StoredRow[];
	}

	async function rows(steps: IDataObject[], items?: IDataObject[]): Promise<StoredRow[]> {
		let outcome = await settle(callRows(steps, items));
		if ('failure' in outcome && !wasReached && isVersion2) {
			// It may have been deleted since an earlier run.
			if (knownIds.delete(key)) tableId = undefined;
			outcome = await settle(callRows(steps, items));
		}
		if ('failure' in outcome) throw unusableLog(wanted, outcome.failure, isVersion2);
		wasReached = true;
		return outcome.value;
	}

	/** One call for each hundred conditions. */
	async function eachPart(filter: Filter, step: IDataObject): Promise<StoredRow[]> {
		if ('all' in filter) return await rows([{ ...step, ...conditions(filter) }]);
		const results: StoredRow[] = [];
		for (let first = 0; first < filter.any.length; first += MOST_CONDITIONS) {
			const any = filter.any.slice(first, first + MOST_CONDITIONS);
			results.push(...(await rows([{ ...step, ...conditions({ any }) }])));
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
		// Nobody waits for what was bought, and the next request follows soon.
		insert: async (row) => await write({ row }, row.state === 'bought' ? 0 : 1),
		read: async (filter) => {
			const get = { operation: 'get', limit: PAGE };
			if ('any' in filter) return await eachPart(filter, get);
			const results: StoredRow[] = [];
			for (;;) {
				const after = ['id', 'gt', results.at(-1)?.id ?? 0] as const;
				const page = await rows([{ ...get, ...conditions({ all: [...filter.all, after] }) }]);
				results.push(...page);
				if (page.length < PAGE) return results;
			}
		},
		update: async (filter, change) => await eachPart(filter, update(change)),
		pass: async (row, change) => {
			const passed = await pass({ row: { ...row }, change: { ...change } });
			return passed.some(({ id, run }) => id === row.id && run === (change.run ?? row.run));
		},
		remove: batched(async (any: Condition[]) => {
			await eachPart({ any }, { operation: 'deleteRows' });
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
