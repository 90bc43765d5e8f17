import {
	ActiveRates,
	type AccountRates,
	RateLimiter,
	RateLimiters,
} from '../../nodes/ImageGeneration/buy/rateLimiter';
import { RequestRate } from '../../nodes/ImageGeneration/buy/requestRate';
import { notStarted, settle, type Failure } from '../../nodes/ImageGeneration/failures/failures';

const MINUTE = 60_000;
const PATIENCE = 10 * MINUTE;
const { signal } = new AbortController();
const refusal: Failure = { kind: 'rejection', status: 429, serviceMessage: 'Too many' };
const asking = (seconds: number): Failure => ({ ...refusal, retryAfter: 1000 * seconds });

beforeEach(() => {
	jest.useFakeTimers();
});

function runOf(rate = new RequestRate(() => 0)) {
	const limiter = new RateLimiter(rate, () => {});
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

it('a pause between two rounds does not count as time in which the service refused everything', async () => {
	const holds: number[] = [];
	const active = new ActiveRates();
	let learned: AccountRates | undefined;
	const round = async () => {
		const rates = active.join('an account', learned);
		learned = rates;
		const { paid } = new RateLimiters(rates, (ms) => holds.push(ms));
		paid.refused(await paid.acquire(30_000, signal), refusal);
		const leave = () => {
			active.leave(rates);
		};
		return { paid, leave };
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
	const { rate, turn } = await refusedRun(asking(7));
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

it('a wait as long as patience is accepted, whatever the random part is', async () => {
	const { turn } = runOf(new RequestRate(() => 1));
	(await turn(2000))(asking(2));
	const start = performance.now();
	const next = turn(2000).then(() => performance.now() - start);
	await jest.advanceTimersByTimeAsync(MINUTE);

	expect(await next).toBeCloseTo(2000, -1);
});

describe('a request is given up', () => {
	it('once the service has accepted none for as long as its own run allows, and not before', async () => {
		const { rate } = await refusedRun(refusal);
		await jest.advanceTimersByTimeAsync(20_000);
		const startedAt = performance.now();
		/** The failure of a run with this patience that is always refused, and after how many seconds. */
		const insist = async (patience: number) => {
			const { turn } = runOf(rate);
			let outcome = await settle(turn(patience));
			while ('value' in outcome) {
				outcome.value(refusal);
				outcome = await settle(turn(patience));
			}
			return { ...outcome.failure, after: (performance.now() - startedAt) / 1000 };
		};
		const all = Promise.all([5000, MINUTE].map(insist));
		await jest.advanceTimersByTimeAsync(2 * MINUTE);
		const waits = (await all).map(({ after }) => after);
		const [short = 0, long = 0] = waits;

		expect(await all).toMatchObject(waits.map(() => ({ kind: 'rate limited', refusal })));
		expect([short >= 5, short < 6.5]).toStrictEqual([true, true]);
		expect([long >= 60, long < 65]).toStrictEqual([true, true]);
	});

	it('only if none was accepted in the meantime', async () => {
		const { turn } = runOf();
		const next = async () => {
			const admitted = turn();
			await jest.advanceTimersByTimeAsync(2 * MINUTE);
			return await admitted;
		};
		for (let time = 0; time < 5; time++) {
			(await next())(asking(1));
			await next();
		}

		expect(await next()).toBeInstanceOf(Function);
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
	/** What the runs of an execution share. */
	interface Shared {
		rates?: AccountRates;
	}
	const active = new ActiveRates();
	const join = (account: string, execution: Shared = {}) => {
		const rates = active.join(account, execution.rates);
		execution.rates = rates;
		const { paid, downloads } = new RateLimiters(rates, () => {});
		const leave = () => {
			active.leave(rates);
		};
		return { paid, downloads, leave };
	};
	const learn = async (account: string, execution?: Shared) => {
		const limiters = join(account, execution);
		limiters.paid.refused(await limiters.paid.acquire(PATIENCE, signal), refusal);
		const next = limiters.paid.acquire(PATIENCE, signal);
		await jest.advanceTimersByTimeAsync(1100);
		await next;
		return limiters;
	};
	const knows = (account: string, execution?: Shared) => {
		const limiters = join(account, execution);
		limiters.leave();
		return limiters.paid.rate.interval > 0;
	};

	it('is shared by concurrent runs with the same service and key, until the last one ends', async () => {
		const first = await learn('shared');
		const second = join('shared');
		expect([knows('shared'), knows('other')]).toStrictEqual([true, false]);

		first.leave();
		expect(knows('shared')).toBe(true);
		second.leave();
		expect(knows('shared')).toBe(false);
	});

	it('is kept for the next run of the same execution with the same key, but not for downloads', async () => {
		const execution: Shared = {};
		const limiters = await learn('loop', execution);
		limiters.leave();

		expect([knows('loop'), knows('loop', execution)]).toStrictEqual([false, true]);
		expect(knows('another key', execution)).toBe(false);
		expect(limiters.downloads.rate.interval).toBe(0);
	});
});
