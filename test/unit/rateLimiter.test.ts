import { joinRateLimiters, RateLimiter } from '../../nodes/ImageGeneration/buy/rateLimiter';
import { RequestRate } from '../../nodes/ImageGeneration/buy/requestRate';
import type { Failure } from '../../nodes/ImageGeneration/failures/failures';
import { notStarted, settle } from '../../nodes/ImageGeneration/failures/outcome';

const MINUTE = 60_000;
/** The node's context in an execution with several rounds. */
const ROUNDS = {};
const PATIENCE = 10 * MINUTE;
const { signal } = new AbortController();
const refusal: Failure = { kind: 'rejection', status: 429, serviceMessage: 'Too many' };
const asking = (seconds: number): Failure => ({ ...refusal, retryAfter: String(seconds) });

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

function runOf(rate = new RequestRate(() => 0), interval = 0) {
	const holds: number[] = [];
	const limiter = new RateLimiter(rate, interval, (ms) => holds.push(ms));
	const turn = async (patience = PATIENCE, stop = signal) => await limiter.acquire(patience, stop);
	return { limiter, holds, rate, turn };
}

/** A run whose first request was just refused. */
async function refusedRun(how: Failure) {
	const run = runOf();
	(await run.turn())(how);
	return run;
}

it('requests that the service accepts are not delayed', async () => {
	const { limiter, turn } = runOf();
	await Promise.all(Array.from({ length: 100 }, async () => await turn()));

	expect(jest.getTimerCount()).toBe(0);
	expect([limiter.held, limiter.refusals, limiter.interval]).toEqual([0, 0, 0]);
});

it('a pause between two rounds does not count as time in which the service refused everything', async () => {
	const holds: number[] = [];
	const round = async () => {
		const run = joinRateLimiters('an account', ROUNDS, 0, (ms) => holds.push(ms));
		(await run.paid.acquire(30_000, signal))(refusal);
		return run;
	};
	(await round()).leave();
	await jest.advanceTimersByTimeAsync(10 * MINUTE);
	const second = await round();
	const next = settle(second.paid.acquire(30_000, signal));
	await jest.advanceTimersByTimeAsync(2 * MINUTE);
	second.leave();

	expect(Math.max(...holds)).toBeLessThan(3000);
	expect(await next).toHaveProperty('value');
});

it('all runs wait as long as the service asks, in order of arrival', async () => {
	const { limiter, rate, turn } = await refusedRun(asking(7));
	const second = runOf(rate);
	const went: string[] = [];
	const waiting = [
		turn().then(() => went.push('first')),
		second.turn().then(() => went.push('second')),
	];

	await jest.advanceTimersByTimeAsync(6999);
	expect(went).toEqual([]);
	await jest.advanceTimersByTimeAsync(5000);
	await Promise.all(waiting);
	expect(went).toEqual(['first', 'second']);
	expect(limiter.held).toBeGreaterThanOrEqual(7000);
});

it('a wait is announced once, even if several requests were refused together', async () => {
	const { limiter, holds, turn } = runOf();
	for (const refused of [await turn(), await turn()]) refused(asking(1));

	expect(holds).toEqual([1000]);
	expect(limiter.refusals).toBe(2);
});

it('Request Interval separates retried requests and delays no other run', async () => {
	const { rate, turn } = runOf(undefined, 5000);
	const sentAt: number[] = [];
	const send = async () => {
		const refused = await turn();
		sentAt.push(performance.now());
		return refused;
	};
	(await send())(asking(60));
	const again = [send(), send(), send()];
	const other = runOf(rate);
	const others = [1, 2, 3, 4].map(async () => await other.turn().then(() => performance.now()));
	await jest.advanceTimersByTimeAsync(2 * MINUTE);
	await Promise.all(again);
	const otherSentAt = await Promise.all(others);
	const [first = 0, second = 0, third = 0, fourth = 0] = sentAt;

	expect(second - first).toBeGreaterThanOrEqual(60_000);
	expect(third - second).toBeGreaterThanOrEqual(5000);
	expect(fourth - third).toBeGreaterThanOrEqual(5000);
	expect(Math.max(...otherSentAt)).toBeLessThan(fourth);
});

it('a wait ends when its run ends, even in the middle of the queue, and no request is sent', async () => {
	const { rate } = await refusedRun(asking(300));
	const other = runOf(rate).turn();
	const end = new AbortController();
	const { turn } = runOf(rate);
	const ended = [1, 2].map(async () => await settle(turn(PATIENCE, end.signal)));
	await jest.advanceTimersByTimeAsync(1000);
	end.abort();

	expect(await Promise.all(ended)).toEqual([notStarted, notStarted]);
	expect(jest.getTimerCount()).toBe(1);
	await jest.advanceTimersByTimeAsync(6 * MINUTE);
	await expect(other).resolves.toBeDefined();
});

