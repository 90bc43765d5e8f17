import { awaitAnswer } from '../../nodes/ImageGeneration/buy/awaitAnswer';
import type { Outcome } from '../../nodes/ImageGeneration/failures/failures';
import { DataTable } from '../../nodes/ImageGeneration/recall/log/dataTable';
import { PurchaseLog } from '../../nodes/ImageGeneration/recall/log/purchaseLog';
import type { Offer } from '../../nodes/ImageGeneration/recall/offers';
import { Purchases } from '../../nodes/ImageGeneration/recall/purchases';
import { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';
import type { JobResult } from '../../nodes/ImageGeneration/types';
import { jobFor, resultOf } from '../support/jobs';
import { N8nTables } from '../support/n8nTables';
import { live, purchaseWith } from '../support/purchases';
import { until } from '../support/until';

const NAME = 'A log';
const FOX = jobFor('A fox');

/** A process and its runs, which share a log. */
function processIn(n8n: N8nTables, name: string) {
	const process = new N8nProcess(name);
	const begin = (number: number) => {
		const run = `${name}.${number}`;
		process.journal.beginRun(run, live(new AbortController().signal));
		const table = new DataTable(n8n.contextOf(), process.tables, NAME);
		return new Purchases({
			process,
			log: new PurchaseLog(table, process.pendingWritesOf(table.key), process),
			run,
			common: { accounts: ['an account'], node: 'a node', execution: run, parent: '' },
			operation: 'generate',
			workflow: 'A workflow',
			onMissing: () => {},
		});
	};
	return { process, begin };
}

const offersOf = async (purchases: Purchases) => {
	const [offer] = [...(await purchases.offers.find([FOX], false)).values()].flat();
	if (offer === undefined) throw new Error('There is no offer');
	return new Map([[FOX, offer]]);
};

it('an image of a stopped run that is still busy is not taken from a process that was faster', async () => {
	const n8n = new N8nTables();
	const here = processIn(n8n, 'here');
	const stopped = here.begin(1);
	await stopped.send(FOX);
	await stopped.bought(FOX, resultOf('fox'));
	await stopped.leaveAll([]);
	const faster = processIn(n8n, 'there').begin(1);
	const first = await faster.offers.take(await offersOf(faster));
	const slower = here.begin(2);
	const second = await slower.offers.take(await offersOf(slower));

	expect([first.size, second.size]).toStrictEqual([1, 0]);
	expect(n8n.table(NAME).rows).toMatchObject([{ run: 'there.1', state: 'bought', taken: '1' }]);
});

it('the answer to a request of a stopped run is kept, however much a large run buys meanwhile', async () => {
	const n8n = new N8nTables();
	const { process, begin } = processIn(n8n, 'here');
	const stopped = begin(1);
	const purchase = await stopped.send(FOX);
	stopped.stop();
	let answer: (outcome: Outcome<JobResult>) => void = () => {};
	const answered = new Promise<Outcome<JobResult>>((resolve) => (answer = resolve));
	awaitAnswer(stopped, purchase, answered, () => {});
	begin(2);
	for (let index = 0; index < 1000; index++) {
		process.journal.put(purchaseWith({ run: 'here.2' }), Date.now());
	}
	expect(process.journal.get(purchase)).toBeUndefined();
	answer({ value: resultOf('fox') });
	await until(() => n8n.table(NAME).rows[0]?.state === 'left');

	expect((await offersOf(begin(3))).get(FOX)?.purchase.result).toStrictEqual(resultOf('fox'));
	expect(n8n.table(NAME).rows).toHaveLength(1);
});

it('a request of a stopped run keeps its row as it is until its answer comes, which an earlier change could overtake', async () => {
	const n8n = new N8nTables();
	const stopped = processIn(n8n, 'here').begin(1);
	await stopped.send(FOX);
	const before = n8n.calls.length;
	stopped.stop();
	await stopped.leaveAll([]);

	expect(n8n.calls.slice(before)).toStrictEqual([]);
	expect(n8n.table(NAME).rows).toMatchObject([{ state: 'sent' }]);
});

it('two runs of a process that read the same row do not both get its image, and the one that does keeps it', async () => {
	const n8n = new N8nTables();
	const there = processIn(n8n, 'there').begin(1);
	const { entry } = await there.send(FOX);
	await there.bought(FOX, resultOf('fox'));
	await there.leaveAll([]);
	const { begin } = processIn(n8n, 'here');
	const runs = [begin(1), begin(2)] as const;
	const offers = await Promise.all(runs.map(async (run) => await offersOf(run)));
	const taken = runs.map(
		async ({ offers: own }, index) => await own.take(offers[index] ?? new Map()),
	);
	const sizes = (await Promise.all(taken)).map(({ size }) => size);
	await runs[0].end(new Set([entry]), true);

	expect(sizes).toStrictEqual([1, 0]);
	expect(n8n.table(NAME).rows).toMatchObject([{ run: 'here.1', state: 'delivered', taken: '1' }]);
});

it('an image whose run has ended since its row was read is taken from the row that says so', async () => {
	const n8n = new N8nTables();
	const { process, begin } = processIn(n8n, 'here');
	const stopped = begin(1);
	await stopped.send(FOX);
	const next = begin(2);
	const table = n8n.table(NAME);
	const find = table.find.bind(table);
	let bought: Promise<void> | undefined;
	table.find = (...filters) => {
		bought ??= stopped.bought(FOX, resultOf('fox'));
		return find(...filters);
	};
	const outdated = await offersOf(next);
	process.journal.endRun('here.1');
	const first = await next.offers.take(outdated);
	await bought;
	const second = await next.offers.take(await offersOf(next));
	await next.end(new Set(), true);

	expect(outdated.get(FOX)).toMatchObject({ state: 'bought', row: { state: 'sent' } });
	expect([first.size, second.size]).toStrictEqual([0, 1]);
	expect(n8n.table(NAME).rows).toMatchObject([{ run: 'here.2', state: 'left', taken: '1' }]);
});

it('an image whose row its own run has changed since it was read is there at the next look', async () => {
	const n8n = new N8nTables();
	const there = processIn(n8n, 'there').begin(1);
	await there.send(FOX);
	await there.bought(FOX, resultOf('fox'));
	await until(() => n8n.table(NAME).rows[0]?.state === 'bought');
	const here = processIn(n8n, 'here').begin(1);
	const outdated = await offersOf(here);
	await there.leaveAll([]);
	const first = await here.offers.take(outdated);
	const second = await here.offers.take(await offersOf(here));

	expect([first.size, second.size]).toStrictEqual([0, 1]);
	expect(n8n.table(NAME).rows).toMatchObject([{ run: 'here.1', state: 'bought', taken: '1' }]);
});

it('an image that a run has taken and delivered stays known, although another run read its row before', async () => {
	const n8n = new N8nTables();
	const { process, begin } = processIn(n8n, 'here');
	const stopped = begin(1);
	const purchase = await stopped.send(FOX);
	await stopped.bought(FOX, resultOf('fox'));
	await stopped.leaveAll([]);
	const table = n8n.table(NAME);
	const before = structuredClone(table.rows);
	const faster = begin(2);
	await faster.offers.take(await offersOf(faster));
	await faster.end(new Set([purchase.entry]), true);
	jest.spyOn(table, 'find').mockReturnValueOnce(before);
	await begin(3).offers.find([FOX], false);

	expect(process.journal.get(purchase)).toMatchObject({ run: 'here.2', state: 'delivered' });
});

it('an image that is gone is noted in its row, unless its own run has changed it since', async () => {
	const n8n = new N8nTables();
	const there = processIn(n8n, 'there').begin(1);
	const purchase = await there.send(FOX);
	await there.bought(FOX, resultOf('fox'));
	await until(() => n8n.table(NAME).rows[0]?.state === 'bought');
	const here = processIn(n8n, 'here').begin(1);
	const outdated = await offersOf(here);
	await there.end(new Set([purchase.entry]), true);
	for (const { purchase: read } of outdated.values()) here.markGone(read);
	await here.recording.log?.flush();
	expect(n8n.table(NAME).rows).toMatchObject([{ state: 'delivered', told: null }]);

	for (const { purchase: read } of (await offersOf(here)).values()) here.markGone(read);
	await here.recording.log?.flush();
	expect(n8n.table(NAME).rows).toMatchObject([{ state: 'delivered', request: null, told: 'yes' }]);
});

describe('a take that the table does not answer', () => {
	const leftRow = async () => {
		const n8n = new N8nTables();
		const there = processIn(n8n, 'there').begin(1);
		await there.send(FOX);
		await there.bought(FOX, resultOf('fox'));
		await there.leaveAll([]);
		const here = processIn(n8n, 'here').begin(1);
		return { n8n, here, offers: await offersOf(here) };
	};

	it.each([
		['has not done', ['before'], { run: 'there.1', state: 'left', taken: null }],
		[
			'has not done and can not be asked about',
			['before', 'before'],
			{ run: 'there.1', taken: null },
		],
		['has done and can not be asked about', ['after', 'before'], { run: 'here.1', taken: '1' }],
	] as const)(
		'and %s stops the run before it buys, and leaves the image',
		async (_what, outages, row) => {
			const { n8n, here, offers } = await leftRow();
			n8n.fail(...outages);
			await expect(here.offers.take(offers)).rejects.toThrow();
			await here.recording.log?.flush();

			expect(n8n.table(NAME).rows).toMatchObject([{ ...row, state: 'left' }]);
		},
	);

	it('leaves only that image, and none that its run has taken since', async () => {
		const { n8n, here, offers } = await leftRow();
		const owl = jobFor('An owl');
		const there = processIn(n8n, 'elsewhere').begin(1);
		await there.send(owl);
		await there.bought(owl, resultOf('owl'));
		await there.leaveAll([]);
		const [offer] = [...(await here.offers.find([owl], false)).values()].flat();
		n8n.fail('after', 'before', 'before');
		await expect(here.offers.take(offers)).rejects.toThrow();
		await here.offers.take(new Map([[owl, offer as Offer]]));
		await here.recording.log?.flush();

		expect(n8n.table(NAME).rows).toMatchObject([
			{ run: 'here.1', state: 'left' },
			{ run: 'here.1', state: 'bought' },
		]);
	});

	it('is made again by the next attempt of the run', async () => {
		const { n8n, here, offers } = await leftRow();
		n8n.fail('before');
		await expect(here.offers.take(offers)).rejects.toThrow();
		const again = await here.offers.take(await offersOf(here));

		expect(again.size).toBe(1);
		expect(n8n.table(NAME).rows).toMatchObject([{ run: 'here.1', state: 'bought', taken: '1' }]);
	});
});
