import { DataTable, type TableIds } from '../../../nodes/ImageGeneration/recall/dataTable';
import { toCells } from '../../../nodes/ImageGeneration/recall/logRow';
import type { Purchase } from '../../../nodes/ImageGeneration/recall/purchase';
import { PurchaseLog } from '../../../nodes/ImageGeneration/recall/purchaseLog';
import { resultOf } from '../../support/jobs';
import { N8nTables, type TableClock } from '../../support/n8nTables';
import { purchaseWith } from '../../support/purchaseWith';
import { until } from '../../support/until';

const LOG = 'A log';

/** An n8n with the logs that runs open, in one process or in several. */
function setUp(settings?: ConstructorParameters<typeof N8nTables>[0]) {
	const n8n = new N8nTables(settings);
	const caller = { isOver: false };
	const open = (ids: TableIds = new Map()) => {
		const context = n8n.contextOf({ isTimedOut: () => caller.isOver });
		const making = { isAllowed: true, onMade: () => {} };
		return new PurchaseLog(new DataTable(context, ids, LOG, making));
	};
	const rows = () => n8n.table(LOG).rows;
	return { n8n, caller, open, rows };
}

const sent = (more: Partial<Purchase> = {}) => purchaseWith({ result: undefined, ...more });
/** The purchase as it is once it has a result. */
const bought = (purchase: Purchase, more: Partial<Purchase> = {}): Purchase =>
	Object.assign(purchase, { result: resultOf('fox'), ...more });
const entriesOf = (purchases: readonly Purchase[]) => purchases.map(({ entry }) => entry);
/** What a process that has just started finds of a request. */
const found = async (open: () => PurchaseLog, request = 'a request') =>
	await open().find([request], 0);

describe('a purchase', () => {
	it('has a row before its request goes out, and another one in its place afterwards', async () => {
		const { open, rows } = setUp();
		const log = open();
		const purchase = sent();
		await log.add(purchase);
		expect(rows()).toMatchObject([{ entry: purchase.entry, link: null, result: null }]);

		await log.write([bought(purchase)]);
		expect(rows()).toMatchObject([{ id: 2, link: 'https://example.com/fox', holder: '7' }]);
		expect(await found(open)).toStrictEqual([{ ...bought(purchase), accounts: [] }]);
	});

	it('of another process is written by the last one who has it', async () => {
		const { open, rows } = setUp();
		const purchase = sent();
		await open().add(purchase);
		const other = open();
		const shared = await other.find(['a request'], 0);
		await other.write(shared.map((each) => ({ ...each, holder: '8' })));

		expect(rows()).toMatchObject([{ id: 2, entry: purchase.entry, holder: '8' }]);
	});

	it('that is written several times loses only its latest row each time', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		const purchase = sent();
		await log.add(purchase);
		for (const holder of ['7', '8', '9']) await log.write([bought(purchase, { holder })]);

		expect(rows()).toMatchObject([{ id: 4, holder: '9' }]);
		expect(n8n.calls.at(-1)?.parameters.filters).toStrictEqual({
			conditions: [{ keyName: 'id', condition: 'eq', keyValue: 3 }],
		});
	});

	it('that was not charged leaves no row', async () => {
		const { open, rows } = setUp();
		const log = open();
		const [one, other] = [sent(), sent()];
		await Promise.all([log.add(one), log.add(other)]);
		await log.remove([one]);

		expect(rows()).toMatchObject([{ entry: other.entry }]);
		expect([log.has(one), log.has(other)]).toStrictEqual([false, true]);
	});

	it('that was written and removed in one moment is as the last call says', async () => {
		const { open, rows } = setUp();
		const log = open();
		const [one, other] = [sent(), sent()];
		await Promise.all([log.add(one), log.add(other)]);
		await Promise.all([
			log.write([purchaseWith()]),
			log.write([bought(one)]),
			log.remove([one, other]),
			log.write([bought(other)]),
		]);

		expect(rows().map(({ entry }) => entry)).toStrictEqual([expect.anything(), other.entry]);
		expect(rows()[1]).toMatchObject({ link: 'https://example.com/fox' });
	});
});