describe('a request is given up', () => {
	it.each([601, 1e12, Infinity])(
		'at once if the service asks for a longer wait than allowed: %d s',
		async (seconds) => {
			const retryAfter = seconds === Infinity ? '9'.repeat(400) : String(seconds);
			const asked = { ...refusal, retryAfter };
			const { turn } = await refusedRun(asked);

			expect(await settle(turn())).toEqual({
				failure: {
					...{ kind: 'rate limited', refusal: asked, asked: seconds * 1000 },
					...{ patience: PATIENCE, status: 429, serviceMessage: 'Too many' },
				},
			});
			expect(jest.getTimerCount()).toBe(0);
		},
	);

	it('once the service has accepted none for as long as its own run allows, and not before', async () => {
		const { rate } = await refusedRun(refusal);
		await jest.advanceTimersByTimeAsync(20_000);
		const gaveUpAt: Record<string, number> = {};
		const failures: Failure[] = [];
		const startedAt = performance.now();
		const insist = async (name: string, patience: number) => {
			const { turn } = runOf(rate);
			for (;;) {
				const outcome = await settle(turn(patience));
				if ('failure' in outcome) {
					gaveUpAt[name] = Math.round((performance.now() - startedAt) / 1000);
					failures.push(outcome.failure);
					return;
				}
				outcome.value(refusal);
			}
		};
		const all = [insist('long', PATIENCE), insist('short', 5000), insist('middle', MINUTE)];
		await jest.advanceTimersByTimeAsync(12 * MINUTE);
		await Promise.all(all);

		expect(gaveUpAt).toEqual({
			short: expect.closeTo(5, -0.5) as number,
			middle: expect.closeTo(60, -1) as number,
			long: expect.closeTo(600, -2) as number,
		});
		expect(gaveUpAt.short).toBeGreaterThanOrEqual(5);
		expect(gaveUpAt.middle).toBeGreaterThanOrEqual(60);
		expect(gaveUpAt.long).toBeGreaterThanOrEqual(600);
		for (const failure of failures) {
			expect(failure).toMatchObject({ kind: 'rate limited', refusal, asked: undefined });
		}
	});

	it('only if none was accepted in the meantime', async () => {
		const { limiter, turn } = runOf();
		const next = async () => {
			const admitted = turn();
			await jest.advanceTimersByTimeAsync(2 * MINUTE);
			return await admitted;
		};
		for (let time = 0; time < 30; time++) {
			(await next())(asking(1));
			await next();
		}

		expect(limiter.refusals).toBe(30);
	});

	it('only after one of its own run, if others wait for hours', async () => {
		const { rate } = await refusedRun(asking(7200));
		await jest.advanceTimersByTimeAsync(1000);
		const { turn } = runOf(rate);

		(await turn())(asking(7200));
		await expect(turn()).rejects.toMatchObject({ failure: { kind: 'rate limited' } });
	});
});

describe('what a limiter has learnt', () => {
	const join = (account: string, execution: object = {}) =>
		joinRateLimiters(account, execution, 0, () => {});
	const learn = async (account: string, execution: object = {}) => {
		const limiters = join(account, execution);
		(await limiters.paid.acquire(PATIENCE, signal))(refusal);
		const next = limiters.paid.acquire(PATIENCE, signal);
		await jest.advanceTimersByTimeAsync(1100);
		await next;
		return limiters;
	};
	const knows = (account: string, execution?: object) => {
		const limiters = join(account, execution);
		limiters.leave();
		return limiters.paid.interval > 0;
	};

	it('is shared by concurrent runs with the same service and key, until the last one ends', async () => {
		const first = await learn('shared');
		const second = join('shared');
		expect([knows('shared'), knows('other')]).toEqual([true, false]);

		first.leave();
		expect(knows('shared')).toBe(true);
		second.leave();
		expect(knows('shared')).toBe(false);
	});

	it('is kept for the next run of the same execution with the same key', async () => {
		const execution = {};
		(await learn('loop', execution)).leave();

		expect([knows('loop'), knows('loop', execution)]).toEqual([false, true]);
		expect(knows('another key', execution)).toBe(false);
	});

	it('does not apply to downloads', async () => {
		const limiters = await learn('downloads');
		expect(limiters.downloads.interval).toBe(0);
		limiters.leave();
	});
});
