import { paced, type PacedRules } from '../../nodes/ImageGeneration/buy/paced';
import {
	newSharedLimit,
	RateLimiter,
} from '../../nodes/ImageGeneration/buy/rateLimiter/rateLimiter';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const TOO_MANY = new Error('Too many');
const OTHER = new Error('Other');

/** Runs a request whose attempts end like this, one after another; true is success. */
function run(ends: Array<Error | true>, more: Partial<PacedRules> = {}) {
	let calls = 0;
	const limiter = new RateLimiter(
		newSharedLimit(() => 0),
		0,
		() => {},
	);
	const result = paced(
		limiter,
		async () => {
			const end = ends[calls++];
			await Promise.resolve();
			if (end !== true) throw end ?? new Error('One call too many');
			return 'done';
		},
		{
			maxRetries: 3,
			patience: 600_000,
			signal: undefined,
			isThrottled: (failure) => failure === TOO_MANY,
			retryAfter: () => undefined,
			giveUpFailure: (lastRefusal, asked) => ({ lastRefusal, asked }),
			...more,
		},
	).catch((error: unknown) => error);
	return { result, limiter, calls: () => calls };
}

describe('a refused request', () => {
	it('is sent again, more often than Max Retries', async () => {
		const refusals = Array.from({ length: 8 }, () => TOO_MANY);
		const { result, calls } = run([...refusals, true], { maxRetries: 1 });
		await jest.advanceTimersByTimeAsync(300_000);

		expect(await result).toBe('done');
		expect(calls()).toBe(9);
	});

	it('is not sent again if Max Retries is 0', async () => {
		const { result, calls, limiter } = run([TOO_MANY], { maxRetries: 0 });

		expect(await result).toBe(TOO_MANY);
		expect(calls()).toBe(1);
		expect(limiter.refusals).toBe(1);
	});

	it('ends with any other failure', async () => {
		const { result, calls } = run([TOO_MANY, OTHER]);
		await jest.advanceTimersByTimeAsync(10_000);

		expect(await result).toBe(OTHER);
		expect(calls()).toBe(2);
	});

	it('is given up with the last refusal and the wait that the service asked for', async () => {
		const { result, calls } = run([TOO_MANY], { retryAfter: () => 3_600_000 });

		expect(await result).toMatchObject({ lastRefusal: TOO_MANY });
		expect(await result).toHaveProperty('asked', 3_600_000);
		expect(calls()).toBe(1);
	});
});