describe('calls that meet', () => {
	it('add their rows together', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		await log.find(['a request'], 0);
		await Promise.all(Array.from({ length: 25 }, async () => await log.add(sent())));

		expect(rows()).toHaveLength(25);
		expect(n8n.operations.filter((operation) => operation === 'insert')).toHaveLength(1);
	});

	it('write and remove together in two calls', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		const purchases = Array.from({ length: 25 }, () => sent());
		await Promise.all(purchases.map(async (purchase) => await log.add(purchase)));
		const before = n8n.calls.length;
		await Promise.all([
			...purchases.slice(1).map(async (purchase) => await log.write([bought(purchase)])),
			log.remove(purchases.slice(0, 1)),
		]);

		expect(rows().filter(({ link }) => link !== null)).toHaveLength(24);
		expect(rows()).toHaveLength(24);
		expect(n8n.operations.slice(before)).toStrictEqual(['insert', 'deleteRows']);
	});

	it('of two runs in one process leave one row, whichever comes last', async () => {
		let calls = 0;
		const { open, rows } = setUp({ latency: () => (calls++ % 3) * 2 });
		const ids: TableIds = new Map();
		const [one, other] = [open(ids), open(ids)];
		const purchase = sent();
		await one.add(purchase);
		await other.find(['a request'], 0);
		await Promise.all([
			one.write([bought(purchase)]),
			other.write([bought(purchase, { holder: '8' })]),
		]);

		expect(rows()).toHaveLength(1);
	});
});

describe('a purchase with several rows', () => {
	it('counts as the newest says, and the next write leaves one', async () => {
		const { n8n, open, rows } = setUp();
		const purchase = sent();
		await open().add(purchase);
		// n8n is killed after the insert.
		const table = n8n.table(LOG);
		table.add(table.prepare([toCells(bought(purchase))], new Date().toISOString()));
		const log = open();
		const read = await log.find(['a request'], 0);
		expect(read).toMatchObject([{ result: resultOf('fox'), logged: { rowIds: [2, 1] } }]);

		await log.write(read);
		expect(rows()).toMatchObject([{ id: 3, entry: purchase.entry }]);
	});

	it('because its old row could not be removed loses it with the next write', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		const purchase = sent();
		await log.add(purchase);
		n8n.fail('none', 'before');
		await expect(log.write([bought(purchase)])).rejects.toThrow('did not answer');
		expect(await found(open)).toMatchObject([{ result: resultOf('fox') }]);

		await log.write([bought(purchase, { holder: '' })]);
		expect(rows()).toMatchObject([{ id: 3, holder: null }]);
	});

	it('because n8n did not say that it added one loses the old ones with the next write', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		const purchase = sent();
		await log.add(purchase);
		n8n.fail('after');
		await expect(log.write([bought(purchase)])).rejects.toThrow('did not answer');
		expect(await found(open)).toMatchObject([
			{ result: resultOf('fox'), logged: { rowIds: [2, 1] } },
		]);

		await log.write([purchase]);
		expect(rows()).toMatchObject([{ id: 3 }]);
	});

	it('because another process wrote it loses that row when this one writes it', async () => {
		const { open, rows } = setUp();
		const purchase = sent();
		await open().add({ ...purchase });
		await open().write([bought(purchase)]);

		expect(rows()).toMatchObject([{ id: 2, link: 'https://example.com/fox' }]);
	});
});

describe('a table that can’t be written', () => {
	it('refuses the request, and has no row of it even if it took one', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		await log.find(['a request'], 0);
		n8n.fail('after');
		const purchase = sent();
		await expect(log.add(purchase)).rejects.toMatchObject({ failure: { kind: 'bad input' } });

		await until(() => rows().length === 0);
		expect(log.has(purchase)).toBe(false);
	});

	it('refuses the request if all tables are full, and still tells what it has', async () => {
		const { n8n, open } = setUp();
		const log = open();
		const purchase = sent();
		await log.add(purchase);
		n8n.isFull = true;

		await expect(log.add(sent())).rejects.toThrow("n8n's data tables are full");
		await expect(log.write([bought(purchase)])).rejects.toThrow("n8n's data tables are full");
		expect(entriesOf(await log.find(['a request'], 0))).toStrictEqual([purchase.entry]);
	});

	it('concerns only those who met the call that did not succeed', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		await log.find(['a request'], 0);
		n8n.fail('before');
		const first = log.add(sent());
		const second = sent();

		const later = log.add(second);
		await expect(first).rejects.toThrow('did not answer');
		await expect(later).rejects.toThrow('did not answer');
		await expect(log.add(second)).resolves.toBeUndefined();
		expect(rows()).toHaveLength(1);
	});
});

