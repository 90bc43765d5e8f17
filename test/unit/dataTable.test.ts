import type { IDataObject, INode } from 'n8n-workflow';

import { dataTable } from '../../nodes/ImageGeneration/recall/table/dataTable';
import type { CallingContext } from '../../nodes/ImageGeneration/recall/table/namedTable';
import {
	COLUMNS,
	type PurchaseRow,
	type StoredRow,
} from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { purchaseIn } from '../../nodes/ImageGeneration/recall/table/readRow';
import { storedRow } from '../support/memoryTable';

/** A row as n8n has it. */
type Cells = Record<string, unknown>;

/** A condition after n8n evaluated it for an item. */
interface Condition {
	keyName: string;
	condition: 'eq' | 'neq' | 'like' | 'isEmpty';
	keyValue: unknown;
}

/** One call of the inline workflow: its parameters, before n8n evaluated them, and the items. */
interface Call {
	parameters: IDataObject;
	items: IDataObject[];
}

let workflows = 0;

/** What n8n makes of a parameter that is one expression. */
function evaluate(value: unknown, $json: IDataObject): unknown {
	const [, path] = /^=\{\{ \$json\.(.+) \}\}$/.exec(String(value)) ?? [];
	if (path === undefined) return value;
	const keys = path.split(/[.[\]]+/).filter(Boolean);
	return keys.reduce<unknown>((found, key) => (Object(found) as Cells)[key], $json);
}

/** An n8n with a table of these rows, beside others. Its Data Table node does what n8n's does. */
function n8nWith(given: readonly object[] = [], { tables = ['a log', 'A log', 'Log'] } = {}) {
	let rows = given.map((row): Cells => ({ ...row }));
	const calls: Call[] = [];
	const failures: string[] = [];
	const known = tables.map((name) => ({ id: `id of ${name}`, name }));
	const workflow = `workflow ${++workflows}`;
	let lastId = rows.length;
	let isSilent = false;

	function matches(row: Cells, { keyName, condition, keyValue }: Condition): boolean {
		const cell = row[keyName];
		if (condition === 'isEmpty') return cell === null || cell === undefined || cell === '';
		if (condition === 'like') return String(cell).startsWith(String(keyValue).slice(0, -1));
		// The database compares a number with a text by what they say.
		return (String(cell) === String(keyValue)) === (condition === 'eq');
	}

	function runForItem(parameters: IDataObject, item: IDataObject): Cells[] {
		const { operation, matchType, filters, columns } = parameters;
		const value = (each: unknown) => evaluate(each, item);
		if (operation === 'list') return known;
		if (operation === 'create') {
			const name = String(value(parameters.tableName));
			known.push({ id: `id ${known.length}`, name });
			return known.slice(-1);
		}
		const id = (parameters.dataTableId as IDataObject).value;
		if (!known.some((table) => table.id === id)) throw new Error('There is no such table.');
		if (operation === 'insert') {
			rows.push({ ...item, id: ++lastId, createdAt: 'then', updatedAt: 'then' });
			return rows.slice(-1);
		}
		const conditions = (filters as { conditions: Condition[] }).conditions.map((each) => ({
			...each,
			keyValue: value(each.keyValue),
		}));
		const found = rows.filter((row) =>
			matchType === 'allConditions'
				? conditions.every((each) => matches(row, each))
				: conditions.some((each) => matches(row, each)),
		);
		if (operation === 'update') {
			const set = value((columns as IDataObject).value) as Cells;
			return found.map((row) => ({ ...Object.assign(row, set) }));
		}
		if (operation === 'deleteRows') rows = rows.filter((row) => !found.includes(row));
		const ordered = parameters.orderByDirection === 'DESC' ? found.toReversed() : found;
		return parameters.returnAll === true ? ordered : ordered.slice(0, Number(parameters.limit));
	}

	const context = {
		getExecutionId: () => '1',
		getWorkflow: () => ({ id: workflow }),
		executeWorkflow: async (
			{ code }: { code: { nodes: INode[] } },
			input: Array<{ json: object }>,
		) => {
			const parameters = (code.nodes[1]?.parameters ?? {}) as IDataObject;
			const items = input.map(({ json }) => json as IDataObject);
			calls.push({ parameters, items });
			await new Promise(setImmediate);
			const [failure] = failures.splice(0, 1);
			if (failure !== undefined && failure !== '') throw new Error(failure);
			const output = isSilent ? [] : items.flatMap((item) => runForItem(parameters, item));
			return { data: [output.map((json) => ({ json: { ...json } }))] };
		},
	} as unknown as CallingContext;
	return {
		calls,
		/** The operations of its calls. */
		operations: () => calls.map(({ parameters }) => parameters.operation),
		/** The next calls fail with these words; an empty text lets one pass. */
		fail: (...words: string[]) => failures.push(...words),
		/** From now on it returns no rows. */
		loseRows: () => {
			isSilent = true;
		},
		/** Forgets its tables. */
		deleteTables: () => known.splice(0),
		rows: () => rows,
		table: (wanted = 'id of A log') => dataTable(context, wanted),
	};
}

