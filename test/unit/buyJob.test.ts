import { buyJob, requestLoop, type Buying } from '../../nodes/ImageGeneration/buy/buyJob';
import { PurchaseLimit, PurchaseLine } from '../../nodes/ImageGeneration/buy/purchaseLimit';
import { RateLimiter } from '../../nodes/ImageGeneration/buy/rateLimiter';
import { RequestRate } from '../../nodes/ImageGeneration/buy/requestRate';
import { Failed, settle, type Failure } from '../../nodes/ImageGeneration/failures/failures';
import { toService } from '../../nodes/ImageGeneration/service/service';
import type { Job } from '../../nodes/ImageGeneration/types';
import { DEFAULT_OPTIONS, jobWith } from '../support/jobs';

beforeEach(() => {
	jest.useFakeTimers();
});

/** A run that sends one request every ten seconds, and writes down what it does. */
function slowRun(writeSent = async () => await Promise.resolve(), maxRetries = 0) {
	const events: string[] = [];
	const credential = { baseUrl: 'https://example.com', apiKey: 'a-key' };
	const paid = new RateLimiter(new RequestRate(), 10_000, () => {});
	const httpRequestWithAuthentication = async () => {
		events.push('request');
		return await Promise.reject(new Error('connect ECONNREFUSED'));
	};
	const run = {
		context: {
			getCredentials: async () => await Promise.resolve(credential),
			getExecutionCancelSignal: () => undefined,
			helpers: { httpRequestWithAuthentication },
		},
		service: toService(credential),
		limit: new PurchaseLimit({}, new PurchaseLine(), Infinity),
		limiters: { paid },
		purchases: {
			send: async () => {
				events.push('recorded');
				await writeSent();
			},
			notCharged: () => events.push('not charged'),
		},
		log: { purchase: () => {}, retry: () => {} },
	} as unknown as Buying;
	const job = jobWith({ options: { ...DEFAULT_OPTIONS, maxRetries } });
	const end = new AbortController();
	const { signal } = end;
	return { events, end, buy: async () => await settle(buyJob(run, job, signal)) };
}

describe('a paid request', () => {
	it('is recorded right before it goes out, not while it waits for its turn', async () => {
		const { events, buy } = slowRun();
		const jobs = [buy(), buy()];
		await jest.advanceTimersByTimeAsync(9999);
		expect(events).toStrictEqual(['recorded', 'request', 'not charged']);

		await jest.advanceTimersByTimeAsync(1);
		await Promise.all(jobs);
		expect(events.slice(3)).toStrictEqual(['recorded', 'request', 'not charged']);
	});

	it('is recorded once, however often it is sent', async () => {
		const { events, buy } = slowRun(undefined, 1);
		const job = buy();
		await jest.advanceTimersByTimeAsync(10_000);
		await job;

		expect(events).toStrictEqual(['recorded', 'request', 'request', 'not charged']);
	});

	it('is not sent if the run ends while it is recorded', async () => {
		const { events, end, buy } = slowRun(async () => {
			end.abort();
			await Promise.resolve();
		});

		expect(await buy()).toStrictEqual({ failure: { kind: 'not started' } });
		expect(events).toStrictEqual(['recorded', 'not charged']);
	});
});

const UNREACHABLE: Failure = { kind: 'unreachable', message: 'No route' };
const LAST = { ...UNREACHABLE, message: 'Last' };
const UNCLEAR: Failure = { kind: 'timeout', message: 'Too late' };
const REFUSED: Failure = { kind: 'rejection', status: 400 };
const TOO_MANY: Failure = { kind: 'rejection', status: 429 };
const CLOSED = { ...TOO_MANY, retryAfter: 3_600_000 };
const GIVEN_UP: Failure = {
	...CLOSED,
	kind: 'rate limited',
	refusal: CLOSED,
	asked: 3_600_000,
	patience: 600_000,
};
const DONE = { value: 'done' };
const times = (count: number, failure: Failure) => Array.from({ length: count }, () => failure);

/** Sends a request whose tries end like this, one after another, and then succeeds. */
function run(
	ends: Failure[],
	options: Partial<Job['options']> = {},
	{ signal = new AbortController().signal, mayRepeatUnclear = (): boolean => false } = {},
) {
	const waits: number[] = [];
	const reasons: Failure[] = [];
	let sent = 0;
	const limiter = new RateLimiter(new RequestRate(() => 0), 0, () => {});
	const log = {
		retry: (_job, ms, failure) => {
			waits.push(ms);
			reasons.push(failure);
		},
	} as Buying['log'];
	const send = async () => {
		const failure = ends[sent++];
		await Promise.resolve();
		if (failure !== undefined) throw new Failed(failure);
		return 'done';
	};
	const job = jobWith({ options: { ...DEFAULT_OPTIONS, ...options } });
	const result = requestLoop({ log, signal }, job, limiter, send, mayRepeatUnclear);
	return { result, limiter, waits, reasons, sent: () => sent };
}

