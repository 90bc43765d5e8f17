import { buyJob, type Buying } from '../../../nodes/ImageGeneration/buy/buyJob';
import { Limits } from '../../../nodes/ImageGeneration/buy/limits';
import { RateLimiter } from '../../../nodes/ImageGeneration/buy/rateLimiter';
import { requestLoop, type RetryLog } from '../../../nodes/ImageGeneration/buy/requestLoop';
import { RequestRate } from '../../../nodes/ImageGeneration/buy/requestRate';
import {
	Failed,
	notStarted,
	settle,
	type Failure,
} from '../../../nodes/ImageGeneration/failures/failures';
import { ExecutionMemory } from '../../../nodes/ImageGeneration/recall/executionMemory';
import { Journal } from '../../../nodes/ImageGeneration/recall/journal';
import { NodeRun } from '../../../nodes/ImageGeneration/recall/nodeRun';
import type { PurchaseLog } from '../../../nodes/ImageGeneration/recall/purchaseLog';
import { Purchases } from '../../../nodes/ImageGeneration/recall/purchases';
import { toService } from '../../../nodes/ImageGeneration/service/service';
import { jobWith } from '../../support/jobs';

beforeEach(() => {
	jest.useFakeTimers();
});

/**
 * A run that writes down what it does.
 * @param write Writes the row of a request to the log.
 * @param respond Answers a request. The default can't be reached.
 */
function recordedRun({
	write = async () => {},
	respond = async (): Promise<unknown> => await Promise.reject(new Error('connect ECONNREFUSED')),
	maxImages = Infinity,
} = {}) {
	const events: string[] = [];
	const sentAt: number[] = [];
	const credential = { baseUrl: 'https://example.com', apiKey: 'a-key' };
	const rate = new RequestRate();
	const httpRequestWithAuthentication = async () => {
		events.push('request');
		sentAt.push(performance.now());
		return await respond();
	};
	const process = { journal: new Journal(), timeOfDay: () => 0 };
	const nodeRun = new NodeRun('a node', '7', 0, 0);
	const purchaseLog = {
		add: async () => {
			events.push('recorded');
			await write();
		},
		write: async () => {},
		writeWithoutWaiting: () => {},
		remove: async () => {
			events.push('removed');
			await Promise.resolve();
		},
	} as unknown as PurchaseLog;
	const buyer = { accounts: ['an account'], isManual: false, operation: 'generate', workflow: 'W' };
	const context = {};
	const memory = new ExecutionMemory(context);
	const purchases = new Purchases(process, nodeRun, buyer, false, memory, purchaseLog, () => {});
	const counting = { process, run: nodeRun, maxImages, maxImagesPerDay: Infinity, isTool: false };
	const limits = new Limits({ ...counting, context, logged: [] });
	const end = new AbortController();
	const { signal } = end;
	const run = {
		context: {
			getCredentials: async () => credential,
			getExecutionCancelSignal: () => undefined,
			helpers: { httpRequestWithAuthentication },
		},
		service: toService(credential),
		limits,
		limiters: { paid: new RateLimiter(rate, () => {}) },
		callers: { check: async () => {} },
		purchases,
		signal,
		log: { purchase: () => {}, retry: () => {} },
	} as unknown as Buying;
	const buy = async () => {
		limits.plan(1);
		return await settle(buyJob(run, jobWith(), signal));
	};
	const known = () => process.journal.of('a node');
	const stop = () => purchases.stop();
	return { events, sentAt, rate, end, buy, limits, stop, known };
}

const JOB = { output_url: 'https://example.com/a.png' };

/** Answers with a job result. */
async function respondWithJob() {
	return await Promise.resolve({
		statusCode: 200,
		headers: {},
		body: {
			on: () => {},
			async *[Symbol.asyncIterator]() {
				await Promise.resolve();
				yield Buffer.from(JSON.stringify(JOB));
			},
		},
	});
}

