import {
	DataTable,
	type TableIds,
	type Condition,
} from '../../nodes/ImageGeneration/recall/dataTable';
import { COLUMNS, toCells, type Cells } from '../../nodes/ImageGeneration/recall/logRow';
import { N8nTables } from '../support/n8nTables';
import { purchaseWith } from '../support/purchaseWith';

const LOG = 'A log';
const OF_NODE: Condition = ['node', 'eq', 'a node'];

/** An n8n, and what a run in one of its processes has of a table. */
function setUp(settings?: ConstructorParameters<typeof N8nTables>[0]) {
	const n8n = new N8nTables(settings);
	const tables: TableIds = new Map();
	const made: string[] = [];
	const open = (name = LOG, of = tables, isAllowed = true) => {
		const making = { isAllowed, onMade: (name: string) => made.push(name) };
		return new DataTable(n8n.contextOf(), of, name, making);
	};
	return { n8n, tables, made, open };
}

const rows = (count: number, more: Partial<Cells> = {}) =>
	Array.from({ length: count }, () => ({ ...toCells(purchaseWith()), ...more }));
const idsOf = (found: ReadonlyArray<Record<string, unknown>>) => found.map(({ id }) => id);

describe('a table', () => {
	it('is made with its columns by the first call, and found by the next run by its name or id', async () => {
		const { n8n, open } = setUp();
		await open().insert(rows(2));
		const { id, columns } = n8n.table(LOG);

		expect(columns).toStrictEqual(Object.entries(COLUMNS).map(([name, type]) => ({ name, type })));
		const byName = open(LOG, new Map());
		expect(idsOf(await byName.get('allConditions', [OF_NODE], 9))).toStrictEqual([2, 1]);
		expect(idsOf(await open(id).get('allConditions', [OF_NODE], 9))).toStrictEqual([2, 1]);
		expect(n8n.operations.filter((operation) => operation === 'create')).toHaveLength(1);
	});

	it('is searched for once by calls that meet, because each would make one', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await Promise.all([1, 2, 3].map(async () => await log.insert(rows(1))));

		expect(n8n.operations).toStrictEqual(['list', 'create', 'insert', 'insert', 'insert']);
	});

	it('that another process makes at the same moment is used', async () => {
		const { n8n, open } = setUp();
		const logs = [open(), open(LOG, new Map())];
		await Promise.all(logs.map(async (log) => await log.insert(rows(1))));

		expect(idsOf(n8n.table(LOG).rows)).toStrictEqual([1, 2]);
	});

	it('that was deleted is made again by the next run, but not by the one that used it', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await log.insert(rows(1));
		n8n.delete(LOG);

		await expect(log.insert(rows(1))).rejects.toThrow('could not be found in this project');
		await Promise.all([open().insert(rows(1)), open().insert(rows(1))]);
		expect(idsOf(n8n.table(LOG).rows)).toStrictEqual([1, 2]);
	});

	it('that is new is told once', async () => {
		const { made, open } = setUp();
		await Promise.all([open().insert(rows(1)), open().insert(rows(1))]);
		await open().insert(rows(1));

		expect(made).toStrictEqual([LOG]);
	});

	it('is not made by a Dry Run, which finds nothing, but by runs that meet it, once', async () => {
		const { n8n, open, tables } = setUp();
		const found = open(LOG, tables, false).get('allConditions', [OF_NODE], 9);
		await Promise.all([found, open().insert(rows(1)), open().insert(rows(1))]);

		expect(await found).toStrictEqual([]);
		expect(n8n.operations.filter((each) => each === 'create')).toHaveLength(1);
		expect(n8n.table(LOG).rows).toHaveLength(2);
	});

	it('is read by a Dry Run if it is there', async () => {
		const { open, tables } = setUp();
		await open().insert(rows(1));

		for (const of of [tables, new Map<string, Promise<string>>()]) {
			const found = await open(LOG, of, false).get('allConditions', [OF_NODE], 9);
			expect(idsOf(found)).toStrictEqual([1]);
		}
	});

	it.each(['ImagePurchaseLog', 'Table90000000000', 'aB3dEf6hIj9kLm2n'])(
		'is made with a name that looks like an id: %s',
		async (name) => {
			const { n8n, open } = setUp();
			await open(name).insert(rows(1));

			expect(n8n.table(name).rows).toHaveLength(1);
		},
	);
});

