import { newSharedPace, NoTurn, Pace } from '../../nodes/ImageGeneration/buy/pace';
import { joinPaces } from '../../nodes/ImageGeneration/buy/paces';
import { NotStarted } from '../../nodes/ImageGeneration/buy/runCapped';

const MINUTE = 60_000;
const patient = { patience: 10 * MINUTE, signal: undefined };
const refusal = new Error('Too many');

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

function runOf(shared = newSharedPace(() => 0), interval = 0) {
	const holds: number[] = [];
	const pace = new Pace(shared, interval, (ms) => holds.push(ms));
	return { pace, holds, shared };
}

/** A run whose first request was just refused. */
async function refusedRun(asked: number | undefined, shared?: ReturnType<typeof newSharedPace>) {
	const run = runOf(shared);
	const call = await run.pace.admit(patient);
	call.refused(refusal, asked);
	return run;
}

describe('requests that the service accepts', () => {
	it('are not delayed', async () => {
		const { pace } = runOf();
		await Promise.all(Array.from({ length: 100 }, async () => await pace.admit(patient)));

		expect(jest.getTimerCount()).toBe(0);
		expect([pace.held, pace.refusals, pace.limit]).toEqual([0, 0, undefined]);
	});
});

describe('after a refusal', () => {
	it('all runs wait as long as the service asks, in order of arrival', async () => {
		const first = await refusedRun(7000);
		const second = runOf(first.shared);
		const went: string[] = [];
		const waiting = [
			first.pace.admit(patient).then(() => went.push('first')),
			second.pace.admit(patient).then(() => went.push('second')),
		];

		await jest.advanceTimersByTimeAsync(6999);
		expect(went).toEqual([]);
		await jest.advanceTimersByTimeAsync(5000);
		await Promise.all(waiting);
		expect(went).toEqual(['first', 'second']);
		expect(first.pace.held).toBeGreaterThanOrEqual(7000);
	});

	it('the wait is announced once, even if several requests were refused together', async () => {
		const { pace, holds } = runOf();
		const calls = [await pace.admit(patient), await pace.admit(patient)];
		for (const call of calls) call.refused(refusal, 1000);

		expect(holds).toEqual([expect.closeTo(1010, 0)]);
		expect(pace.refusals).toBe(2);
	});
});

describe('Request Interval', () => {
	it('separates retried requests and delays no other run', async () => {
		const { shared, pace } = runOf(
			newSharedPace(() => 0),
			5000,
		);
		const sentAt: number[] = [];
		const send = async () => {
			const call = await pace.admit(patient);
			sentAt.push(performance.now());
			return call;
		};
		(await send()).refused(refusal, 60_000);
		const again = [send(), send(), send()];
		const other = runOf(shared);
		const others = [1, 2, 3, 4].map(
			async () => await other.pace.admit(patient).then(() => performance.now()),
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
		const other = runOf(shared).pace.admit(patient);
		const end = new AbortController();
		const { pace } = runOf(shared);
		const ended = [1, 2].map(
			async () =>
				await pace.admit({ ...patient, signal: end.signal }).catch((error: unknown) => error),
		);
		await jest.advanceTimersByTimeAsync(1000);
		end.abort();

		expect(await Promise.all(ended)).toEqual([new NotStarted(), new NotStarted()]);
		await jest.advanceTimersByTimeAsync(6 * MINUTE);
		await expect(other).resolves.toBeDefined();
	});

	it('leaves no timer behind when its run ends', async () => {
		const { pace } = await refusedRun(5 * MINUTE);
		const end = new AbortController();
		const ended = pace.admit({ ...patient, signal: end.signal }).catch((error: unknown) => error);
		await jest.advanceTimersByTimeAsync(10);
		end.abort();

		expect(await ended).toEqual(new NotStarted());
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('a request is given up', () => {
	it.each([10 * MINUTE + 1, 1e15, Infinity])(
		'at once if the service asks for a longer wait than allowed: %d ms',
		async (asked) => {
			const { pace } = await refusedRun(asked);
			const failure = await pace.admit(patient).catch((error: unknown) => error);

			expect(failure).toBeInstanceOf(NoTurn);
			expect(failure).toMatchObject({ lastRefusal: refusal });
			expect((failure as NoTurn).asked).toBeGreaterThanOrEqual(10 * MINUTE);
			expect(jest.getTimerCount()).toBe(0);
		},
	);

	it('once the service has accepted none for as long as allowed, and not before', async () => {
		const { pace } = runOf();
		const startedAt = performance.now();
		let failure: unknown;
		const trying = (async () => {
			while (failure === undefined) {
				try {
					(await pace.admit(patient)).refused(refusal, undefined);
				} catch (error) {
					failure = error;
				}
			}
		})();
		await jest.advanceTimersByTimeAsync(10 * MINUTE - 1);
		expect(failure).toBeUndefined();

		await jest.advanceTimersByTimeAsync(2 * MINUTE);
		await trying;
		expect(failure).toEqual(new NoTurn(refusal, undefined));
		expect(performance.now() - startedAt).toBeGreaterThan(10 * MINUTE);
	});

	it('only if none was accepted in the meantime', async () => {
		const { pace } = runOf();
		const nextCall = async () => {
			const admitted = pace.admit(patient);
			await jest.advanceTimersByTimeAsync(MINUTE);
			return await admitted;
		};
		for (let time = 0; time < 30; time++) {
			(await nextCall()).refused(refusal, 1000);
			(await nextCall()).accepted();
		}

		expect(pace.refusals).toBe(30);
	});
});

it('a run that starts while others wait for hours sends one request itself', async () => {
	const { shared } = await refusedRun(120 * MINUTE);
	await jest.advanceTimersByTimeAsync(1000);
	const later = runOf(shared);

	(await later.pace.admit(patient)).refused(refusal, 120 * MINUTE);
	await expect(later.pace.admit(patient)).rejects.toBeInstanceOf(NoTurn);
});

describe('what a pace has learnt', () => {
	const learn = async (account: string, execution: object) => {
		const paces = joinPaces(account, execution, 0, () => {});
		const call = await paces.calls.admit(patient);
		call.refused(refusal, 60 * MINUTE);
		return paces;
	};
	const knows = (account: string, execution: object) => {
		const paces = joinPaces(account, execution, 0, () => {});
		paces.leave();
		return paces.calls.isHolding;
	};

	it('is shared by concurrent runs that use the same service', async () => {
		const paces = await learn('same', {});
		expect(knows('same', {})).toBe(true);
		paces.leave();
	});

	it('does not apply to another service or key', async () => {
		const paces = await learn('one', {});
		expect(knows('other', {})).toBe(false);
		paces.leave();
	});

	it('is forgotten when the last run ends', async () => {
		const first = await learn('forgotten', {});
		const second = joinPaces('forgotten', {}, 0, () => {});
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
		const paces = await learn('downloads', {});
		expect(paces.downloads.isHolding).toBe(false);
		paces.leave();
	});
});