describe('a paid request', () => {
	it('is recorded before it takes its turn, so that the pace holds with a slow table', async () => {
		// The rows that arrive within a second are written together at its end.
		const write = async () =>
			await new Promise<void>((resolve) => setTimeout(resolve, 1000 - (performance.now() % 1000)));
		const { buy, sentAt, rate } = recordedRun({ write, respond: respondWithJob });
		rate.interval = 100;
		const jobs = Array.from({ length: 30 }, buy);
		await jest.advanceTimersByTimeAsync(10_000);
		await Promise.all(jobs);

		const gaps = sentAt.slice(1).map((time, index) => time - (sentAt[index] ?? 0));
		expect(gaps).toHaveLength(29);
		// The limiter makes up for one request that was late.
		expect(gaps.filter((ms) => ms < 99).length).toBeLessThanOrEqual(1);
	});

	it('is recorded once, however often it is sent, and no longer if it was definitely not charged', async () => {
		const { events, known, buy } = recordedRun();
		const bought = buy();
		await jest.runAllTimersAsync();
		await bought;

		const requests = Array<string>(4).fill('request');
		expect(events).toStrictEqual(['recorded', ...requests, 'removed']);
		expect(known()).toStrictEqual([]);
	});

	it('is not sent if it could not be recorded', async () => {
		const write = async () => await Promise.reject(new Error('The table is away'));
		const { events, buy } = recordedRun({ write });

		expect(await buy()).toMatchObject({ failure: { message: 'The table is away' } });
		expect(events).not.toContain('request');
	});

	it('that could not be recorded leaves its place under Max Images to the next one', async () => {
		const write = jest.fn(async () => {});
		write.mockRejectedValueOnce(new Error('The table is away'));
		const { limits, buy } = recordedRun({ write, respond: respondWithJob, maxImages: 1 });
		await buy();
		expect(limits.room(1)).toBe(1);

		expect(await buy()).toMatchObject({ value: { result: JOB } });
		expect(limits.room(1)).toBe(0);
	});

	it('without an answer stays recorded, without a result, and counts as bought', async () => {
		const respond = async () => await Promise.reject(new Error('socket hang up'));
		const { events, known, limits, buy } = recordedRun({ respond, maxImages: 1 });
		await buy();

		expect(events).toStrictEqual(['recorded', 'request']);
		expect(known()).toMatchObject([{ result: undefined, holder: '7' }]);
		expect(limits.room(1)).toBe(0);
	});

	it('that was answered is held by its execution, or by nobody if the run was stopped meanwhile', async () => {
		const delivered = recordedRun({ respond: respondWithJob });
		await delivered.buy();
		expect(delivered.known()).toMatchObject([{ result: JOB, holder: '7', execution: '7' }]);
		const stopped = recordedRun({
			respond: async () => {
				stopped.stop();
				return await respondWithJob();
			},
		});
		await stopped.buy();

		expect(stopped.known()).toMatchObject([{ result: JOB, holder: '', execution: '7' }]);
	});

	it('is not sent, and its record removed, if the run ends while it is recorded', async () => {
		const write = async () => {
			end.abort();
			await Promise.resolve();
		};
		const { events, end, buy } = recordedRun({ write });

		expect(await buy()).toStrictEqual(notStarted);
		expect(events).toStrictEqual(['recorded', 'removed']);
	});

	it('is not sent, and its record removed, if the run ends while it waits for its turn', async () => {
		const { events, rate, end, buy } = recordedRun();
		rate.interval = 3_600_000;
		// The limiter makes up for one request.
		rate.requestSent(performance.now());
		rate.requestSent(performance.now());
		const bought = buy();
		await jest.advanceTimersByTimeAsync(5000);
		expect(events).toStrictEqual(['recorded']);

		end.abort();
		expect(await bought).toStrictEqual(notStarted);
		expect(events).toStrictEqual(['recorded', 'removed']);
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
		const { result, sent, waits, limiter } = run(ends);
		await jest.advanceTimersByTimeAsync(300_000);

		expect(await result).toStrictEqual(expected === undefined ? DONE : { failure: expected });
		expect(sent()).toBe(count);
		expect(waits).toHaveLength(ends.filter((end) => end === UNREACHABLE).length);
		expect(limiter.refusals).toBe(ends.filter(({ status }) => status === 429).length);
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
