import { withRetries, type RetryRules } from '../../nodes/ImageGeneration/buy/withRetries';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** Runs an attempt that fails `failures` times before it returns `done`. */
function run(failures: number, more: Partial<RetryRules> = {}) {
	const waits: number[] = [];
	const reasons: unknown[] = [];
	let attempts = 0;
	const result = withRetries(
		async () => {
			attempts++;
			await Promise.resolve();
			if (attempts <= failures) throw new Error(`Failure ${attempts}`);
			return 'done';
		},
		{
			maxRetries: 3,
			shouldRetry: () => true,
			retryAfter: () => undefined,
			onRetry: (ms, failure) => {
				waits.push(ms);
				reasons.push(failure);
			},
			signal: undefined,
			...more,
		},
	).catch((error: unknown) => error);
	return { result, waits, reasons, attempts: () => attempts };
}

describe('withRetries', () => {
	it('makes one attempt if it succeeds', async () => {
		const { result, attempts } = run(0);

		expect(await result).toBe('done');
		expect(attempts()).toBe(1);
	});

	it('doubles its waits, with half of each left to chance', async () => {
		const { result, waits, reasons } = run(3);
		await jest.runAllTimersAsync();

		expect(await result).toBe('done');
		expect(waits).toHaveLength(3);
		expect(reasons).toEqual([1, 2, 3].map((attempt) => new Error(`Failure ${attempt}`)));
		waits.forEach((ms, retry) => {
			expect(ms).toBeGreaterThanOrEqual(500 * 2 ** retry);
			expect(ms).toBeLessThanOrEqual(1000 * 2 ** retry);
		});
	});

	it('waits at most a minute', async () => {
		const { result, waits } = run(10, { maxRetries: 10 });
		await jest.runAllTimersAsync();
		await result;

		expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
		expect(Math.max(...waits)).toBeGreaterThanOrEqual(30_000);
	});

	it('waits as long as the service asks, up to five minutes', async () => {
		const asked = [7000, 999_999_999, 0];
		const { result, waits } = run(3, { retryAfter: () => asked.shift() });
		await jest.runAllTimersAsync();

		expect(await result).toBe('done');
		expect(waits).toEqual([7000, 300_000, 0]);
	});

	it('ends with the last failure once its retries are used up', async () => {
		const { result, attempts } = run(9, { maxRetries: 2 });
		await jest.runAllTimersAsync();

		expect(await result).toEqual(new Error('Failure 3'));
		expect(attempts()).toBe(3);
	});

	it('does not retry a failure that forbids it', async () => {
		const { result, attempts } = run(9, { shouldRetry: () => false });

		expect(await result).toEqual(new Error('Failure 1'));
		expect(attempts()).toBe(1);
	});

	it('neither retries nor waits once it is stopped', async () => {
		const { result, waits, attempts } = run(9, { signal: AbortSignal.abort() });

		expect(await result).toEqual(new Error('Failure 1'));
		expect([attempts(), waits]).toEqual([1, []]);
	});

	it('ends at once with its own failure if it is stopped while it waits', async () => {
		const controller = new AbortController();
		const { result, attempts } = run(9, { signal: controller.signal });
		await jest.advanceTimersByTimeAsync(100);
		controller.abort(new Error('Stopped'));

		expect(await result).toEqual(new Error('Failure 1'));
		expect(attempts()).toBe(1);
		expect(jest.getTimerCount()).toBe(0);
	});
});