const rowsWith = (count: number, requests = 1): StoredRow[] =>
	Array.from({ length: count }, (_, index) =>
		storedRow({ id: index + 1, request: `request ${index % requests}` }),
	);
const idsOf = (rows: readonly StoredRow[]) => rows.map(({ id }) => id);
const own = (more: Partial<PurchaseRow> = {}): PurchaseRow => ({
	...purchaseIn(storedRow()),
	...more,
});

describe('rows', () => {
	it.each([0, 1000, 3456])('are read in one call, all %i of them, in order', async (count) => {
		const { table, operations } = n8nWith(rowsWith(count));

		const read = await table().read({ node: 'a node' });
		expect(idsOf(read)).toStrictEqual(rowsWith(count).map(({ id }) => id));
		expect(operations()).toStrictEqual(['list', 'get']);
	});

	it('are told apart by each condition', async () => {
		const { table } = n8nWith([
			storedRow({ id: 1, state: 'sent' }),
			storedRow({ id: 2, state: 'bought', run: 'here.1' }),
			storedRow({ id: 3, state: 'told', run: 'here.1' }),
			storedRow({ id: 4, state: 'bought', run: 'hereafter.1' }),
			storedRow({ id: 5, state: 'bought', run: 'here.1', node: 'another' }),
		]);

		const which = { node: 'a node', notIn: ['told', 'sent'], process: 'here' } as const;
		expect(idsOf(await table().read(which))).toStrictEqual([2]);
	});

	it('of nonsense, or of no state that the node knows, are left out', async () => {
		const { table } = n8nWith([{ id: 1 }, { id: 2, state: 'done' }, ...rowsWith(3).slice(2)]);

		expect(idsOf(await table().read({}))).toStrictEqual([3]);
	});

	it('with a cleared run are found by that', async () => {
		const { table } = n8nWith([{ ...storedRow({ id: 1 }), run: null }, storedRow({ id: 2 })]);

		expect(await table().read({ run: '' })).toMatchObject([{ id: 1, run: '' }]);
	});

	it('are read again if others write meanwhile, ten times at most', async () => {
		const CHANGED = 'synchronization error: result count changed during pagination';
		const { table, fail } = n8nWith(rowsWith(3));
		const log = table();
		fail('', ...Array<string>(10).fill(CHANGED));
		await expect(log.read({})).resolves.toHaveLength(3);

		fail(...Array<string>(11).fill(CHANGED));
		await expect(log.read({})).rejects.toMatchObject({
			failure: { message: expect.stringContaining('changed during pagination') as string },
		});
	});
});

describe('rows of many requests', () => {
	it('are found latest first, in one call for a hundred of them', async () => {
		const { table, operations } = n8nWith(rowsWith(402, 201));
		const log = table();
		const requests = Array.from({ length: 201 }, (_, index) => `request ${index}`);

		const found = await log.find('request', requests);
		expect(idsOf(found)).toStrictEqual(idsOf(rowsWith(402)).reverse());
		expect(operations()).toStrictEqual(['list', 'get', 'get', 'get']);
	});

	it('are not all read, but the latest that are wanted of each', async () => {
		const { table } = n8nWith(rowsWith(90, 3));

		const found = await table().find('request', ['request 0', 'request 1', 'request 2'], 20);
		expect(idsOf(found)).toStrictEqual(idsOf(rowsWith(90)).slice(30).reverse());
	});

	it('do not hide those of another, however many there are of one', async () => {
		const busy = rowsWith(500).map(({ id }) => storedRow({ id: id + 40, request: 'busy' }));
		const quiet = ['quiet', 'quieter'].flatMap((request, index) =>
			rowsWith(20).map(({ id }) => storedRow({ id: 2 * id - index, request })),
		);
		const { table, operations } = n8nWith([...quiet.sort((a, b) => a.id - b.id), ...busy]);

		const found = await table().find('request', ['quiet', 'busy', 'quieter', 'none'], 15);
		const latest = (request: string) =>
			idsOf(found.filter((row) => row.request === request)).slice(0, 15);
		expect(latest('busy')).toStrictEqual(idsOf(busy).reverse().slice(0, 15));
		expect(latest('quiet')).toStrictEqual(Array.from({ length: 15 }, (_, index) => 40 - 2 * index));
		expect(latest('quieter')).toStrictEqual(
			Array.from({ length: 15 }, (_, index) => 39 - 2 * index),
		);
		expect(idsOf(found)).toStrictEqual(idsOf(found).toSorted((a, b) => b - a));
		expect(operations()).toStrictEqual(['list', 'get', 'get']);
	});

	it('take no call if there are none', async () => {
		const { table, calls } = n8nWith();
		const log = table();
		await log.find('request', []);
		await log.change([]);
		await log.remove([]);

		expect(calls).toStrictEqual([]);
	});
});