describe('after a time limit', () => {
	it('rows change in place and go without an answer, also those that a write was just replacing', async () => {
		const { caller, open, rows, n8n } = setUp({ latency: () => 5 });
		const log = open();
		const [one, other, uncharged] = [sent(), sent(), sent()];
		await Promise.all([one, other, uncharged].map(async (each) => await log.add(each)));
		const before = n8n.calls.length;
		const writing = log.write([bought(one)]);
		await until(() => n8n.calls.length > before);
		caller.isOver = true;
		const next = log.write([bought(other)]);
		log.writeWithoutWaiting([bought(one, { holder: '' }), bought(other, { holder: '' })], '7');
		log.removeWithoutWaiting([uncharged]);

		await expect(writing).rejects.toThrow('timed out');
		await expect(next).rejects.toThrow('timed out');
		await until(() => rows().every(({ holder }) => holder === null));
		expect(new Set(rows().map(({ entry }) => entry))).toStrictEqual(
			new Set(entriesOf([one, other])),
		);
		expect(n8n.uncaught).toStrictEqual([]);
	});

	it('a table that is away ends nothing', async () => {
		const { caller, open, n8n } = setUp();
		const log = open();
		const purchase = sent();
		await log.add(purchase);
		caller.isOver = true;
		n8n.fail('before', 'before');
		log.writeWithoutWaiting([bought(purchase)], '7');
		log.removeWithoutWaiting([purchase]);

		await until(() => n8n.calls.length === 5);
		await new Promise(setImmediate);
		expect(n8n.uncaught).toStrictEqual([]);
	});
});

it('after Stop, what is written without waiting comes after the write that is in progress', async () => {
	const { open, rows } = setUp({ latency: () => 5 });
	const log = open();
	const purchase = sent();
	await log.add(purchase);
	const writing = log.write([bought(purchase)]);
	log.writeWithoutWaiting([bought(purchase, { holder: '' })], '7');
	await writing;

	await until(() => rows()[0]?.holder === null);
	expect(rows()).toMatchObject([{ id: 2, link: 'https://example.com/fox' }]);
});

it('after Stop, a row that another execution has taken over stays as it is', async () => {
	const { open, rows } = setUp();
	const log = open();
	const [taken, own] = [sent(), sent()];
	await Promise.all([taken, own].map(async (each) => await log.add(each)));
	await open().write([bought(taken, { holder: '8' })]);
	log.writeWithoutWaiting([bought(taken, { holder: '' }), bought(own, { holder: '' })], '7');

	await until(() => rows().some(({ holder }) => holder === null));
	const holders = new Map(rows().map(({ entry, holder }) => [entry, holder]));
	expect([taken, own].map(({ entry }) => holders.get(entry))).toStrictEqual(['8', null]);
});

it('a purchase that could not be written is added later, unless another process has written it meanwhile', async () => {
	const { n8n, open, rows } = setUp();
	const log = open();
	const [own, taken, unwritten] = [sent(), sent(), sent()];
	await Promise.all([own, taken].map(async (each) => await log.add(each)));
	await open().write([bought({ ...taken }, { holder: '8' })]);
	n8n.fail('before');
	await expect(log.write([bought(own), bought(taken)])).rejects.toThrow('did not answer');
	await log.complete([own, taken, bought(unwritten)]);

	const holders = new Map(rows().map(({ entry, link, holder }) => [entry, link && holder]));
	expect(holders).toStrictEqual(
		new Map([
			[taken.entry, '8'],
			[own.entry, '7'],
			[unwritten.entry, '7'],
		]),
	);
	expect([own, taken, unwritten].map((each) => log.has(each))).toStrictEqual([true, true, true]);
});

