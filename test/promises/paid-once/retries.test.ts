import { RateLimiter } from '../../../nodes/ImageGeneration/buy/rateLimiter';
import { requestLoop, type RetryLog } from '../../../nodes/ImageGeneration/buy/requestLoop';
import { RequestRate } from '../../../nodes/ImageGeneration/buy/requestRate';
import { Failed, type Failure } from '../../../nodes/ImageGeneration/failures/failures';
import { jobWith } from '../../support/jobs';

beforeEach(() => {
	jest.useFakeTimers();
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
function run(ends: Failure[], { signal = new AbortController().signal } = {}) {
	const waits: number[] = [];
	const reasons: Failure[] = [];
	let sent = 0;
	const limiter = new RateLimiter(new RequestRate(() => 0), () => {});
	const log = {
		retry: (_job, ms, failure) => {
			waits.push(ms);
			reasons.push(failure);
		},
	} as RetryLog;
	const send = async () => {
		const failure = ends[sent++];
		await Promise.resolve();
		if (failure !== undefined) throw new Failed(failure);
		return 'done';
	};
	const result = requestLoop(log, signal, jobWith(), limiter, send);
	return { result, limiter, waits, reasons, sent: () => sent };
}

describe('a request', () => {
	it.each<[how: string, ends: Failure[], sent: number, result: Failure | undefined]>([
		['once if it succeeds', [], 1, undefined],
		['once if it is refused', [REFUSED], 1, REFUSED],
		['once if it may have been charged', [UNCLEAR], 1, UNCLEAR],
		['no more once it may have been charged', [UNREACHABLE, UNCLEAR], 2, UNCLEAR],
		['four times at most', [...times(3, UNREACHABLE), LAST], 4, LAST],
		['more often while there are too many', times(8, TOO_MANY), 9, undefined],
		['until it is refused for another reason than too many', [TOO_MANY, REFUSED], 2, REFUSED],
		['once if the service asks for a longer wait than Timeout', [CLOSED], 1, GIVEN_UP],
	])('is sent %s', async (_how, ends, count, expected) => {
		const { result, sent, waits } = run(ends);
		await jest.advanceTimersByTimeAsync(300_000);

		expect(await result).toStrictEqual(expected === undefined ? DONE : { failure: expected });
		expect(sent()).toBe(count);
		expect(waits).toHaveLength(ends.filter((end) => end === UNREACHABLE).length);
	});

	it('is retried after waits that double, with half of each left to chance', async () => {
		const ends = times(3, UNREACHABLE);
		const { result, waits, reasons } = run(ends);
		await jest.runAllTimersAsync();

		expect(await result).toStrictEqual(DONE);
		expect(reasons).toStrictEqual(ends);
		// Without chance, all would be multiples of 500.
		expect(waits.every((ms) => ms % 500 !== 0)).toBe(true);
		waits.forEach((ms, retry) => {
			expect(ms).toBeGreaterThanOrEqual(500 * 2 ** retry);
			expect(ms).toBeLessThanOrEqual(1000 * 2 ** retry);
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
	const { result, sent } = run([UNREACHABLE], { signal: controller.signal });
	await jest.advanceTimersByTimeAsync(100);
	controller.abort(new Error('Stopped'));

	expect(await result).toStrictEqual({ failure: UNREACHABLE });
	expect(sent()).toBe(1);
	expect(jest.getTimerCount()).toBe(0);
});
