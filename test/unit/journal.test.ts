import { Journal, REMEMBERED_FOR } from '../../nodes/ImageGeneration/recall/journal';
import type { Purchase } from '../../nodes/ImageGeneration/recall/purchase';
import { live, purchaseWith } from '../support/purchases';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const { signal } = new AbortController();
const at = (age: number, more: Partial<Purchase> = {}) =>
	purchaseWith({ time: NOW - age, ...more });
const fill = (journal: Journal, count: number, more: Partial<Purchase>) => {
	for (let index = 0; index < count; index++) journal.put(at(count - index, more), NOW);
};
const statesIn = (journal: Journal) => {
	const counts: Record<string, number> = {};
	for (const { state, execution } of journal.of('a node')) {
		const name = `${state} ${execution}`.trim();
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
};

describe('the journal', () => {
	it('keeps 1,000 purchases of a node, and forgets first what ended well, then what was delivered, and last what was left', () => {
		const journal = new Journal((execution) => execution === 'well');
		fill(journal, 300, { state: 'left', execution: '' });
		fill(journal, 300, { state: 'sent', execution: '' });
		fill(journal, 300, { state: 'delivered', execution: '' });
		fill(journal, 300, { state: 'delivered', execution: 'well' });
		expect(statesIn(journal)).toStrictEqual({
			left: 300,
			sent: 300,
			delivered: 300,
			'delivered well': 100,
		});

		fill(journal, 500, { state: 'left', execution: 'new' });
		expect(statesIn(journal)).toStrictEqual({ left: 300, sent: 200, 'left new': 500 });
		fill(journal, 400, { state: 'left', execution: 'newer' });
		expect(statesIn(journal)).toStrictEqual({ left: 100, 'left new': 500, 'left newer': 400 });
	});

	it('forgets what is older than 80 hours, and nothing of a run that goes on', () => {
		const journal = new Journal(() => true);
		journal.beginRun('live', live(signal));
		journal.put(at(REMEMBERED_FOR + 1, { entry: 'live', run: 'live' }), NOW);
		journal.put(at(REMEMBERED_FOR + 1, { entry: 'old' }), NOW);
		fill(journal, 1200, { run: 'live' });

		expect(journal.get({ node: 'a node', entry: 'old' })).toBeUndefined();
		expect(journal.get({ node: 'a node', entry: 'live' })).toBeDefined();
		expect(journal.of('a node')).toHaveLength(1201);
	});

	it('keeps the 1,000 nodes that bought last', () => {
		const journal = new Journal(() => false);
		for (let node = 0; node < 1000; node++) journal.put(at(0, { node: `${node}` }), NOW);
		journal.put(at(0, { node: '0' }), NOW);
		journal.put(at(0, { node: 'new' }), NOW);

		expect(journal.of('0')).toHaveLength(2);
		expect(journal.of('1')).toHaveLength(0);
		expect(journal.of('new')).toHaveLength(1);
	});

	it('knows a run as live until it ends or is stopped', () => {
		const journal = new Journal(() => false);
		const stop = new AbortController();
		journal.beginRun('ended', live(signal));
		journal.beginRun('stopped', live(stop.signal));
		expect(['ended', 'stopped', 'unknown'].map((run) => journal.isLive(run))).toStrictEqual([
			true,
			true,
			false,
		]);
		journal.endRun('ended');
		stop.abort();

		expect(['ended', 'stopped'].map((run) => journal.isLive(run))).toStrictEqual([false, false]);
	});
});
