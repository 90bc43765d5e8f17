import { joinRateLimiters } from '../../nodes/ImageGeneration/buy/rateLimiter/joinRateLimiters';
import {
	newSharedLimit,
	RateLimiter,
} from '../../nodes/ImageGeneration/buy/rateLimiter/rateLimiter';
import type { Failure } from '../../nodes/ImageGeneration/failures/failures';
import { notStarted, settle } from '../../nodes/ImageGeneration/failures/outcome';

const MINUTE = 60_000;
const patient = { patience: 10 * MINUTE, signal: undefined };
const refusal: Failure = { kind: 'rejection', status: 429, serviceMessage: 'Too many' };

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

function runOf(shared = newSharedLimit(() => 0), interval = 0) {
	const holds: number[] = [];
	const limiter = new RateLimiter(shared, interval, (ms) => holds.push(ms));
	return { limiter, holds, shared };
}

/** A run whose first request was just refused. */
async function refusedRun(asked: number | undefined, shared?: ReturnType<typeof newSharedLimit>) {
	const run = runOf(shared);
	const turn = await run.limiter.acquire(patient);
	turn.refused(refusal, asked);
	return run;
}

describe('requests that the service accepts', () => {
	it('are not delayed', async () => {
		const { limiter } = runOf();
		await Promise.all(Array.from({ length: 100 }, async () => await limiter.acquire(patient)));

		expect(jest.getTimerCount()).toBe(0);
		expect([limiter.held, limiter.refusals, limiter.interval]).toEqual([0, 0, 0]);
	});
});

describe('after a refusal', () => {
	it('all runs wait as long as the service asks, in order of arrival', async () => {
		const first = await refusedRun(7000);
		const second = runOf(first.shared);
		const went: string[] = [];
		const waiting = [
			first.limiter.acquire(patient).then(() => went.push('first')),
			second.limiter.acquire(patient).then(() => went.push('second')),
		];

		await jest.advanceTimersByTimeAsync(6999);
		expect(went).toEqual([]);
		await jest.advanceTimersByTimeAsync(5000);
		await Promise.all(waiting);
		expect(went).toEqual(['first', 'second']);
		expect(first.limiter.held).toBeGreaterThanOrEqual(7000);
	});

	it('the wait is announced once, even if several requests were refused together', async () => {
		const { limiter, holds } = runOf();
		const calls = [await limiter.acquire(patient), await limiter.acquire(patient)];
		for (const turn of calls) turn.refused(refusal, 1000);

		expect(holds).toEqual([1000]);
		expect(limiter.refusals).toBe(2);
	});
});

describe('Request Interval', () => {
	it('separates retried requests and delays no other run', async () => {
		const { shared, limiter } = runOf(
			newSharedLimit(() => 0),
			5000,
		);
		const sentAt: number[] = [];
		const send = async () => {
			const turn = await limiter.acquire(patient);
			sentAt.push(performance.now());
			return turn;
		};
		(await send()).refused(refusal, 60_000);
		const again = [send(), send(), send()];
		const other = runOf(shared);
		const others = [1, 2, 3, 4].map(
			async () => await other.limiter.acquire(patient).then(() => performance.now()),
		);
		await jest.advanceTimersByTimeAsync(2 * MINUTE);
		await Promise.all(again);
		const otherSentAt = await Promise.all(others);
		const [first = 0, second = 0, third = 0, fourth = 0] = sentAt;

		expect(second - first).toBeGreaterThanOrEqual(60_000);
		expect(third - second).toBeGreaterThanOrEqual(5000);
		expect(fourth - third).toBeGreaterThanOrEqual(5000);
		expect(Math.max(...otherSentAt)).toBeLessThan(fourth);
	});
});