describe('reading', () => {
	it('finds the purchases of up to 100 requests in one call, the latest first', async () => {
		const { n8n, open } = setUp();
		const log = open();
		const requests = Array.from({ length: 100 }, (_, index) => `request ${index}`);
		const purchases = requests.map((request, index) => purchaseWith({ request, time: index }));
		await log.write([...purchases, purchaseWith({ request: 'another one' })]);
		const before = n8n.calls.length;

		const read = await log.find(requests, 0);
		expect(entriesOf(read)).toStrictEqual(entriesOf(purchases).reverse());
		expect(n8n.calls.length).toBe(before + 1);
		await log.find([...requests, 'another one'], 0);
		expect(n8n.calls.length).toBe(before + 3);
	});

	it('asks nothing if there is no request', async () => {
		const { n8n, open } = setUp();

		expect(await open().find([], 0)).toStrictEqual([]);
		expect(n8n.calls).toStrictEqual([]);
	});

	it('leaves out what is older than it asks for', async () => {
		const { open } = setUp();
		const log = open();
		const [old, young] = [purchaseWith({ time: 1000 }), purchaseWith({ time: 2000 })];
		await log.write([old, young, purchaseWith({ time: 2000, node: 'another node' })]);

		expect(entriesOf(await log.find(['a request'], 2000))).toContain(young.entry);
		expect(entriesOf(await log.find(['a request'], 2000))).not.toContain(old.entry);
		expect(entriesOf(await log.ofNode('a node', 2000))).toStrictEqual([young.entry]);
		expect(entriesOf(await log.ofNode('a node', 0))).toStrictEqual(entriesOf([young, old]));
	});

	it('finds each request’s newest 50 beside one with very many rows', async () => {
		const { n8n, open } = setUp();
		const log = open();
		const rare = Array.from({ length: 60 }, (_, index) =>
			purchaseWith({ request: 'rare', time: index }),
		);
		const rarest = purchaseWith({ request: 'rarest' });
		await log.write([rarest, ...rare]);
		await log.write(Array.from({ length: 300 }, () => purchaseWith({ request: 'frequent' })));
		const before = n8n.calls.length;

		const read = await log.find(['rare', 'frequent', 'rarest', 'unknown'], 0);
		const of = (name: string) => read.filter(({ request }) => request === name);
		expect(entriesOf(of('rare'))).toStrictEqual(entriesOf(rare).reverse());
		expect(entriesOf(of('rarest'))).toStrictEqual([rarest.entry]);
		expect(of('frequent')).toHaveLength(200);
		expect(n8n.calls.length).toBe(before + 2);
	});

	it('counts all purchases of a node, as many as there are', async () => {
		const { open } = setUp();
		const log = open();
		await log.write(Array.from({ length: 1100 }, () => purchaseWith()));

		expect(await log.ofNode('a node', 0)).toHaveLength(1100);
	});

	it('takes rows that people have edited as far as they can be read, and writes them again', async () => {
		const { n8n, open, rows } = setUp();
		const log = open();
		const purchases = [purchaseWith(), purchaseWith(), purchaseWith()];
		await log.write(purchases);
		const table = n8n.table(LOG);
		table.edit(1, { entry: '', holder: '', result: 'nonsense' });
		table.edit(2, { round: 'first', time: null, manual: 'perhaps' });
		const other = open();
		const read = await other.find(['a request'], 0);
		expect(new Set(entriesOf(read))).toStrictEqual(
			new Set(['row 1', ...entriesOf(purchases.slice(1))]),
		);
		expect(read.every(({ result }) => result?.output_url === 'https://example.com/owl')).toBe(true);

		await other.write(read);
		expect(rows()).toHaveLength(3);
		expect(rows().every(({ id }) => id > 3)).toBe(true);
	});

	it('reads and writes a table that people have exported and imported, in which numbers are no texts', async () => {
		const { n8n, open } = setUp();
		await open().write([purchaseWith({ execution: '12', holder: '12' })]);
		n8n.reimport(LOG);
		const log = open();
		const read = await log.find(['a request'], 0);
		expect(read).toMatchObject([{ execution: '12', holder: '12', result: resultOf('owl') }]);

		await log.write(read.map((each) => ({ ...each, holder: '' })));
		await log.add(sent({ execution: '13', holder: '13' }));
		expect((await log.find(['a request'], 0)).map(({ holder }) => holder)).toStrictEqual(
			expect.arrayContaining(['', '13']) as string[],
		);
	});
});

describe('whether the table has a purchase', () => {
	it('is known of what this process wrote or read, also in its later runs', async () => {
		const { open } = setUp();
		const [written, foreign, journaled] = [sent(), sent({ request: 'theirs' }), sent()];
		await open().add(written);
		await open().add(foreign);
		const later = open();
		const [read = foreign] = await later.find(['theirs'], 0);

		expect([written, read, journaled].map((each) => later.has(each))).toStrictEqual([
			true,
			true,
			false,
		]);
		await later.write([journaled]);
		expect(later.has(journaled)).toBe(true);
	});

	it('is asked again of a table that somebody has made again, whose rows have other ids', async () => {
		const { n8n, open, rows } = setUp();
		const ids: TableIds = new Map();
		const [old, other] = [sent(), sent({ entry: 'of another process' })];
		await open(ids).add(old);
		n8n.delete(LOG);
		await open().add(other);
		const log = open(ids);
		await log.find(['a request'], 0);
		expect(log.has(old)).toBe(false);

		await log.write([bought(old)]);
		expect(rows().map(({ entry }) => entry)).toStrictEqual([other.entry, old.entry]);
	});
});

it('a slow table delays no request by more than two inserts', async () => {
	const clock: TableClock = { timeOfDay: () => Date.now(), wait: async () => {} };
	const { n8n, open } = setUp({ clock });
	const log = open();
	await log.find(['a request'], 0);
	const before = n8n.calls.length;
	const first = log.add(sent());
	await until(() => n8n.calls.length > before);
	await Promise.all([first, ...Array.from({ length: 99 }, async () => await log.add(sent()))]);

	expect(n8n.operations.slice(before)).toStrictEqual(['insert', 'insert']);
});