describe('a refusal says what to do', () => {
	it.each(['2.9.1', '1.123.81'] as const)('if n8n %s can make no tables', async (version) => {
		const { open } = setUp({ version });

		await expect(open().insert(rows(1))).rejects.toThrow("'Purchase Log' needs n8n 2.10 or newer.");
	});

	it('if all tables of n8n are full', async () => {
		const { n8n, open } = setUp();
		n8n.isFull = true;

		await expect(open().insert(rows(1))).rejects.toMatchObject({
			message: expect.stringContaining(`n8n's data tables are full`) as string,
			failure: { advice: expect.stringContaining('N8N_DATA_TABLES_MAX_SIZE_BYTES') as string },
		});
	});

	it('if the table has other columns, with the list of those that it needs', async () => {
		const { n8n, open } = setUp();
		n8n.make(LOG, { name: 'string' });
		const advice = expect.stringContaining(Object.keys(COLUMNS).join(', ')) as string;

		await expect(open().insert(rows(1))).rejects.toMatchObject({ failure: { advice } });
		await expect(open().get('allConditions', [OF_NODE], 9)).rejects.toMatchObject({
			failure: { advice },
		});
	});

	it('if the database is away: to try again, and not to make another table', async () => {
		const { n8n, open } = setUp();
		n8n.fail('before', 'before');

		await expect(open().insert(rows(1))).rejects.toMatchObject({
			failure: { advice: expect.stringContaining('Try again') as string },
		});
	});
});

describe('rows', () => {
	it('that change in number while they are read are read again, ten times at most', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await log.insert(rows(1));
		const changed = { says: 'synchronization error: result count changed during pagination' };
		n8n.fail(...Array.from({ length: 10 }, () => changed));
		await expect(log.get('allConditions', [OF_NODE], 9)).resolves.toHaveLength(1);

		n8n.fail(...Array.from({ length: 11 }, () => changed));
		await expect(log.get('allConditions', [OF_NODE], 9)).rejects.toThrow(changed.says);
	});

	it('change and go after a time limit by calls that are not waited for, and whose failures end nothing', async () => {
		const state = { isTimedOut: false };
		const n8n = new N8nTables();
		const context = n8n.contextOf({ isTimedOut: () => state.isTimedOut });
		const making = { isAllowed: true, onMade: () => {} };
		const log = new DataTable(context, new Map(), LOG, making);
		const all = rows(3);
		await log.insert(all);
		state.isTimedOut = true;
		await expect(log.remove([['id', 'eq', 3]])).rejects.toThrow('timed out');

		n8n.fail('before');
		const changed = all.map((cells) => ({ ...cells, holder: '8' }));
		await log.startToUpdate(changed.slice(0, 1), '7');
		await log.startToUpdate(changed.slice(1), '7');
		await log.remove([['id', 'eq', 3]], false);
		await n8n.detachedCalls();
		expect(n8n.table(LOG).rows.map(({ holder }) => holder)).toStrictEqual(['7', '8']);
		expect(n8n.uncaught).toStrictEqual([]);
	});

	it('are removed a hundred at a time', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await log.insert(rows(250));
		await log.remove(Array.from({ length: 249 }, (_, index) => ['id', 'eq', index + 1]));

		expect(idsOf(n8n.table(LOG).rows)).toStrictEqual([250]);
		expect(n8n.operations.slice(3)).toStrictEqual(['deleteRows', 'deleteRows', 'deleteRows']);
	});
});

it('a cell, a name or a condition that begins with = reaches n8n only as the value of an item', async () => {
	const CODE = '={{ $execution.customData.set("hacked", "1") }}';
	const { n8n, open } = setUp();
	const log = open(CODE);
	const texts = Object.entries(COLUMNS).filter(([, type]) => type === 'string');
	const row = {
		...toCells(purchaseWith()),
		...Object.fromEntries(texts.map(([column]) => [column, `${CODE} ${column}`])),
	} as Cells;
	await log.insert([row]);
	await log.startToUpdate([row], row.holder ?? '');
	for (const [column] of texts) {
		const is = [column, 'eq', `${CODE} ${column}`] as Condition;
		expect(await log.get('anyCondition', [is], 9)).toHaveLength(1);
	}
	await log.remove([['entry', 'eq', `${CODE} entry`]]);

	expect(n8n.table(CODE).rows).toStrictEqual([]);
	for (const { parameters } of n8n.calls) {
		expect(JSON.stringify(parameters)).not.toContain('hacked');
	}
});
