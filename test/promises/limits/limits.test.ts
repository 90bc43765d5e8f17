import { Limits } from '../../../nodes/ImageGeneration/buy/limits';
import { Journal } from '../../../nodes/ImageGeneration/recall/journal';
import { NodeRun } from '../../../nodes/ImageGeneration/recall/nodeRun';
import { purchaseWith } from '../../support/purchaseWith';

const HOUR = 60 * 60 * 1000;
const NOW = Date.parse('2026-11-28T12:00:00Z');

interface Counts {
	/** Max Images and Max Images per Day. */
	max?: number;
	perDay?: number;
	/** What the execution has bought before. */
	inExecution?: number;
	/** Ages in hours of what the node has bought in this process, and of what its log lists. */
	bought?: number[];
	logged?: number[];
	/** What another run of the node is about to buy, and one of another node. */
	byOthers?: number;
	byOtherNodes?: number;
}

/** A run of a node, and what counts towards its limits. */
function counting({
	max = Infinity,
	perDay = Infinity,
	inExecution,
	bought = [],
	logged = [],
	byOthers = 0,
	byOtherNodes = 0,
}: Counts = {}) {
	const journal = new Journal();
	const purchaseOf = (hours: number) => purchaseWith({ time: NOW - hours * HOUR });
	for (const hours of bought) journal.put(purchaseOf(hours));
	const run = new NodeRun('a node', '8', 0, 0);
	const others: Array<[string, number]> = [
		['a node', byOthers],
		['another node', byOtherNodes],
	];
	for (const [node, planned] of others) {
		const other = new NodeRun(node, '9', 0, 0);
		other.planned = planned;
		journal.begin(other);
	}
	journal.begin(run);
	const context: Record<string, unknown> =
		inExecution === undefined ? {} : { imagesBought: inExecution };
	const limits = new Limits({
		process: { journal, timeOfDay: () => NOW },
		run,
		context: context as never,
		maxImages: max,
		maxImagesPerDay: perDay,
		logged: logged.map(purchaseOf),
		isTool: false,
	});
	return { journal, run, context, limits };
}

/** The refusal of three images, with these numbers. */
const reaching = (numbers: object): object =>
	expect.objectContaining({ ...numbers, kind: 'limit reached', needed: 3 }) as object;

// Of three images that a run needs, this many can be bought; the limit that stands in the way, and its numbers.
it.each<[what: string, Counts, room: number, reached?: object]>([
	['no limit', {}, 3],
	['Max Images that is just enough', { max: 3 }, 3],
	['Max Images that is too small', { max: 2 }, 2, reaching({ per: 'execution', bought: 0 })],
	[
		'earlier rounds and attempts',
		{ max: 4, inExecution: 2 },
		2,
		reaching({ per: 'execution', bought: 2 }),
	],
	['a limit that an edit has lowered', { max: 2, inExecution: 5 }, 0, reaching({ bought: 5 })],
	['other executions, without a limit of the day', { max: 3, bought: [1, 1], byOthers: 5 }, 3],
	['Max Images per Day that is just enough', { perDay: 5, bought: [1, 23] }, 3],
	[
		'what was bought today',
		{ perDay: 4, bought: [1, 23] },
		2,
		reaching({ per: 'day', bought: 2, planned: 0 }),
	],
	['what was bought a day ago', { perDay: 3, bought: [24, 25, 48] }, 3],
	[
		'what only the log lists',
		{ perDay: 4, bought: [1], logged: [2] },
		2,
		reaching({ per: 'day', bought: 2 }),
	],
	[
		'what other runs plan',
		{ perDay: 5, byOthers: 4 },
		1,
		reaching({ per: 'day', bought: 0, planned: 4 }),
	],
	['what runs of other nodes plan', { perDay: 3, byOtherNodes: 4 }, 3],
	['a day that is full', { perDay: 2, bought: [1, 2, 3] }, 0, reaching({ per: 'day', bought: 3 })],
	['both limits', { max: 2, perDay: 1 }, 1, reaching({ per: 'execution' })],
])(
	'of three images, a run with %s buys as many as there is room for',
	(_what, counts, room, reached = undefined) => {
		const { limits } = counting(counts);

		expect(limits.room(3)).toBe(room);
		expect(limits.refusal(3)).toStrictEqual(reached);
		expect(limits.refusal(room === 0 ? 1 : room) === undefined).toBe(room > 0);
	},
);

it.each([
	['once the oldest is a day old', [1, 20], 4 * HOUR],
	['once as many as are over the limit are a day old', [1, 2, 20, 22], 22 * HOUR],
	['unknown while only other runs are in the way', [], 0],
])('the next place of a day is free %s', (_when, bought, freeIn) => {
	expect(counting({ perDay: 2, bought, byOthers: 2 }).limits.refusal(1)).toMatchObject({ freeIn });
});

it('what is listed in the journal and in the log counts once', () => {
	const { journal, run } = counting();
	const purchase = purchaseWith({ time: NOW - HOUR });
	journal.put(purchase);
	const limits = new Limits({
		process: { journal, timeOfDay: () => NOW },
		run,
		context: {},
		maxImages: Infinity,
		maxImagesPerDay: 2,
		logged: [{ ...purchase }],
		isTool: false,
	});

	expect(limits.room(3)).toBe(1);
});

describe('a place', () => {
	it('is taken from the start of a run, for others as well, and counts once when it is bought', () => {
		const { journal, limits } = counting({ max: 5, perDay: 5 });
		limits.plan(3);
		expect(journal.plannedBy('a node')).toBe(3);
		expect(limits.room(5)).toBe(2);
		journal.put(purchaseWith({ time: NOW }));
		limits.enter();

		expect(journal.plannedBy('a node')).toBe(2);
		expect(limits.room(5)).toBe(2);
	});

	it('is given back if an image is found meanwhile', () => {
		const { journal, limits } = counting({ max: 3, perDay: 3 });
		limits.plan(3);
		limits.giveBack(1);

		expect(journal.plannedBy('a node')).toBe(2);
		expect(limits.room(3)).toBe(1);
	});

	it('is free again if the service refused the request, which costs nothing', () => {
		const { journal, limits } = counting({ max: 1, perDay: 1 });
		const purchase = purchaseWith({ time: NOW, result: undefined });
		limits.plan(1);
		journal.put(purchase);
		limits.enter();
		expect(limits.room(1)).toBe(0);
		journal.drop(purchase);
		limits.notCharged();

		expect(limits.room(1)).toBe(1);
	});
});

it.each([
	['is kept for later rounds with Max Images', 5, true, 2],
	['is kept for Retry if the run did not deliver', Infinity, false, 2],
	['is not kept if nobody needs it', Infinity, true, undefined],
])('the count of an execution %s', (_what, max, isDelivered, kept) => {
	const { context, limits } = counting({ max });
	limits.plan(2);
	limits.end(isDelivered);

	expect(context.imagesBought).toBe(kept);
});

it('an execution that bought nothing leaves no count', () => {
	const { context, limits } = counting({ max: 5 });
	limits.plan(1);
	limits.giveBack(1);
	limits.end(true);

	expect(context).toStrictEqual({});
});
