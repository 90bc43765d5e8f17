import { manualRuns } from '../../nodes/ImageGeneration/buy/manualRuns';
import {
	elsewhere,
	jobFor,
	newNode,
	resultOf,
	resultOfLength,
	runOf,
	unreadableJob,
} from '../support/earlierRuns';

const HOUR = 60 * 60 * 1000;

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
	jest.useRealTimers();
});

/** Starts another manual run of a node. */
const runsOf = (node: string) => () => manualRuns(runOf({ node }));

describe('a manual run', () => {
	it('finds what an earlier one bought, the n-th of equal requests the n-th purchase', async () => {
		const start = runsOf(newNode());
		const earlier = start();
		await earlier.add(jobFor('a fox'), resultOf('first'));
		await earlier.add(jobFor('a fox'), resultOf('second'));
		const now = start();
		const jobs = [jobFor('a fox'), jobFor('a hen'), jobFor('a fox'), jobFor('a fox')];
		const found = [];
		for (const job of jobs) found.push(await now.find(job));

		expect(found).toEqual([
			{ result: resultOf('first'), wasStopped: false },
			undefined,
			{ result: resultOf('second'), wasStopped: false },
			undefined,
		]);
	});

	it('can look a purchase up before it takes it', async () => {
		const start = runsOf(newNode());
		await start().handOver([{ job: jobFor('a fox'), result: resultOf('bought') }]);
		const now = start();
		const job = jobFor('a fox');
		const bought = { result: resultOf('bought'), wasStopped: true };

		expect(await now.peek(job)).toEqual(bought);
		expect(await now.peek(jobFor('a hen'))).toBeUndefined();
		expect(await now.find(job)).toEqual(bought);
	});

	it('takes over what a stopped one left; later runs can only reuse it', async () => {
		const start = runsOf(newNode());
		await start().handOver([{ job: jobFor('a fox'), result: resultOf('left') }]);

		expect(await start().find(jobFor('a fox'))).toMatchObject({ wasStopped: true });
		expect(await start().find(jobFor('a fox'))).toMatchObject({ wasStopped: false });
	});

	it('finds a purchase for an hour', async () => {
		const start = runsOf(newNode());
		await start().add(jobFor('a fox'), resultOf('bought'));
		jest.advanceTimersByTime(HOUR);
		expect(await start().find(jobFor('a fox'))).toBeDefined();
		jest.advanceTimersByTime(1);

		expect(await start().find(jobFor('a fox'))).toBeUndefined();
	});

	it.each(elsewhere)('finds nothing of another %s', async (_what, other) => {
		const node = newNode();
		await manualRuns(runOf({ node })).add(jobFor('a fox'), resultOf('bought'));

		expect(await manualRuns(runOf({ node, ...other })).find(jobFor('a fox'))).toBeUndefined();
	});

	it('leaves no purchase unclaimed, because it can be reused', async () => {
		const start = runsOf(newNode());
		await start().handOver([{ job: jobFor('a fox'), result: resultOf('left') }]);

		expect(start().takeUnclaimed()).toEqual([]);
	});

	it('is not affected by changes to a result', async () => {
		const start = runsOf(newNode());
		const result = resultOf('bought');
		await start().add(jobFor('a fox'), result);
		result.output_url = 'https://example.com/changed';

		expect((await start().find(jobFor('a fox')))?.result).toEqual(resultOf('bought'));
	});
});

describe('the memory of manual runs', () => {
	/** Buys images of distinct prompts in one run. */
	const buy = async (start: ReturnType<typeof runsOf>, count: number) => {
		const run = start();
		for (let number = 1; number <= count; number++) {
			await run.add(jobFor(`image ${number}`), resultOf(`${number}`));
		}
	};

	it('keeps the latest 1,000 purchases', async () => {
		const start = runsOf(newNode());
		await buy(start, 1001);

		expect(await start().peek(jobFor('image 1'))).toBeUndefined();
		expect(await start().peek(jobFor('image 2'))).toBeDefined();
		expect(await start().peek(jobFor('image 1001'))).toBeDefined();
	});

	it('counts a purchase for the same request as the latest one', async () => {
		const start = runsOf(newNode());
		await buy(start, 1000);
		await start().add(jobFor('image 1'), resultOf('again'));
		await start().add(jobFor('one more'), resultOf('more'));

		expect((await start().peek(jobFor('image 1')))?.result).toEqual(resultOf('again'));
		expect(await start().peek(jobFor('image 2'))).toBeUndefined();
	});

	it('has no place for results of more than 10,000 characters or files that are gone', async () => {
		const start = runsOf(newNode());
		await buy(start, 999);
		await start().add(jobFor('long'), resultOfLength(10_000));
		await start().add(jobFor('too long'), resultOfLength(10_001));
		await start().add(unreadableJob(), resultOf('unreadable'));

		expect(await start().peek(jobFor('image 1'))).toBeDefined();
		expect(await start().peek(jobFor('long'))).toBeDefined();
		expect(await start().peek(jobFor('too long'))).toBeUndefined();
		expect(await start().peek(unreadableJob())).toBeUndefined();
	});
});
