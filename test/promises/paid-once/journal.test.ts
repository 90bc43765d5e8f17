import { Journal, type Flight } from '../../../nodes/ImageGeneration/recall/journal';
import { NodeRun } from '../../../nodes/ImageGeneration/recall/nodeRun';
import type { Purchase } from '../../../nodes/ImageGeneration/recall/purchase';
import { purchaseWith } from '../../support/purchaseWith';

const HOUR = 60 * 60 * 1000;
const NOW = Date.parse('2026-11-28T12:00:00Z');

/** A journal with this many purchases of a node, of which the first is the oldest. */
function journalWith(count: number, more: Partial<Purchase> = {}) {
	const journal = new Journal();
	const purchases = Array.from({ length: count }, (_, index) =>
		purchaseWith({ entry: `${index}`, time: NOW - count + index, ...more }),
	);
	for (const purchase of purchases) journal.put(purchase);
	return { journal, entries: () => journal.of('a node').map(({ entry }) => entry) };
}

it.each([
	['80 hours are kept', 80 * HOUR, 1],
	['more than 80 hours are forgotten', 80 * HOUR + 1, 0],
])('purchases of %s', (_age, age, kept) => {
	const { journal, entries } = journalWith(1, { time: NOW - age });
	journal.trim('a node', 0, NOW);

	expect(entries()).toHaveLength(kept);
	expect(journal.ofRequest('a request')).toHaveLength(kept);
});

it.each([
	[0, 1000],
	[1001, 1001],
	[5000, 1002],
])(
	'the newest 1,000 purchases of a node are kept, or %i if its limit or its run has so many',
	(least, kept) => {
		const { journal, entries } = journalWith(1002);
		journal.trim('a node', least, NOW);

		expect(entries()).toHaveLength(kept);
		expect(entries().at(-1)).toBe('1001');
	},
);

it('of more than 1,000 nodes, the one that has not bought for longest is forgotten', () => {
	const journal = new Journal();
	const nodes = Array.from({ length: 1000 }, (_, index) => `node ${index}`);
	for (const node of [...nodes, 'node 0', 'one more']) journal.put(purchaseWith({ node }));

	expect(journal.of('node 1')).toStrictEqual([]);
	expect(journal.of('node 0')).toHaveLength(2);
	expect(journal.of('one more')).toHaveLength(1);
	expect(journal.ofRequest('a request')).toHaveLength(1001);
});

it('a purchase is found by its node and by its request, whichever node made it, until it is dropped', () => {
	const journal = new Journal();
	const one = purchaseWith();
	const other = purchaseWith({ node: 'another node' });
	for (const purchase of [one, other]) journal.put(purchase);

	expect(journal.of('a node')).toStrictEqual([one]);
	expect(journal.ofRequest('a request')).toStrictEqual([one, other]);
	expect(journal.get(other)).toBe(other);
	journal.drop(one);
	expect(journal.get(one)).toBeUndefined();
	expect(journal.ofRequest('a request')).toStrictEqual([other]);
});

it('an execution is live for a node as long as one of its runs goes on', () => {
	const journal = new Journal();
	const rounds = [0, 1].map((round) => new NodeRun('a node', '7', round, 0));
	for (const run of rounds) journal.begin(run);
	expect(journal.isLive('a node', '7')).toBe(true);
	expect(journal.isLive('another node', '7')).toBe(false);

	for (const [index, run] of rounds.entries()) {
		journal.end(run);
		expect(run.isOver).toBe(true);
		expect(journal.isLive('a node', '7')).toBe(index === 0);
	}
});

it('what the runs of a node plan is added up, and ends with them', () => {
	const journal = new Journal();
	const [one, two, other] = ['a node', 'a node', 'another node'].map((node, index) => {
		const run = new NodeRun(node, `${index}`, 0, 0);
		journal.begin(run);
		run.planned = index + 1;
		return run;
	});
	expect(journal.plannedBy('a node')).toBe(3);
	if (two !== undefined) journal.end(two);

	expect(journal.plannedBy('a node')).toBe(1);
	expect([one?.planned, other?.planned]).toStrictEqual([1, 3]);
});

it('a request is in progress from its entry until it leaves, and expected until its run is over', () => {
	const journal = new Journal();
	const run = new NodeRun('a node', '7', 0, 0);
	const purchase = purchaseWith({ result: undefined });
	const flight: Flight = { purchase, run, sentAt: 0, settled: Promise.resolve() };
	journal.begin(run);
	journal.enter(flight);
	expect(journal.flightsOf('a request')).toStrictEqual([flight]);
	expect(journal.isExpected(purchase)).toBe(true);
	expect(journal.isExpected(purchaseWith({ result: undefined }))).toBe(false);
	journal.end(run);
	expect(journal.isExpected(purchase)).toBe(false);
	expect(journal.flightsOf('a request')).toStrictEqual([flight]);
	journal.leave(flight);

	expect(journal.flightsOf('a request')).toStrictEqual([]);
});

it('the latest ten thousand of n8n’s final words are kept', () => {
	const journal = new Journal();
	for (let id = 0; id <= 10_000; id++) journal.keepWord(`${id}`, id % 2 === 0);

	expect(journal.wordOn('0')).toBeUndefined();
	expect(journal.wordOn('1')).toBe(false);
	expect(journal.wordOn('10000')).toBe(true);
});