describe('a request', () => {
	it.each<
		[how: string, ends: Failure[], maxRetries: number, sent: number, result: Failure | undefined]
	>([
		['once if it succeeds', [], 3, 1, undefined],
		['once if it is refused', [REFUSED], 3, 1, REFUSED],
		['once if it may have been charged', [UNCLEAR], 3, 1, UNCLEAR],
		['until its retries are used up', [UNREACHABLE, UNREACHABLE, LAST], 2, 3, LAST],
		['more often than Max Retries while there are too many', times(8, TOO_MANY), 1, 9, undefined],
		['once if there are too many and Max Retries is 0', [TOO_MANY], 0, 1, TOO_MANY],
		['until it is refused for another reason than too many', [TOO_MANY, REFUSED], 3, 2, REFUSED],
		['once if the service asks for a longer wait than Timeout', [CLOSED], 3, 1, GIVEN_UP],
	])('is sent %s', async (_how, ends, maxRetries, count, expected) => {
		const { result, sent, waits, limiter } = run(ends, { maxRetries });
		await jest.advanceTimersByTimeAsync(300_000);

		expect(await result).toStrictEqual(expected === undefined ? DONE : { failure: expected });
		expect(sent()).toBe(count);
		expect(waits).toHaveLength(ends.includes(UNREACHABLE) ? 2 : 0);
		expect(limiter.refusals).toBe(ends.filter(({ status }) => status === 429).length);
	});

	it.each<[how: string, ends: Failure[], maxRetries: number, allowed: boolean[], sent: number]>([
		['is not sent again', [UNCLEAR], 3, [false], 1],
		['is sent again as often as that is allowed', times(3, UNCLEAR), 3, [true, false], 2],
		['asks for no allowance if its retries are used up', [UNCLEAR], 0, [], 1],
		['is reported so even if it is refused later', [UNCLEAR, REFUSED], 3, [true], 2],
		['is reported so even if it can’t be sent later', [UNCLEAR, UNREACHABLE], 1, [true], 2],
		['is reported so even if there are too many later', [UNCLEAR, CLOSED], 3, [true], 2],
	])('that may have been charged %s', async (_how, ends, maxRetries, allowed, count) => {
		const mayRepeatUnclear = jest.fn<boolean, []>();
		for (const answer of allowed) mayRepeatUnclear.mockReturnValueOnce(answer);
		const { result, sent } = run(ends, { maxRetries }, { mayRepeatUnclear });
		await jest.runAllTimersAsync();

		expect(await result).toStrictEqual({ failure: UNCLEAR });
		expect(sent()).toBe(count);
		expect(mayRepeatUnclear).toHaveBeenCalledTimes(allowed.length);
	});

	it('is retried after waits that double, with half of each left to chance, up to a minute', async () => {
		const ends = times(10, UNREACHABLE);
		const { result, waits, reasons } = run(ends, { maxRetries: 10 });
		await jest.runAllTimersAsync();

		expect(await result).toStrictEqual(DONE);
		expect(reasons).toStrictEqual(ends);
		// Without chance, all would be multiples of 500.
		expect(new Set(waits.map((ms) => ms % 500)).size).toBe(10);
		waits.forEach((ms, retry) => {
			expect(ms).toBeGreaterThanOrEqual(Math.min(500 * 2 ** retry, 30_000));
			expect(ms).toBeLessThanOrEqual(Math.min(1000 * 2 ** retry, 60_000));
		});
	});

	it('is retried after the wait that the service asks for, up to five minutes', async () => {
		const asked = [7000, 999_999_000, 0].map((ms) => ({ ...UNREACHABLE, retryAfter: ms }));
		const { result, waits } = run(asked);
		await jest.runAllTimersAsync();

		expect(await result).toStrictEqual(DONE);
		expect(waits).toStrictEqual([7000, 300_000, 0]);
	});
});

it('a request of a run that ends is not sent again, and ends with its own failure at once, even in the middle of a wait', async () => {
	const controller = new AbortController();
	const { result, sent } = run([UNREACHABLE], {}, { signal: controller.signal });
	await jest.advanceTimersByTimeAsync(100);
	controller.abort(new Error('Stopped'));

	expect(await result).toStrictEqual({ failure: UNREACHABLE });
	expect(sent()).toBe(1);
	expect(jest.getTimerCount()).toBe(0);
});
