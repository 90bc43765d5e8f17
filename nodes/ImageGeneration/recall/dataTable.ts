import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { settle, unwrap } from '../failures/outcome';
import { conditions, inlineWorkflow, set, type Step } from './inlineWorkflow';
import type { Filter, LogTable, StoredRow } from './logTable';
import { COLUMNS, unusableLog } from './unusableLog';

/** Rows in one call. n8n refuses a second page if the table has changed meanwhile. */
const PAGE = 1000;
/** Conditions in one call; SQLite allows 1,000, but each makes it slower. */
const MOST_CONDITIONS = 100;
/** Milliseconds for which this process remembers a table's id. */
const ID_AGE = 60_000;

const knownIds = new Map<string, { id: string; at: number }>();

type Context = Pick<IExecuteFunctions, 'executeWorkflow' | 'getExecutionId' | 'getWorkflow'>;

/**
 * Uses an n8n data table through n8n's own Data Table node, in a workflow that runs inside this
 * execution. The table's own interface is closed to other nodes (2.40.3, 1.123.81).
 * @param wanted Its name, or its id. n8n 1 knows tables by their id only.
 */
export function dataTable(context: Context, wanted: string, isVersion2: boolean): LogTable {
	const workflowId = context.getWorkflow().id;
	let tableId: Promise<string> | undefined;

	async function call(steps: Step[], items: IDataObject[] = [{}]): Promise<IDataObject[]> {
		const { data } = await context.executeWorkflow(
			{ code: inlineWorkflow(steps) },
			items.map((json) => ({ json })),
			undefined,
			{ parentExecution: { executionId: context.getExecutionId(), workflowId: workflowId ?? '' } },
		);
		const [output] = data;
		return (output ?? []).map(({ json }) => json).filter(({ id }) => id !== undefined);
	}

	/** n8n's filter finds every name that contains this one (2.40.3). */
	async function listed(): Promise<IDataObject | undefined> {
		const options = { filterName: wanted };
		const list: Step = { resource: 'table', operation: 'list', returnAll: true, options };
		return (await call([list])).find(({ id, name }) => [id, name].includes(wanted));
	}

	async function idOf(): Promise<string> {
		const key = JSON.stringify([workflowId, wanted]);
		const known = knownIds.get(key);
		if (!isVersion2) return wanted;
		if (known !== undefined && Date.now() - known.at < ID_AGE) return known.id;
		const column = COLUMNS.map((name) => ({ name, type: 'string' }));
		const create: Step = {
			...{ resource: 'table', operation: 'create', tableName: wanted, columns: { column } },
		};
		const named = await listed();
		// Another run may be faster.
		const made = named === undefined ? await settle(call([create])) : { value: [named] };
		const found = 'value' in made ? made.value[0] : await listed();
		const id = (found ?? unwrap(made)[0])?.id as string;
		knownIds.set(key, { id, at: Date.now() });
		return id;
	}

	async function rows(
		operation: string,
		parameters: IDataObject,
		items?: IDataObject[],
		next: Array<Omit<Step, 'resource'>> = [],
	): Promise<StoredRow[]> {
		const outcome = await settle(
			(async () => {
				tableId ??= idOf();
				const dataTableId = { __rl: true, mode: 'id', value: await tableId };
				const steps = [{ operation, ...parameters }, ...next];
				const shared = { resource: 'row', dataTableId } as const;
				return await call(
					steps.map((step) => ({ ...shared, ...(step as Step) })),
					items,
				);
			})(),
		);
		if ('failure' in outcome) throw unusableLog(wanted, outcome.failure, isVersion2);
		// n8n 1 returns dates as objects.
		return JSON.parse(JSON.stringify(unwrap(outcome))) as StoredRow[];
	}

	/** One call for each hundred conditions. */
	async function eachPart(filter: Filter, use: (parameters: IDataObject) => Promise<StoredRow[]>) {
		if ('all' in filter) return await use(conditions(filter));
		const results: StoredRow[] = [];
		for (let first = 0; first < filter.any.length; first += MOST_CONDITIONS) {
			const any = filter.any.slice(first, first + MOST_CONDITIONS);
			results.push(...(await use(conditions({ any }))));
		}
		return results;
	}

	return {
		insert: async (inserted) => {
			const columns = { mappingMode: 'autoMapInputData', value: {} };
			const items = inserted.map((row) => ({ ...row }));
			await rows('insert', { columns }, items);
		},
		read: async (filter) => {
			if ('any' in filter)
				return await eachPart(
					filter,
					async (where) => await rows('get', { ...where, limit: PAGE }),
				);
			const results: StoredRow[] = [];
			for (;;) {
				const after = ['id', 'gt', results.at(-1)?.id ?? 0] as const;
				const where = conditions({ all: [...filter.all, after] });
				const page = await rows('get', { ...where, limit: PAGE });
				results.push(...page);
				if (page.length < PAGE) return results;
			}
		},
		update: async (filter, change) => {
			await eachPart(filter, async (where) => await rows('update', { ...where, ...set(change) }));
		},
		pass: async (changes) => {
			const where = conditions({
				all: (['id', 'run', 'state'] as const).map((name) => [
					name,
					'eq',
					`={{ $json.row.${name} }}`,
				]),
			});
			const columns = { mappingMode: 'defineBelow', value: '={{ $json.change }}' };
			const items = changes.map(([row, change]) => ({ row: { ...row }, change: { ...change } }));
			return await rows('update', { ...where, columns }, items);
		},
		remove: async (filter) => {
			await eachPart(filter, async (where) => await rows('deleteRows', where));
		},
		close: async (run, change) => {
			const of = (state: string) =>
				conditions({
					all: [
						['run', 'eq', run],
						['state', 'eq', state],
					],
				});
			const next = { operation: 'update', ...of('bought'), ...set(change) };
			await rows('deleteRows', of('sent'), undefined, [next]);
		},
	};
}
