import { RateLimiter, rates, sharedRate } from '../../nodes/ImageGeneration/buy/rateLimiter';
import { RequestRate } from '../../nodes/ImageGeneration/buy/requestRate';
import { notStarted, settle, type Failure } from '../../nodes/ImageGeneration/failures/failures';

const MINUTE = 60_000;
const PATIENCE = 10 * MINUTE;
const { signal } = new AbortController();
const refusal: Failure = { kind: 'rejection', status: 429, serviceMessage: 'Too many' };
const asking = (seconds: number): Failure => ({ ...refusal, retryAfter: String(seconds) });

beforeEach(() => {
	jest.useFakeTimers();
});

function runOf(rate = new RequestRate(() => 0), interval = 0) {
	const limiter = new RateLimiter(rate, interval, () => {});
	/** Waits for a turn. @returns a function that refuses the request */
	const turn = async (patience = PATIENCE, stop = signal) => {
		const sentAt = await limiter.acquire(patience, stop);
		return (how: Failure) => limiter.refused(sentAt, how);
	};
	return { limiter, rate, turn };
}

/** A run whose first request was just refused. */
async function refusedRun(how: Failure) {
	const run = runOf();
	(await run.turn())(how);
	return run;
}

it('all runs wait as long as the service asks, in order of arrival', async () => {
	const { limiter, rate, turn } = await refusedRun(asking(7));
	const second = runOf(rate);
	const went: string[] = [];
	const waiting = [
		turn().then(() => went.push('first')),
		second.turn().then(() => went.push('second')),
	];

	await jest.advanceTimersByTimeAsync(6999);
	expect(went).toStrictEqual([]);
	await jest.advanceTimersByTimeAsync(5000);
	await Promise.all(waiting);
	expect(went).toStrictEqual(['first', 'second']);
	expect(limiter.held).toBeGreaterThanOrEqual(7000);
});

it('Request Interval separates retried requests and delays no other run', async () => {
	const { rate, turn } = runOf(undefined, 5000);
	const sentAt: number[] = [];
	(await turn())(asking(60));
	const again = [1, 2, 3].map(async () => await turn().then(() => sentAt.push(performance.now())));
	const other = runOf(rate);
	const others = [1, 2, 3, 4].map(async () => await other.turn().then(() => performance.now()));
	const start = performance.now();
	await jest.advanceTimersByTimeAsync(2 * MINUTE);
	await Promise.all(again);
	const [first = 0, second = 0, third = 0] = sentAt;

	expect(first - start).toBeGreaterThanOrEqual(60_000);
	expect(second - first).toBeGreaterThanOrEqual(5000);
	expect(third - second).toBeGreaterThanOrEqual(5000);
	expect(Math.max(...(await Promise.all(others)))).toBeLessThan(third);
});

it('a wait ends when its run ends, even in the middle of the queue, and no request is sent', async () => {
	const { rate } = await refusedRun(asking(300));
	const other = runOf(rate).turn();
	const end = new AbortController();
	const { turn } = runOf(rate);
	const ended = [1, 2].map(async () => await settle(turn(PATIENCE, end.signal)));
	await jest.advanceTimersByTimeAsync(1000);
	end.abort();

	expect(await Promise.all(ended)).toStrictEqual([notStarted, notStarted]);
	expect(jest.getTimerCount()).toBe(1);
	await jest.advanceTimersByTimeAsync(6 * MINUTE);
	await expect(other).resolves.toBeDefined();
});

describe('a request is given up', () => {
	it('once the service has accepted none for as long as its own run allows, and not before', async () => {
		const { rate } = await refusedRun(refusal);
		await jest.advanceTimersByTimeAsync(20_000);
		const startedAt = performance.now();
		/** The failure of a run with this patience that is always refused, and after how many seconds. */
		const insist = async (patience: number) => {
			const { turn } = runOf(rate);
			for (;;) {
				const outcome = await settle(turn(patience));
				if ('failure' in outcome)
					return { ...outcome.failure, after: (performance.now() - startedAt) / 1000 };
				outcome.value(refusal);
			}
		};
		const all = Promise.all([5000, MINUTE, PATIENCE].map(insist));
		await jest.advanceTimersByTimeAsync(12 * MINUTE);
		const waits = (await all).map(({ after }) => after);
		const [short = 0, middle = 0, long = 0] = waits;

		expect(await all).toMatchObject(waits.map(() => ({ kind: 'rate limited', refusal })));
		expect([short >= 5, middle >= 60, long >= 600]).toStrictEqual([true, true, true]);
		expect([short < 6.5, middle < 65, long < 650]).toStrictEqual([true, true, true]);
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

	it.each([
		['have to wait for hours', 7200, PATIENCE],
		['have to wait as long as it allows', 10, 10_000],
	])('only after one of its own run, if others %s', async (_how, seconds, patience) => {
		const rate = new RequestRate(() => 1);
		(await runOf(rate).turn())(asking(seconds));
		await jest.advanceTimersByTimeAsync(1);
		const { turn } = runOf(rate);
		const first = turn(patience);
		await jest.advanceTimersByTimeAsync(10_000);

		(await first)(asking(7200));
		await expect(turn(patience)).rejects.toMatchObject({ failure: { kind: 'rate limited' } });
	});
});

describe('the rate that a run has learned', () => {
	/** Milliseconds until the third request of a new run goes out. */
	const third = async (account: string) => {
		const { turn } = runOf(sharedRate(account));
		const start = performance.now();
		const sent = Promise.all([turn(), turn(), turn()]).then(() => performance.now() - start);
		await jest.advanceTimersByTimeAsync(5000);
		return await sent;
	};

	it('is that of other runs at the same time and in the next ten minutes', async () => {
		(await runOf(sharedRate('account')).turn())(asking(1));
		expect(await third('account')).toBeGreaterThan(2000);
		await jest.advanceTimersByTimeAsync(9 * MINUTE);
		expect(await third('another account')).toBe(0);
		expect(await third('account')).toBeGreaterThan(1900);
		expect(rates.size).toBe(2);

		await jest.advanceTimersByTimeAsync(10 * MINUTE);
		expect(await third('account')).toBe(0);
		expect(rates.size).toBe(1);
	});
});
