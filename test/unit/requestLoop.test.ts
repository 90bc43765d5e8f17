import { requestLoop, type RepeatedRequest } from '../../nodes/ImageGeneration/buy/buyJob';
import { RateLimiter } from '../../nodes/ImageGeneration/buy/rateLimiter';
import { RequestRate } from '../../nodes/ImageGeneration/buy/requestRate';
import { Failed, type Failure } from '../../nodes/ImageGeneration/failures/failures';
import type { Job } from '../../nodes/ImageGeneration/types';
import { jobWith } from '../support/jobs';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const UNREACHABLE: Failure = { kind: 'unreachable', message: 'No route' };
const UNCLEAR: Failure = { kind: 'timeout', message: 'Too late' };
const REFUSED: Failure = { kind: 'rejection', status: 400 };
const TOO_MANY: Failure = { kind: 'rejection', status: 429 };
const times = (count: number, failure: Failure) => Array.from({ length: count }, () => failure);

/** Sends a request whose tries end like this, one after another, and then succeeds. */
function run(
	ends: Failure[],
	options: Partial<Job['options']> = {},
	more: Partial<RepeatedRequest<string>> = {},
) {
	const waits: number[] = [];
	const reasons: Failure[] = [];
	let sent = 0;
	const limiter = new RateLimiter(new RequestRate(() => 0), 0, () => {});
	const result = requestLoop({
		job: jobWith({ options: { ...jobWith().options, ...options } }),
		limiter,
		send: async () => {
			const failure = ends[sent++];
			await Promise.resolve();
			if (failure !== undefined) throw new Failed(failure);
			return 'done';
		},
		log: {
			retry: (_job, ms, failure) => {
				waits.push(ms);
				reasons.push(failure);
			},
		},
		signal: new AbortController().signal,
		...more,
	}).catch((error: unknown) => (error as Failed).failure);
	return { result, limiter, waits, reasons, sent: () => sent };
}

describe('a request', () => {
	it('is sent once if it succeeds', async () => {
		const { result, sent } = run([]);

		expect(await result).toBe('done');
		expect(sent()).toBe(1);
	});

	it('is retried after waits that double, with half of each left to chance, up to a minute', async () => {
		const ends = times(10, UNREACHABLE);
		const { result, waits, reasons } = run(ends, { maxRetries: 10 });
		await jest.runAllTimersAsync();

		expect(await result).toBe('done');
		expect(reasons).toEqual(ends);
		waits.forEach((ms, retry) => {
			expect(ms).toBeGreaterThanOrEqual(Math.min(500 * 2 ** retry, 30_000));
			expect(ms).toBeLessThanOrEqual(Math.min(1000 * 2 ** retry, 60_000));
		});
	});

	it('is retried after the wait that the service asks for, up to five minutes', async () => {
		const asked = ['7', '999999', '0'].map((seconds) => ({ ...UNREACHABLE, retryAfter: seconds }));
		const { result, waits } = run(asked);
		await jest.runAllTimersAsync();

		expect(await result).toBe('done');
		expect(waits).toEqual([7000, 300_000, 0]);
	});

	it('ends with the last failure once its retries are used up', async () => {
		const last = { ...UNREACHABLE, message: 'Last' };
		const { result, sent } = run([UNREACHABLE, UNREACHABLE, last], { maxRetries: 2 });
		await jest.runAllTimersAsync();

		expect(await result).toEqual(last);
		expect(sent()).toBe(3);
	});

	it.each([REFUSED, UNCLEAR])('is not sent again after $kind', async (failure) => {
		const { result, sent } = run([failure]);

		expect(await result).toEqual(failure);
		expect(sent()).toBe(1);
	});

	it.each([REFUSED, UNREACHABLE])(
		'is reported as unclear if a retry after that ends with $kind, which cost nothing',
		async (failure) => {
			const mayRepeatUnclear = () => true;
			const { result, sent } = run([UNCLEAR, failure], { maxRetries: 1 }, { mayRepeatUnclear });
			await jest.runAllTimersAsync();

			expect(await result).toEqual(UNCLEAR);
			expect(sent()).toBe(2);
		},
	);

	it('is sent again after an unclear outcome as often as that is allowed', async () => {
		const allowed = [true, false];
		const mayRepeatUnclear = () => allowed.shift() ?? true;
		const { result, sent } = run(times(3, UNCLEAR), {}, { mayRepeatUnclear });
		await jest.runAllTimersAsync();

		expect(await result).toEqual(UNCLEAR);
		expect(sent()).toBe(2);
	});

	it('asks for no allowance if its retries are used up', async () => {
		const mayRepeatUnclear = jest.fn(() => true);
		await run([UNCLEAR], { maxRetries: 0 }, { mayRepeatUnclear }).result;

		expect(mayRepeatUnclear).not.toHaveBeenCalled();
	});
});

describe('a request that is refused because there were too many', () => {
	it('is sent again, more often than Max Retries', async () => {
		const { result, sent, waits } = run(times(8, TOO_MANY), { maxRetries: 1 });
		await jest.advanceTimersByTimeAsync(300_000);

		expect(await result).toBe('done');
		expect([sent(), waits]).toEqual([9, []]);
	});

	it('is not sent again if Max Retries is 0', async () => {
		const { result, sent, limiter } = run([TOO_MANY], { maxRetries: 0 });

		expect(await result).toEqual(TOO_MANY);
		expect([sent(), limiter.refusals]).toEqual([1, 1]);
	});

	it('ends with any other failure', async () => {
		const { result, sent } = run([TOO_MANY, REFUSED]);
		await jest.advanceTimersByTimeAsync(10_000);

		expect(await result).toEqual(REFUSED);
		expect(sent()).toBe(2);
	});

	it('is given up if the service asks for a longer wait than Timeout', async () => {
		const refusal = { ...TOO_MANY, retryAfter: '3600' };
		const { result, sent } = run([refusal]);

		expect(await result).toMatchObject({ kind: 'rate limited', refusal, asked: 3_600_000 });
		expect(sent()).toBe(1);
	});

	it('ends with an earlier unclear outcome, which it may be charged for', async () => {
		const { result } = run(
			[UNCLEAR, { ...TOO_MANY, retryAfter: '3600' }],
			{},
			{ mayRepeatUnclear: () => true },
		);
		await jest.runAllTimersAsync();

		expect(await result).toEqual(UNCLEAR);
	});
});

describe('a request of a run that ends', () => {
	it('is not sent at all', async () => {
		const { result, sent } = run([], {}, { signal: AbortSignal.abort() });

		expect(await result).toEqual({ kind: 'not started' });
		expect(sent()).toBe(0);
	});

	it('is not sent again, and ends with its own failure at once, even in the middle of a wait', async () => {
		const controller = new AbortController();
		const { result, sent } = run([UNREACHABLE], {}, { signal: controller.signal });
		await jest.advanceTimersByTimeAsync(100);
		controller.abort(new Error('Stopped'));

		expect(await result).toEqual(UNREACHABLE);
		expect(sent()).toBe(1);
		expect(jest.getTimerCount()).toBe(0);
	});
});
