import { Journal } from '../../../nodes/ImageGeneration/recall/journal';
import type { Purchase } from '../../../nodes/ImageGeneration/recall/purchase';

// What n8n's memory has at most, however long it runs.

const NOW = Date.parse('2026-11-28T12:00:00Z');

let purchases = 0;

/** A purchase that the execution 7 made a second ago. */
function purchaseWith(more: Partial<Purchase> = {}): Purchase {
	purchases++;
	return {
		entry: `entry ${purchases}`,
		request: 'a request',
		file: '',
		node: 'a node',
		round: 0,
		isManual: false,
		execution: '7',
		holder: '7',
		time: Date.now() - 1000,
		accounts: ['an account'],
		instruction: '',
		generation: 1,
		result: { output_url: 'https://example.com/owl' },
		shown: {
			image: 'Item 1, "Owl"',
			operation: 'generate',
			quality: 'standard',
			size: '512x512',
			workflow: 'A workflow',
		},
		...more,
	};
}

it.each([
	[0, 1000],
	[1001, 1001],
	[5000, 1002],
])(
	'the newest 1,000 purchases of a node are kept, or %i if its limit or its run has so many',
	(least, kept) => {
		const journal = new Journal();
		for (let index = 0; index < 1002; index++) {
			journal.put(purchaseWith({ entry: `${index}`, time: NOW - 1002 + index }));
		}
		journal.trim('a node', least, NOW);

		expect(journal.of('a node')).toHaveLength(kept);
		expect(journal.of('a node').at(-1)?.entry).toBe('1001');
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

it('the latest ten thousand of n8n’s final words are kept', () => {
	const journal = new Journal();
	for (let id = 0; id <= 10_000; id++) journal.keepWord(`${id}`, id % 2 === 0);

	expect(journal.wordOn('0')).toBeUndefined();
	expect(journal.wordOn('1')).toBe(false);
	expect(journal.wordOn('10000')).toBe(true);
});
