import { COLUMNS, type Cells } from '../../nodes/ImageGeneration/recall/log/cells';
import { DataTable, Tables } from '../../nodes/ImageGeneration/recall/log/dataTable';
import type { Condition } from '../../nodes/ImageGeneration/recall/log/tableSteps';
import { N8nTables } from '../support/n8nTables';

const LOG = 'A log';
const OF_NODE: Condition = ['node', 'eq', 'a node'];

/** An n8n, and what a run in one of its processes has of a table. */
function setUp(settings?: ConstructorParameters<typeof N8nTables>[0]) {
	const n8n = new N8nTables(settings);
	const tables = new Tables();
	const open = (name = LOG, of = tables) => new DataTable(n8n.contextOf(), of, name);
	return { n8n, tables, open };
}

const cells = (more: Cells = {}): Cells => ({ node: 'a node', state: 'delivered', ...more });
const rows = (count: number, more: Cells = {}) =>
	Array.from({ length: count }, (_, index) => cells({ entry: `entry ${index + 1}`, ...more }));
const idsOf = (found: ReadonlyArray<Record<string, unknown>>) => found.map(({ id }) => id);

describe('a table', () => {
	it('is made with its columns by the first call, and found by the next run by its name or id', async () => {
		const { n8n, open } = setUp();
		await open().insert(rows(2));
		const { id, columns } = n8n.table(LOG);

		expect(columns).toStrictEqual(Object.entries(COLUMNS).map(([name, type]) => ({ name, type })));
		expect(idsOf(await open(LOG, new Tables()).get('allConditions', [OF_NODE], 9))).toStrictEqual([
			2, 1,
		]);
		expect(idsOf(await open(id).get('allConditions', [OF_NODE], 9))).toStrictEqual([2, 1]);
		expect(n8n.operations).toStrictEqual([
			'list',
			'create',
			'insert',
			'list',
			'get',
			'list',
			'get',
		]);
	});

	it('is searched for once by calls that meet, because each would make one', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await Promise.all([1, 2, 3].map(async () => await log.insert(rows(1))));

		expect(n8n.operations).toStrictEqual(['list', 'create', 'insert', 'insert', 'insert']);
	});

	it('that another process makes at the same moment is used', async () => {
		const { n8n, open } = setUp();
		const logs = [open(), open(LOG, new Tables())];
		await Promise.all(logs.map(async (log) => await log.insert(rows(1))));

		expect(idsOf(n8n.table(LOG).rows)).toStrictEqual([1, 2]);
	});

	it('that was deleted is made again by the next run, but not by the one that used it', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await log.insert(rows(1));
		n8n.delete(LOG);

		await expect(log.insert(rows(1))).rejects.toThrow('could not be found in this project');
		await open().insert(rows(1));
		expect(idsOf(n8n.table(LOG).rows)).toStrictEqual([1]);
	});

	it('tells the run that makes it, and no other, that it is new, and its project', async () => {
		const n8n = new N8nTables();
		const tables = new Tables();
		const made: unknown[] = [];
		const open = (run: string) =>
			new DataTable(n8n.contextOf(), tables, LOG, {
				isAllowed: true,
				onMade: (table) => made.push([run, table]),
			});
		const [first, other] = [open('first'), open('other')];
		await Promise.all([first.insert(rows(1)), other.insert(rows(1))]);
		await open('later').insert(rows(1));

		expect(made).toStrictEqual([['first', { name: LOG, project: 'Shop' }]]);
	});

	it('is not made by a Dry Run, which finds nothing, but by runs that meet it, once', async () => {
		const { n8n, open, tables } = setUp();
		const making = { isAllowed: false, onMade: () => {} };
		const dry = new DataTable(n8n.contextOf(), tables, LOG, making);
		const found = dry.get('allConditions', [['id', 'eq', 1]], 9);
		await Promise.all([found, open().insert(rows(1)), open().insert(rows(1))]);

		expect(await found).toStrictEqual([]);
		expect(n8n.operations.filter((each) => each === 'create')).toHaveLength(1);
		expect(n8n.table(LOG).rows).toHaveLength(2);
	});

	it.each(['ImagePurchaseLog', 'purchaselogimage', 'ShopImageLog2026'])(
		'is made with a name that has as many letters as an id: %s',
		async (name) => {
			const { n8n, open } = setUp();
			await open(name).insert(rows(1));

			expect(n8n.table(name).rows).toHaveLength(1);
		},
	);

	it.each(['Table90000000000', 'aB3dEf6hIj9kLm2n', 'aBcdEfghIjklMnop'])(
		'is not made with a name that is an id of no table: %s',
		async (id) => {
			const { n8n, open } = setUp();

			await expect(open(id).insert(rows(1))).rejects.toThrow('looks like the id of a table');
			expect(n8n.operations).not.toContain('create');
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

	it('are compared with a cell that somebody cleared, with a part of time and with what they are not', async () => {
		const { n8n, open } = setUp();
		const log = open();
		const early = { time: '2026-11-28T10:00:00.000Z' };
		const late = { time: '2026-11-28T12:00:00.000Z' };
		await log.insert([
			cells({ ...early, told: 'yes' }),
			cells(early),
			cells({ ...late, state: null }),
		]);
		n8n.table(LOG).edit(2, { told: '' });

		const found = async (...conditions: Condition[]) =>
			idsOf(await log.get('allConditions', conditions, 9));
		expect(await found(['told', 'eq', ''])).toStrictEqual([3, 2]);
		expect(await found(['state', 'neq', 'delivered'])).toStrictEqual([3]);
		expect(await found(['time', 'gte', '2026-11-28T11:00:00.000Z'])).toStrictEqual([3]);
	});

	it('change by steps that compare the same columns in one call, others in their order', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await log.insert([
			cells({ run: 'here.1', state: 'sent' }),
			cells({ run: 'here.1', state: 'bought' }),
			cells({ run: null, state: 'bought' }),
		]);
		const changed = await log.update([
			{ which: [['id', 'eq', 1]], set: { state: 'bought' } },
			{ which: [['id', 'eq', 2]], set: { state: 'left' } },
			{ which: [['run', 'eq', '']], set: { state: 'left' } },
			{
				which: [
					['run', 'eq', 'here.1'],
					['state', 'eq', 'bought'],
				],
				set: { told: 'yes' },
			},
		]);

		expect(n8n.table(LOG).rows).toMatchObject([
			{ state: 'bought', told: 'yes' },
			{ state: 'left', told: null },
			{ state: 'left', told: null },
		]);
		expect(idsOf(changed)).toStrictEqual([1, 2, 3, 1]);
		expect(n8n.operations.slice(-3)).toStrictEqual(['update', 'update', 'update']);
	});

	it('change after a time limit by a call that is not waited for, and whose failure ends nothing', async () => {
		const state = { isTimedOut: false };
		const n8n = new N8nTables();
		const context = n8n.contextOf({ isTimedOut: () => state.isTimedOut });
		const log = new DataTable(context, new Tables(), LOG);
		await log.insert(rows(2));
		state.isTimedOut = true;
		await expect(
			log.update([{ which: [['id', 'eq', 1]], set: { state: 'left' } }]),
		).rejects.toThrow('timed out');

		n8n.fail('before');
		await log.startUpdate([{ which: [['id', 'eq', 1]], set: { state: 'left' } }]);
		await log.startUpdate([{ which: [['id', 'eq', 2]], set: { state: 'left' } }]);
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(n8n.table(LOG).rows.map(({ state: each }) => each)).toStrictEqual(['delivered', 'left']);
		expect(n8n.uncaught).toStrictEqual([]);
	});

	it('are removed a hundred at a time', async () => {
		const { n8n, open } = setUp();
		const log = open();
		await log.insert(rows(250));
		await log.remove(Array.from({ length: 249 }, (_, index) => index + 1));

		expect(idsOf(n8n.table(LOG).rows)).toStrictEqual([250]);
		expect(n8n.operations.slice(3)).toStrictEqual(['deleteRows', 'deleteRows', 'deleteRows']);
	});
});

it('a cell, a name or a condition that begins with = reaches n8n only as the value of an item', async () => {
	const CODE = '={{ $execution.customData.set("hacked", "1") }}';
	const { n8n, open } = setUp();
	const log = open(CODE);
	const texts = Object.entries(COLUMNS).filter(([, type]) => type === 'string');
	const row = Object.fromEntries(texts.map(([column]) => [column, `${CODE} ${column}`])) as Cells;
	await log.insert([row]);
	for (const [column] of texts) {
		const is = [column, 'eq', `${CODE} ${column}`] as Condition;
		expect(await log.get('anyCondition', [is], 9)).toHaveLength(1);
		expect(await log.update([{ which: [is], set: row }])).toHaveLength(1);
	}

	for (const { parameters } of n8n.calls)
		expect(JSON.stringify(parameters)).not.toContain('hacked');
});
