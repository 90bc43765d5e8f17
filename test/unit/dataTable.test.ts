import type { IDataObject } from 'n8n-workflow';

import { dataTable } from '../../nodes/ImageGeneration/recall/dataTable';
import type { CallingContext } from '../../nodes/ImageGeneration/recall/namedTable';

interface Row {
	id: number;
	request: string;
}

let workflows = 0;

/**
 * A run whose n8n has a table with these rows, beside others. Its Data Table nodes return rows as n8n
 * does: 1,000 at most, on n8n 1 in any order.
 * @param refusals How many reads it refuses first, as if others wrote meanwhile.
 */
function runIn(rows: Row[], isVersion2 = true, refusals = 0) {
	const calls: unknown[] = [];
	/** Calls under way, and the most there were. */
	const atOnce = { now: 0, most: 0 };
	const workflow = `workflow ${++workflows}`;
	const answer = ({ operation, ...given }: IDataObject): object[] => {
		calls.push(operation);
		if (operation === 'list')
			return ['a log', 'A log', 'Log'].map((name) => ({ id: `id of ${name}`, name }));
		expect(given.dataTableId).toMatchObject({ value: 'id of A log' });
		if (refusals-- > 0)
			throw new Error('synchronization error: result count changed during pagination');
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
			atOnce.most = Math.max(atOnce.most, ++atOnce.now);
			const json = answer(node?.parameters ?? {});
			await Promise.resolve();
			atOnce.now--;
			return { data: [json.map((each) => ({ json: each }))] };
		},
	} as unknown as CallingContext;
	return { calls, atOnce, table: (wanted = 'id of A log') => dataTable(context, wanted) };
}

const rowsWith = (count: number, requests: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		id: index + 1,
		request: `request ${index % requests}`,
	}));
const asksFor = (request: string) => ({ request });

describe.each([2, 1])('in n8n %i', (version) => {
	const isVersion2 = version === 2;

	it.each([0, 999, 1000, 1001, 3456])('all of %i rows are read, in order', async (count) => {
		const rows = rowsWith(count, 1);
		const { table } = runIn(rows, isVersion2);

		const read = await table().read(asksFor('request 0'));
		expect(read.map(({ id }) => id)).toStrictEqual(rows.map(({ id }) => id));
	});

	it('rows are read again if others write meanwhile', async () => {
		const { table } = runIn(rowsWith(3, 1), isVersion2, 9);

		await expect(table().read(asksFor('request 0'))).resolves.toHaveLength(3);
	});

	it(`calls of several runs ${isVersion2 ? 'go at once' : 'wait for each other'}`, async () => {
		const { table, atOnce } = runIn(rowsWith(3, 1), isVersion2);
		const reads = [1, 2, 3].map(async () => await table().read(asksFor('request 0')));

		expect(await Promise.all(reads)).toHaveLength(3);
		expect(atOnce.most).toBe(isVersion2 ? 3 : 1);
	});

	it('all rows of many requests are read, in order', async () => {
		const rows = [...rowsWith(3000, 60), { id: 3001, request: 'the latest' }];
		const { table } = runIn(rows, isVersion2);
		const requests = rows.slice(0, 60).map(({ request }) => request);

		const read = await table().find('request', [...requests, 'the latest']);
		expect(read.map(({ id }) => id)).toStrictEqual(rows.map(({ id }) => id));
	});
});

it('two hundred and one requests take three calls, none takes none', async () => {
	const { table, calls } = runIn([]);
	const log = table();
	await log.find('request', []);
	expect(calls).toStrictEqual([]);

	const requests = Array.from({ length: 201 }, (_, index) => `request ${index}`);
	await log.find('request', requests);
	expect(calls).toStrictEqual(['list', 'get', 'get', 'get']);
});

it.each(['A log', 'id of A log'])('the table is found by its name or id: %s', async (wanted) => {
	const rows = rowsWith(1, 1);

	expect(await runIn(rows).table(wanted).read(asksFor('request 0'))).toStrictEqual(rows);
});

it('calls that meet before the table is known search for it once, because each would make one', async () => {
	const { table, calls } = runIn(rowsWith(1, 1));
	const log = table('A log');
	await Promise.all([1, 2, 3].map(async () => await log.read(asksFor('request 0'))));

	expect(calls).toStrictEqual(['list', 'get', 'get', 'get']);
});
