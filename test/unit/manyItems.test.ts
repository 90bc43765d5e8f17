import { runCapped } from '../../nodes/ImageGeneration/buy/buyAll';

const COUNT = 10_000;

/** Pseudo-random numbers, the same each time. */
function* chance(seed: number): Generator<number> {
	for (let state = seed; ; state = (state * 16_807) % 2_147_483_647) yield state;
}

describe('ten thousand items of random duration', () => {
	it('each start once, in order and within the cap, and are returned in order', async () => {
		jest.useFakeTimers();
		const numbers = chance(7);
		const durations = Array.from({ length: COUNT }, () => Number(numbers.next().value) % 100);
		const starts: number[] = [];
		let underWay = 0;
		let most = 0;
		let outcomes: unknown[] = [];

		const ended = runCapped(
			durations,
			async (ms, index) => {
				starts.push(index);
				most = Math.max(most, ++underWay);
				await new Promise((resolve) => setTimeout(resolve, ms));
				underWay--;
				return `item ${index}`;
			},
			{ concurrency: 25, stopOnFailure: true, signal: undefined },
		).then((came) => {
			outcomes = came;
		});
		while (outcomes.length === 0) await jest.advanceTimersByTimeAsync(1000);
		await ended;
		jest.useRealTimers();

		const inOrder = durations.map((_, index) => index);
		expect(starts).toEqual(inOrder);
		expect(most).toBe(25);
		expect(outcomes).toEqual(inOrder.map((index) => ({ value: `item ${index}` })));
	});
});
