import { runCapped, type Caps } from '../../nodes/ImageGeneration/buy/buyAll';
import { notStarted } from '../../nodes/ImageGeneration/failures/outcome';

const caps = (more: Partial<Caps> = {}): Caps => ({
	concurrency: 2,
	stopOnFailure: true,
	signal: new AbortController().signal,
	...more,
});
const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** Runs tasks of the given milliseconds and records when each started. */
function runOf(durations: number[], more: Partial<Caps> = {}, failing: number[] = []) {
	const starts: Array<[index: number, ms: number]> = [];
	const signals: AbortSignal[] = [];
	const begin = Date.now();
	let running = 0;
	let most = 0;
	const outcomes = runCapped(
		durations.map((ms, index) => ({ ms, index })),
		async ({ ms, index }, signal) => {
			starts.push([index, Date.now() - begin]);
			signals.push(signal);
			most = Math.max(most, ++running);
			await after(ms);
			running--;
			if (failing.includes(index)) throw new Error(`No ${index}`);
			return index;
		},
		caps(more),
	);
	const areEnded = () => signals.map(({ aborted }) => aborted);
	return { outcomes, starts, most: () => most, areEnded };
}

describe('runCapped', () => {
	it('never exceeds its concurrency and keeps the order', async () => {
		const { outcomes, starts, most } = runOf([300, 100, 100, 100]);
		await jest.runAllTimersAsync();

		expect(await outcomes).toEqual([0, 1, 2, 3].map((value) => ({ value })));
		expect(most()).toBe(2);
		expect(starts).toEqual([
			[0, 0],
			[1, 0],
			[2, 100],
			[3, 200],
		]);
	});

	it('starts nothing new after a failure and lets running tasks finish', async () => {
		const { outcomes, starts } = runOf([50, 200, 50, 50], {}, [0]);
		await jest.runAllTimersAsync();

		expect(await outcomes).toEqual([
			{ failure: { kind: 'unexpected', message: 'No 0' } },
			{ value: 1 },
			notStarted,
			notStarted,
		]);
		expect(starts).toHaveLength(2);
	});

	it.each([
		['a failure', [0]],
		['a stop', []],
	])('aborts the signal of running tasks on %s', async (_what, failing) => {
		const stop = new AbortController();
		const { outcomes, areEnded } = runOf([10, 50], { signal: stop.signal }, failing);
		await jest.advanceTimersByTimeAsync(9);
		expect(areEnded()).toEqual([false, false]);

		if (failing.length === 0) stop.abort();
		await jest.advanceTimersByTimeAsync(1);
		expect(areEnded()).toEqual([true, true]);
		await jest.runAllTimersAsync();
		await outcomes;
	});

	it('continues after a failure if configured to, and aborts no signal', async () => {
		const { outcomes, areEnded } = runOf([10, 50, 50], { stopOnFailure: false }, [0]);
		await jest.runAllTimersAsync();

		expect(await outcomes).toEqual([
			{ failure: { kind: 'unexpected', message: 'No 0' } },
			{ value: 1 },
			{ value: 2 },
		]);
		expect(areEnded()).toEqual([false, false, false]);
	});

	it('starts nothing new once it is aborted', async () => {
		const controller = new AbortController();
		const { outcomes, starts } = runOf([10, 10, 10], {
			concurrency: 1,
			signal: controller.signal,
		});
		await jest.advanceTimersByTimeAsync(5);
		controller.abort();
		await jest.advanceTimersByTimeAsync(5);

		expect((await outcomes).slice(1)).toEqual([notStarted, notStarted]);
		expect(starts).toEqual([[0, 0]]);
	});
});