describe('new rows', () => {
	it('go together if they meet, and each is told its id', async () => {
		const { table, operations, calls } = n8nWith();
		const log = table();
		const entries = ['a', 'b', 'c'];
		const first = log.insert(own({ entry: 'a' }));
		await new Promise(setImmediate);
		const later = ['b', 'c'].map(async (entry) => await log.insert(own({ entry })));
		const inserted = await Promise.all([first, ...later]);

		expect(inserted).toMatchObject(entries.map((entry, index) => ({ entry, id: index + 1 })));
		expect(operations()).toStrictEqual(['list', 'insert', 'insert']);
		expect(calls.at(-1)?.items).toHaveLength(2);
	});

	it('have null where there is nothing, and times as n8n writes them are left to it', async () => {
		const { table, calls } = n8nWith();
		await table().insert(own({ link: '', parent: '' }));

		const [item] = calls.at(-1)?.items ?? [];
		expect(item).toMatchObject({ link: null, parent: null, node: 'a node' });
		expect(Object.keys(item ?? {}).sort()).toStrictEqual(Object.keys(COLUMNS).sort());
	});

	it('are refused if n8n does not return them, because nothing may be sent then', async () => {
		const { table, loseRows } = n8nWith();
		const log = table();
		await log.read({});
		loseRows();

		await expect(log.insert(own())).rejects.toThrow('n8n did not return the row that it added.');
	});
});

describe('changes', () => {
	it('of the same columns go in one call, and others in their order', async () => {
		const { table, operations, rows } = n8nWith([
			storedRow({ id: 1, state: 'sent', run: 'here.1' }),
			storedRow({ id: 2, state: 'bought', run: 'here.1' }),
			storedRow({ id: 3, state: 'bought', run: 'here.2' }),
		]);
		const ended = await table().change([
			{ which: { run: 'here.1', state: 'sent' }, set: { state: 'unclear' } },
			{ which: { run: 'here.1', state: 'bought' }, set: { state: 'delivered' } },
			{ which: { id: 3 }, set: { state: 'stopped' } },
			{ which: { id: 3 }, set: { state: 'told' } },
			{ which: { run: 'here.2', state: 'told' }, set: { state: 'delivered' } },
		]);

		expect(rows().map(({ state }) => state)).toStrictEqual(['unclear', 'delivered', 'delivered']);
		expect(ended.map(({ id, state }) => [id, state])).toStrictEqual([
			[1, 'unclear'],
			[2, 'delivered'],
			[3, 'stopped'],
			[3, 'told'],
			[3, 'delivered'],
		]);
		expect(operations()).toStrictEqual(['list', 'update', 'update', 'update']);
	});

	it('return what they changed as texts, whatever import made of a column', async () => {
		const { table } = n8nWith([{ ...storedRow({ id: 1 }), execution: 12, parent: null }]);
		const [changed] = await table().change([
			{ which: { id: 1, run: 'there.1', execution: '12' }, set: { run: 'here.1' } },
		]);

		expect(changed).toMatchObject({ run: 'here.1', execution: '12', parent: '' });
	});

	it('clear a cell with null', async () => {
		const { table, rows } = n8nWith(rowsWith(1));
		await table().change([{ which: { id: 1 }, set: { link: '', state: 'sent' } }]);

		expect(rows()).toMatchObject([{ link: null, state: 'sent' }]);
	});

	it('remove rows a hundred at a time', async () => {
		const { table, operations, rows } = n8nWith(rowsWith(250));
		await table().remove(rowsWith(249).map(({ id }) => id));

		expect(rows().map(({ id }) => id)).toStrictEqual([250]);
		expect(operations()).toStrictEqual(['list', 'deleteRows', 'deleteRows', 'deleteRows']);
	});
});

