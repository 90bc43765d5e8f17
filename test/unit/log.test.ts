import { DataTable } from '../../nodes/ImageGeneration/recall/log/dataTable';
import { PurchaseLog } from '../../nodes/ImageGeneration/recall/log/purchaseLog';
import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';
import { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';
import { resultOf } from '../support/jobs';
import { N8nTables, type Outage } from '../support/n8nTables';
import { live, purchaseWith } from '../support/purchases';

const NAME = 'A log';
const { signal } = new AbortController();

/** A log as a run in a process of an n8n sees it. */
function openIn(n8n: N8nTables, name = 'here', isTimedOut?: () => boolean) {
	const process = new N8nProcess(name);
	const open = () => {
		const table = new DataTable(n8n.contextOf(isTimedOut && { isTimedOut }), process.tables, NAME);
		return new PurchaseLog(table, process.pendingWritesOf(table.key), process);
	};
	return { process, open, log: open() };
}

function setUp() {
	const n8n = new N8nTables();
	const { process, log, open } = openIn(n8n);
	/** A request of a run of this process that goes on, in the journal and in the table. */
	const sent = async (more: Partial<Purchase> = {}) => {
		const purchase = purchaseWith({ run: 'here.1', state: 'sent', result: undefined, ...more });
		process.journal.beginRun(purchase.run, live(signal));
		process.journal.put(purchase, Date.now());
		await log.reserve(purchase);
		return purchase;
	};
	const write = async (purchase: Purchase, set: Partial<Purchase>) => {
		Object.assign(purchase, set);
		log.writeSoon(purchase);
		await log.flush();
	};
	const rows = () => n8n.table(NAME).rows;
	const edit = (id: number, cells: object) => {
		n8n.table(NAME).edit(id, cells);
	};
	return { n8n, process, log, open, sent, write, rows, edit };
}

const BOUGHT = { state: 'bought', result: resultOf('owl') } as const;

describe('a request', () => {
	it('has its row before it goes out, or is not made', async () => {
		const { n8n, log, rows } = setUp();
		await log.reserve(purchaseWith({ entry: 'one', state: 'sent' }));
		expect(rows()).toMatchObject([{ entry: 'one', state: 'sent' }]);

		n8n.fail('before');
		await expect(log.reserve(purchaseWith({ state: 'sent' }))).rejects.toThrow('did not answer');
		await log.flush();
		expect(rows()).toHaveLength(1);
	});

	it('whose row was written without an answer leaves none behind', async () => {
		const { n8n, log, rows } = setUp();
		await log.reserve(purchaseWith({ entry: 'one', state: 'sent' }));
		n8n.fail('after');
		await expect(log.reserve(purchaseWith({ state: 'sent' }))).rejects.toThrow('did not answer');
		await log.flush();

		expect(rows()).toMatchObject([{ entry: 'one' }]);
	});

	it('of several that meet go in one call', async () => {
		const { n8n, sent } = setUp();
		await Promise.all(Array.from({ length: 20 }, async () => await sent()));

		expect(n8n.operations).toStrictEqual(['list', 'create', 'insert']);
	});
});

describe('the mirror', () => {
	it('puts the result of a request into a new row, and removes the old one after it', async () => {
		const { n8n, sent, write, rows } = setUp();
		const purchase = await sent();
		await write(purchase, BOUGHT);

		expect(rows()).toMatchObject([{ id: 2, state: 'bought', link: resultOf('owl').output_url }]);
		expect(n8n.operations.slice(-2)).toStrictEqual(['insert', 'deleteRows']);
	});

	it('changes all purchases of a run that end in the same way in one call', async () => {
		const { n8n, process, log, sent, rows } = setUp();
		const purchases = await Promise.all(Array.from({ length: 50 }, async () => await sent()));
		for (const purchase of purchases) Object.assign(purchase, BOUGHT);
		log.writeSoon(...purchases);
		await log.flush();
		for (const [index, purchase] of purchases.entries()) {
			purchase.state = index < 3 ? 'left' : 'delivered';
		}
		process.journal.endRun('here.1');
		const before = n8n.calls.length;
		log.writeSoon(...purchases);
		await log.flush();

		const updates = n8n.calls.slice(before).filter(({ operation }) => operation === 'update');
		expect(updates.length).toBeLessThanOrEqual(2);
		expect(rows().filter(({ state }) => state === 'left')).toHaveLength(3);
		expect(rows().filter(({ state }) => state === 'delivered')).toHaveLength(47);
	});

	it('adds the row again if somebody has deleted it, or the table', async () => {
		const { n8n, open, sent, write, rows } = setUp();
		const purchase = await sent();
		n8n.table(NAME).deleteRow(1);
		await write(purchase, BOUGHT);
		expect(rows()).toMatchObject([{ state: 'bought' }]);

		n8n.delete(NAME);
		purchase.state = 'delivered';
		const log = open();
		log.writeSoon(purchase);
		await log.flush();
		expect(rows()).toMatchObject([{ id: 1, entry: purchase.entry, state: 'delivered' }]);
	});

	it('takes for its own a row whose run somebody has cleared, and edits no row of another purchase with its id', async () => {
		const { n8n, open, sent, write, rows, edit } = setUp();
		const purchase = await sent();
		edit(1, { run: null });
		await write(purchase, BOUGHT);
		expect(rows()).toMatchObject([{ state: 'bought', run: 'here.1' }]);

		n8n.delete(NAME);
		const other = openIn(n8n, 'there');
		await other.log.reserve(purchaseWith({ entry: 'other', run: 'there.1', state: 'sent' }));
		await other.log.reserve(purchaseWith({ entry: 'another', run: 'there.1', state: 'sent' }));
		const again = open();
		purchase.state = 'delivered';
		again.writeSoon(purchase);
		await again.flush();
		expect(rows().map(({ entry, state }) => [entry, state])).toStrictEqual([
			['other', 'sent'],
			['another', 'sent'],
			[purchase.entry, 'delivered'],
		]);
	});

	it('writes nothing over what another run has made its own, and forgets that purchase', async () => {
		const { n8n, process, sent, write, rows } = setUp();
		const purchase = await sent();
		await write(purchase, BOUGHT);
		process.journal.endRun('here.1');
		const other = openIn(n8n, 'there');
		const [row] = await other.log.rows.find([purchase.request], 1, 'a node', Date.now());
		if (row === undefined) throw new Error('There is no row');
		const taken = { ...row, run: 'there.1', execution: '9', taken: 1 };
		expect([...(await other.log.take([{ purchase: taken, asRead: row }]))]).toStrictEqual([
			purchase.entry,
		]);
		await write(purchase, { state: 'left' });

		expect(rows()).toMatchObject([{ run: 'there.1', execution: '9', state: 'bought', taken: '1' }]);
		expect(process.journal.get(purchase)).toBeUndefined();
	});

	it.each<[when: string, outages: Outage[]]>([
		['before it was written', ['before']],
		['after it was written', ['after']],
		['several times', ['before', 'after', 'before', 'after']],
	])('says in the end what is true if the database does not answer %s', async (_when, outages) => {
		const { n8n, log, open, process, sent, rows } = setUp();
		const purchase = await sent();
		for (const state of ['bought', 'delivered', 'left'] as const) {
			Object.assign(purchase, { ...BOUGHT, state });
			if (state !== 'bought') process.journal.endRun('here.1');
			n8n.fail(...outages);
			log.writeSoon(purchase);
			for (let call = 0; call < outages.length; call++) {
				await log.flush().catch(() => undefined);
			}
		}
		await open().flush();

		expect(rows()).toMatchObject([{ entry: purchase.entry, state: 'left' }]);
		expect(log.isPending(purchase)).toBe(false);
	});

	it.each(['before', 'after'] as const)(
		'keeps the row of an image whose result the database does not take, %s it was written, if its run then ends',
		async (outage) => {
			const { n8n, process, log, sent, rows } = setUp();
			const purchase = await sent();
			Object.assign(purchase, BOUGHT);
			n8n.fail(outage);
			log.writeSoon(purchase);
			await new Promise((resolve) => setTimeout(resolve, 20));
			process.journal.endRun('here.1');
			purchase.state = 'left';
			log.writeSoon(purchase);
			await log.flush();

			expect(rows()).toMatchObject([{ entry: purchase.entry, state: 'left' }]);
		},
	);

	it('writes at a time limit without an answer, and the next call makes sure', async () => {
		const n8n = new N8nTables();
		const state = { isTimedOut: false };
		const { process, log, open } = openIn(n8n, 'here', () => state.isTimedOut);
		const purchase = purchaseWith({ run: 'here.1', ...BOUGHT });
		process.journal.put(purchase, Date.now());
		await log.reserve(purchase);
		state.isTimedOut = true;
		purchase.state = 'left';
		log.writeSoon(purchase);
		await log.flushAtStop();
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(n8n.table(NAME).rows).toMatchObject([{ state: 'left' }]);
		expect(log.isPending(purchase)).toBe(true);

		state.isTimedOut = false;
		await open().flush();
		expect(log.isPending(purchase)).toBe(false);
		expect(n8n.table(NAME).rows).toHaveLength(1);
	});
});

describe('what is found', () => {
	/** A table with these rows, written by another process, one after the other. */
	async function tableWith(...purchases: Array<Partial<Purchase>>) {
		const setup = setUp();
		const other = openIn(setup.n8n, 'there');
		for (const each of purchases) await other.log.reserve(purchaseWith(each));
		return setup;
	}
	const many = (count: number, more: Partial<Purchase>) =>
		Array.from({ length: count }, () => ({ request: 'busy', ...more }));
	const entriesOf = (found: readonly Purchase[]) => found.map(({ entry }) => entry).sort();

	it('includes an image that was left behind more than twenty newer rows of its request', async () => {
		const { log } = await tableWith(
			...many(30, { state: 'left' }),
			...many(30, { state: 'delivered' }),
		);
		const found = await log.rows.find(['busy'], 1, 'a node', Date.now());

		expect(found.filter(({ state }) => state === 'left')).toHaveLength(30);
	});

	it('includes what the node has delivered, however many newer rows of the request another node has', async () => {
		const { log } = await tableWith(
			{ request: 'busy', entry: 'own' },
			...many(30, { node: 'another node' }),
		);
		const found = await log.rows.find(['busy'], 1, 'a node', Date.now());

		expect(entriesOf(found)).toContain('own');
	});

	it('includes it also if newer ones of its own hide it', async () => {
		const { log } = await tableWith({ request: 'busy', entry: 'own' }, ...many(30, {}));
		const found = await log.rows.find(['busy'], 1, 'a node', Date.now());

		expect(entriesOf(found)).toContain('own');
	});

	it('includes the latest rows of each request, however many another one has', async () => {
		const { log, n8n } = await tableWith(
			{ request: 'quiet', entry: 'quiet' },
			...many(60, { state: 'delivered' }),
		);
		const found = await log.rows.find(['busy', 'quiet', 'none'], 1, 'a node', Date.now());

		expect(found.map(({ request }) => request)).toContain('quiet');
		expect(n8n.operations.filter((each) => each === 'get').length).toBeLessThanOrEqual(4);
	});

	it('comes to an end on a full page of rows that say another number than was asked for', async () => {
		const { log, n8n } = await tableWith(...many(25, { request: '7' }));
		n8n.reimport(NAME);
		const found = await log.rows.find(['7.0'], 1, 'a node', Date.now());

		expect(found.filter(({ request }) => request === '7.0')).toStrictEqual([]);
	});

	it('is the latest of several rows of one purchase, and the next call removes the others', async () => {
		const { log, rows } = await tableWith(
			{ entry: 'twice', state: 'sent', request: 'a' },
			{ entry: 'twice', state: 'bought', request: 'a' },
		);
		expect(await log.rows.find(['a'], 1, 'a node', Date.now())).toMatchObject([
			{ state: 'bought' },
		]);
		await log.flush();

		expect(rows()).toMatchObject([{ id: 2 }]);
	});

	it('is untold if it is no more than sent, or was left, and nobody was told', async () => {
		const { log } = await tableWith(
			{ entry: 'sent', state: 'sent' },
			{ entry: 'left', state: 'left' },
			{ entry: 'told', state: 'left', told: true },
			{ entry: 'delivered', state: 'delivered' },
			{ entry: 'other', state: 'left', node: 'another node' },
			{ entry: 'answered', state: 'sent' },
			{ entry: 'answered', state: 'delivered' },
		);

		expect(entriesOf(await log.rows.findUntold('a node'))).toStrictEqual(['left', 'sent']);
	});

	it('is what the node bought since a time, each purchase once', async () => {
		const now = Date.now();
		const { log } = await tableWith(
			{ entry: 'old', time: now - 10_000 },
			{ entry: 'new', time: now, state: 'sent' },
			{ entry: 'new', time: now },
			{ entry: 'other', time: now, node: 'another node' },
		);

		expect(entriesOf(await log.rows.findSince('a node', now - 5000, 9))).toStrictEqual(['new']);
	});

	it.each([
		['texts are numbers and empty cells null after an export and import', 'reimport'],
		['everything but what it needs was cleared', 'clear'],
	] as const)('counts as far as it can be read if %s', async (_what, how) => {
		const { log, n8n, rows, edit } = await tableWith({
			entry: 'one',
			state: 'left',
			execution: '12',
		});
		if (how === 'reimport') n8n.reimport(NAME);
		else
			for (const { id } of rows())
				edit(id, { time: null, told: '', taken: null, run: null, execution: null });
		const [found] = await log.rows.find(['a request'], 1, 'a node', Date.now());

		expect(found).toMatchObject({ state: 'left', result: resultOf('owl') });
		if (found === undefined) return;
		const taken = { ...found, run: 'here.1', taken: found.taken + 1 };
		expect((await log.take([{ purchase: taken, asRead: found }])).size).toBe(1);
	});
});

describe('two processes that want to take the same image', () => {
	async function race(...outages: Array<Outage | 'none'>) {
		const { n8n, log } = setUp();
		await log.reserve(purchaseWith({ entry: 'one', state: 'left' }));
		const processes = ['one', 'two'].map((name) => openIn(n8n, name).log);
		const read = await Promise.all(
			processes.map(async (each) => await each.rows.find(['a request'], 1, 'a node', Date.now())),
		);
		n8n.fail(...outages);
		return await Promise.all(
			processes.map(async (each, index) => {
				const [row] = read[index] ?? [];
				if (row === undefined) throw new Error('There is no row');
				const purchase: Purchase = { ...row, run: `p${index}.1`, state: 'bought', taken: 1 };
				return (await each.take([{ purchase, asRead: row }])).size;
			}),
		);
	}

	it('do not both get it', async () => {
		expect((await race()).sort()).toStrictEqual([0, 1]);
	});

	it('learn who got it even if the database does not answer the first one', async () => {
		expect((await race('after')).sort()).toStrictEqual([0, 1]);
		expect((await race('before')).sort()).toStrictEqual([0, 1]);
	});

	it('buy nothing if they can’t learn it', async () => {
		await expect(race('after', 'none', 'before')).rejects.toThrow('did not answer');
	});
});
