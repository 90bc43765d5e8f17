import { stoppedRuns } from '../../nodes/ImageGeneration/buy/stoppedRuns';
import {
	elsewhere,
	jobFor,
	jobWithFile,
	newNode,
	resultOf,
	resultOfLength,
	runOf,
	unreadableJob,
} from '../support/earlierRuns';

const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
	jest.useRealTimers();
});

let executions = 0;
/** Starts another production run of a node. */
const runsOf = (node: string) => () =>
	stoppedRuns(runOf({ node, execution: `execution ${++executions}` }));

/** A purchase with a prompt and an id. */
const bought = (text: string, id: string) => ({ job: jobFor(text), result: resultOf(id) });
const found = (id: string) => ({ result: resultOf(id), wasStopped: true });

describe('a stopped run', () => {
	it('leaves its purchases to the next run, which takes each of them once', async () => {
		const start = runsOf(newNode());
		await start().handOver([bought('a fox', 'first'), bought('a fox', 'second')]);
		const next = start();
		const [first, second, third] = [jobFor('a fox'), jobFor('a fox'), jobFor('a fox')];

		expect(await next.peek(first)).toEqual(found('first'));
		expect(await next.find(first)).toEqual(found('first'));
		expect(await next.find(second)).toEqual(found('second'));
		expect(await next.find(third)).toBeUndefined();
		expect(await start().find(jobFor('a fox'))).toBeUndefined();
		expect(next.takeUnclaimed()).toEqual([]);
	});

	it('leaves them for a day', async () => {
		const start = runsOf(newNode());
		await start().handOver([bought('a fox', 'left')]);
		jest.advanceTimersByTime(DAY);
		expect(await start().peek(jobFor('a fox'))).toBeDefined();
		jest.advanceTimersByTime(1);

		expect(await start().peek(jobFor('a fox'))).toBeUndefined();
	});

	it.each(elsewhere)('leaves nothing to another %s', async (_what, other) => {
		const node = newNode();
		await stoppedRuns(runOf({ node })).handOver([bought('a fox', 'left')]);
		const next = stoppedRuns(runOf({ node, ...other }));

		expect(await next.find(jobFor('a fox'))).toBeUndefined();
		expect(next.takeUnclaimed()).toEqual([]);
	});

	it('leaves links that the next run did not ask for; they are reported once', async () => {
		const start = runsOf(newNode());
		await start().handOver([bought('a fox', 'fox'), bought('a hen', 'hen')]);
		const next = start();
		await next.find(jobFor('a fox'));

		expect(next.takeUnclaimed()).toEqual(['https://example.com/hen']);
		expect(next.takeUnclaimed()).toEqual([]);
	});

	it('leaves its link even if other stopped runs bought the same', async () => {
		const start = runsOf(newNode());
		await start().handOver([bought('a fox', 'first')]);
		await start().handOver([bought('a fox', 'second')]);
		await start().handOver([bought('a fox', 'third')]);
		const next = start();

		expect(await next.find(jobFor('a fox'))).toEqual(found('first'));
		expect(next.takeUnclaimed()).toEqual([
			'https://example.com/second',
			'https://example.com/third',
		]);
	});

	it('leaves at most 1,000 purchases', async () => {
		const start = runsOf(newNode());
		const purchases = Array.from({ length: 1001 }, (_, index) =>
			bought(`image ${index + 1}`, `${index + 1}`),
		);
		await start().handOver(purchases);

		expect(await start().peek(jobFor('image 1000'))).toBeDefined();
		expect(await start().peek(jobFor('image 1001'))).toBeUndefined();
	});

	it('leaves no result of more than 10,000 characters and none of a file that is gone', async () => {
		const start = runsOf(newNode());
		await start().handOver([
			{ job: jobFor('long'), result: resultOfLength(10_000) },
			{ job: jobFor('too long'), result: resultOfLength(10_001) },
			{ job: unreadableJob(), result: resultOf('unreadable') },
		]);

		expect(start().takeUnclaimed()).toEqual(['https://example.com/long']);
	});
});

describe('a run that nothing was left to', () => {
	it('does not read the files of its jobs', async () => {
		const open = jest.fn(async () => await Promise.resolve([]));
		const job = jobWithFile(open);
		const run = runsOf(newNode())();

		expect(await run.peek(job)).toBeUndefined();
		expect(await run.find(job)).toBeUndefined();
		expect(open).not.toHaveBeenCalled();
	});

	it('leaves nothing unless it is stopped', async () => {
		const start = runsOf(newNode());
		await start().add(jobFor('a fox'), resultOf('bought'));

		expect(await start().find(jobFor('a fox'))).toBeUndefined();
	});
});

it('purchases are kept for the latest 100 nodes', async () => {
	const nodes = Array.from({ length: 101 }, newNode);
	for (const node of nodes) await runsOf(node)().handOver([bought('a fox', 'left')]);
	const isKept = async (node = '') => (await runsOf(node)().peek(jobFor('a fox'))) !== undefined;

	expect(await isKept(nodes[0])).toBe(false);
	expect(await isKept(nodes[1])).toBe(true);
	expect(await isKept(nodes[100])).toBe(true);
});