describe('a text that begins with =', () => {
	const CODE = '={{ $execution.customData.set("hacked", "1") }}';

	it('reaches n8n only as the value of an item, in whatever cell or name it stands', async () => {
		const { table, calls, operations } = n8nWith();
		const log = table(CODE);
		const texts = Object.keys(COLUMNS).map((column) => [column, `${CODE} ${column}`]);
		const row = { ...Object.fromEntries(texts), state: 'sent' } as unknown as PurchaseRow;
		const { id } = await log.insert(row);
		for (const column of ['entry', 'link', 'request'] as const) {
			expect(idsOf(await log.find(column, [`${CODE} ${column}`]))).toStrictEqual([id]);
		}
		const { node, execution, run } = row;
		const which = { id, node, execution, run, process: CODE };
		await log.read(which);
		await log.change([{ which: { id, node, execution, run }, set: { ...row, state: 'bought' } }]);
		await log.remove([id]);

		expect(new Set(operations())).toStrictEqual(
			new Set(['list', 'create', 'insert', 'get', 'update', 'deleteRows']),
		);
		for (const { parameters } of calls) expect(JSON.stringify(parameters)).not.toContain('hacked');
	});

	it('is never part of an expression: those that the node writes name a value of the item', async () => {
		const { table, calls } = n8nWith();
		const log = table('new');
		await log.insert(own());
		await log.find('link', [CODE]);
		await log.change([{ which: { run: CODE }, set: { result: CODE } }]);

		const expressions = calls.flatMap(
			({ parameters }) => JSON.stringify(parameters).match(/"=[^"]*"/g) ?? [],
		);
		for (const each of expressions) {
			expect(each).toMatch(/^"=\{\{ \$json\.(tableName|cells|values\[\d+\]) \}\}"$/);
		}
	});
});

describe('the table', () => {
	it.each(['A log', 'id of A log'])('is found by its name or id: %s', async (wanted) => {
		const { table, operations } = n8nWith(rowsWith(1));

		expect(idsOf(await table(wanted).read({}))).toStrictEqual([1]);
		expect(operations()).toStrictEqual(['list', 'get']);
	});

	it('is made with its columns if there is none', async () => {
		const { table, calls, operations } = n8nWith([], { tables: [] });
		await table('A new log').read({});

		expect(operations()).toStrictEqual(['list', 'create', 'get']);
		expect(calls[1]?.items).toStrictEqual([{ tableName: 'A new log' }]);
		expect(calls[1]?.parameters.columns).toStrictEqual({
			column: Object.entries(COLUMNS).map(([name, type]) => ({ name, type })),
		});
	});

	it('is searched for once by calls that meet, because each would make one', async () => {
		const { table, operations } = n8nWith([], { tables: [] });
		const log = table('A log');
		await Promise.all([1, 2, 3].map(async () => await log.read({})));

		expect(operations()).toStrictEqual(['list', 'create', 'get', 'get', 'get']);
	});

	it('is searched for again by a run that finds it deleted', async () => {
		const { table, operations, deleteTables } = n8nWith();
		await table('A log').read({});
		deleteTables();
		await table('A log').read({});

		expect(operations()).toStrictEqual(['list', 'get', 'get', 'list', 'create', 'get']);
	});

	it.each([
		[
			'has other columns',
			"unknown column name 'entry'",
			`The purchase log "A log" can't be used: unknown column name 'entry'.`,
			`It needs these columns: ${Object.keys(COLUMNS).join(', ')}.`,
		],
		[
			'is full with all the others',
			'Data table size limit exceeded: 200MB used, limit is 200MB',
			`n8n's data tables are full, so the purchase log "A log" takes no more rows: Data table size limit exceeded: 200MB used, limit is 200MB.`,
			'delete rows or tables that you no longer need: in a purchase log, old rows in the state delivered.',
		],
	])('that %s is refused in words that say what to do', async (_what, reason, message, advice) => {
		const { table, fail } = n8nWith();
		const log = table('A log');
		await log.read({});
		fail(reason);

		await expect(log.insert(own())).rejects.toMatchObject({
			failure: {
				message,
				advice: expect.stringMatching(/^This request was not sent\./) as string,
			},
		});
		fail(reason);
		await expect(log.insert(own())).rejects.toMatchObject({
			failure: { advice: expect.stringContaining(advice) as string },
		});
	});
});