describe('a wait', () => {
	it('ends when its run ends, even in the middle of the queue, and no request is sent', async () => {
		const { shared } = await refusedRun(5 * MINUTE);
		const other = runOf(shared).limiter.acquire(patient);
		const end = new AbortController();
		const { limiter } = runOf(shared);
		const ended = [1, 2].map(
			async () => await settle(limiter.acquire({ ...patient, signal: end.signal })),
		);
		await jest.advanceTimersByTimeAsync(1000);
		end.abort();

		expect(await Promise.all(ended)).toEqual([notStarted, notStarted]);
		await jest.advanceTimersByTimeAsync(6 * MINUTE);
		await expect(other).resolves.toBeDefined();
	});

	it('leaves no timer behind when its run ends', async () => {
		const { limiter } = await refusedRun(5 * MINUTE);
		const end = new AbortController();
		const ended = settle(limiter.acquire({ ...patient, signal: end.signal }));
		await jest.advanceTimersByTimeAsync(10);
		end.abort();

		expect(await ended).toEqual(notStarted);
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('a request is given up', () => {
	it.each([10 * MINUTE + 1, 1e15, Infinity])(
		'at once if the service asks for a longer wait than allowed: %d ms',
		async (asked) => {
			const { limiter } = await refusedRun(asked);
			const { patience } = patient;

			expect(await settle(limiter.acquire(patient))).toEqual({
				failure: { ...refusal, kind: 'rate limited', refusal, asked, patience },
			});
			expect(jest.getTimerCount()).toBe(0);
		},
	);

	it('once the service has accepted none for as long as allowed, and not before', async () => {
		const { limiter } = runOf();
		const startedAt = performance.now();
		let failure: unknown;
		const trying = (async () => {
			while (failure === undefined) {
				try {
					(await limiter.acquire(patient)).refused(refusal, undefined);
				} catch (error) {
					failure = error;
				}
			}
		})();
		await jest.advanceTimersByTimeAsync(10 * MINUTE - 1);
		expect(failure).toBeUndefined();

		await jest.advanceTimersByTimeAsync(2 * MINUTE);
		await trying;
		expect(failure).toMatchObject({ failure: { kind: 'rate limited', refusal, asked: undefined } });
		expect(performance.now() - startedAt).toBeGreaterThan(10 * MINUTE);
	});

	it('only if none was accepted in the meantime', async () => {
		const { limiter } = runOf();
		const nextCall = async () => {
			const admitted = limiter.acquire(patient);
			await jest.advanceTimersByTimeAsync(2 * MINUTE);
			return await admitted;
		};
		for (let time = 0; time < 30; time++) {
			(await nextCall()).refused(refusal, 1000);
			await nextCall();
		}

		expect(limiter.refusals).toBe(30);
	});
});

it('each request waits as long as its own patience, wherever it stands in the queue', async () => {
	const first = await refusedRun(undefined);
	const gaveUpAt: Record<string, number> = {};
	const startedAt = performance.now();
	const insist = async (name: string, patience: number, { limiter } = runOf(first.shared)) => {
		for (;;) {
			const turn = await settle(limiter.acquire({ patience, signal: undefined }));
			if ('failure' in turn) break;
			turn.value.refused(refusal, undefined);
		}
		gaveUpAt[name] = Math.round((performance.now() - startedAt) / 1000);
	};
	const all = [insist('long', 10 * MINUTE), insist('short', 5000), insist('middle', MINUTE)];
	await jest.advanceTimersByTimeAsync(12 * MINUTE);
	await Promise.all(all);

	expect(gaveUpAt).toEqual({
		short: expect.closeTo(5, -0.5) as number,
		middle: expect.closeTo(60, -1) as number,
		long: expect.closeTo(600, -2) as number,
	});
});

it('a run that starts while others wait for hours sends one request itself', async () => {
	const { shared } = await refusedRun(120 * MINUTE);
	await jest.advanceTimersByTimeAsync(1000);
	const later = runOf(shared);

	(await later.limiter.acquire(patient)).refused(refusal, 120 * MINUTE);
	await expect(later.limiter.acquire(patient)).rejects.toMatchObject({
		failure: { kind: 'rate limited' },
	});
});

describe('what a limiter has learnt', () => {
	const learn = async (account: string, execution: object) => {
		const limiters = joinRateLimiters(account, execution, 0, () => {});
		const turn = await limiters.paid.acquire(patient);
		turn.refused(refusal, 1000);
		const next = limiters.paid.acquire(patient);
		await jest.advanceTimersByTimeAsync(1100);
		await next;
		return limiters;
	};
	const knows = (account: string, execution: object) => {
		const limiters = joinRateLimiters(account, execution, 0, () => {});
		limiters.leave();
		return limiters.paid.interval === 1000;
	};

	it('is shared by concurrent runs that use the same service', async () => {
		const limiters = await learn('same', {});
		expect(knows('same', {})).toBe(true);
		limiters.leave();
	});

	it('does not apply to another service or key', async () => {
		const limiters = await learn('one', {});
		expect(knows('other', {})).toBe(false);
		limiters.leave();
	});

	it('is forgotten when the last run ends', async () => {
		const first = await learn('forgotten', {});
		const second = joinRateLimiters('forgotten', {}, 0, () => {});
		first.leave();
		expect(knows('forgotten', {})).toBe(true);
		second.leave();
		expect(knows('forgotten', {})).toBe(false);
	});

	it('is kept for the next run of the same execution', async () => {
		const execution = {};
		(await learn('loop', execution)).leave();

		expect(knows('loop', execution)).toBe(true);
		expect(knows('loop', {})).toBe(false);
	});

	it('does not apply to downloads', async () => {
		const limiters = await learn('downloads', {});
		expect(limiters.downloads.interval).toBe(0);
		limiters.leave();
	});
});
