import type { IDataObject } from 'n8n-workflow';

import { dataTable } from '../../nodes/ImageGeneration/recall/dataTable';
import type { CallingContext } from '../../nodes/ImageGeneration/recall/inlineWorkflow';

interface Row {
	id: number;
	request: string;
}

let workflows = 0;

/**
 * A run whose n8n has these tables. Its Data Table nodes return rows as n8n does: 1,000 at most, on n8n 1
 * in any order.
 */
function runIn(tables: Array<{ id: string; name: string; rows?: Row[] }>, isVersion2 = true) {
	const calls: string[] = [];
	const workflow = `workflow ${++workflows}`;
	const answer = ({ operation, ...given }: IDataObject): object[] => {
		calls.push(operation as string);
		if (operation === 'list') {
			// n8n lowers the filter, and SQLite only English capitals of the names.
			const { filterName = '' } = (given.options ?? {}) as { filterName?: string };
			const lowered = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
			return tables.filter(({ name }) => lowered(name).includes(filterName.toLowerCase()));
		}
		if (operation === 'create') {
			const made = { id: 'made', name: given.tableName as string };
			tables.push(made);
			return [made];
		}
		const { value } = given.dataTableId as { value: string };
		const { rows = [] } = tables.find(({ id }) => id === value) ?? {};
		const { conditions } = given.filters as {
			conditions: Array<{ keyName: keyof Row; condition: string; keyValue: number | string }>;
		};
		const holds = (row: Row) => (each: (typeof conditions)[number]) => {
			const had = row[each.keyName];
			if (each.condition === 'gt') return had > each.keyValue;
			return each.condition === 'lte' ? had <= each.keyValue : had === each.keyValue;
		};
		const found = rows.filter((row) =>
			given.matchType === 'allConditions'
				? conditions.every(holds(row))
				: conditions.some(holds(row)),
		);
		return (isVersion2 ? found : found.reverse()).slice(0, Number(given.limit));
	};
	const context = {
		...(isVersion2 && { executeAgent: undefined }),
		getExecutionId: () => '1',
		getWorkflow: () => ({ id: workflow }),
		executeWorkflow: async ({ code }: { code: { nodes: Array<{ parameters: IDataObject }> } }) => {
			const [, node] = code.nodes;
			const json = answer(node?.parameters ?? {});
			return await Promise.resolve({ data: [json.map((each) => ({ json: each }))] });
		},
	} as unknown as CallingContext;
	return { table: (wanted: string) => dataTable(context, wanted), calls, tables };
}

const rowsWith = (count: number, requests: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		id: index + 1,
		request: `request ${index % requests}`,
	}));
const asksFor = (...requests: string[]) =>
	requests.map((request) => ['request', 'eq', request] as const);

describe.each([2, 1])('in n8n %i', (version) => {
	const isVersion2 = version === 2;

	it.each([0, 999, 1000, 1001, 3456])('all of %i rows are read, in order', async (count) => {
		const rows = rowsWith(count, 1);
		const { table } = runIn([{ id: 'a log', name: 'a log', rows }], isVersion2);

		const read = await table('a log').read({ all: asksFor('request 0') });
		expect(read.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
	});

	it('all rows of many requests are read, in order', async () => {
		const rows = [...rowsWith(3000, 60), { id: 3001, request: 'the latest' }];
		const { table } = runIn([{ id: 'a log', name: 'a log', rows }], isVersion2);
		const requests = rows.slice(0, 60).map(({ request }) => request);

		const any = asksFor(...requests, 'the latest');
		const read = await table('a log').read({ any });
		expect(read.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
	});
});

it('two hundred and one requests take three calls, none takes none', async () => {
	const { table, calls } = runIn([{ id: 'a log', name: 'a log' }]);
	const log = table('a log');
	await log.read({ any: [] });
	expect(calls).toEqual([]);

	const requests = Array.from({ length: 201 }, (_, index) => `request ${index}`);
	await log.read({ any: asksFor(...requests) });
	expect(calls).toEqual(['list', 'get', 'get', 'get']);
});

it.each(['Übersicht', 'a9'])('the table is found by its name or id: %s', async (wanted) => {
	const rows = rowsWith(1, 1);
	const { table, tables } = runIn([
		{ id: 'a8', name: 'übersicht' },
		{ id: 'a9', name: 'Übersicht', rows },
	]);

	const read = await table(wanted).read({ all: asksFor('request 0') });
	expect(read).toEqual(rows);
	expect(tables).toHaveLength(2);
});
