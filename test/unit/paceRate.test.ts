import fc from 'fast-check';

import { PaceRate } from '../../nodes/ImageGeneration/buy/paceRate';
import { fuzz, SEED } from '../support/fuzz';
import {
	changing,
	closed,
	fixedWindow,
	slidingWindow,
	tokenBucket,
	unlimited,
	type LimitedService,
} from '../support/limitedService';
import { seeded, simulateCalls, type Work } from '../support/simulateCalls';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const kinds = { tokenBucket, slidingWindow, fixedWindow };

/** Simulates 21 runs with different random numbers and takes the median. */
function simulate(
	serviceOf: () => LimitedService,
	what: Pick<Work, 'calls' | 'atOnce'> & Partial<Work>,
) {
	const runs = Array.from({ length: 21 }, (_, seed) => {
		const random = seeded(seed + 1);
		const work: Work = { latency: 5, work: 20, retryAfter: false, random, ...what };
		return simulateCalls(new PaceRate(random), serviceOf(), work);
	});
	const median = (values: number[]) => values.sort((a, b) => a - b)[10] ?? NaN;
	return {
		time: median(runs.map(({ time }) => time)),
		refused: median(runs.map(({ refused }) => refused)),
		delivered: Math.min(...runs.map(({ delivered }) => delivered)),
		runs,
	};
}

describe('the pace', () => {
	it('delays nothing while the service accepts everything', () => {
		const { time, refused, runs } = simulate(() => unlimited, { calls: 1000, atOnce: 100 });
		const [first] = runs;

		expect(refused).toBe(0);
		expect(first?.sentTimes.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 0));
		expect(time).toBeLessThan(10 * (20 + 4 * 5));
	});

	describe.each([true, false])('with Retry-After %s', (retryAfter) => {
		it.each(
			[5, 25, 100].flatMap((atOnce) =>
				[SECOND, 6 * SECOND].map((period) => ({ atOnce, period, retryAfter })),
			),
		)(
			'follows a token bucket of 10 in $period ms, $atOnce at once, with few refusals and little delay',
			({ atOnce, period }) => {
				const calls = 60;
				const { time, refused, delivered } = simulate(() => tokenBucket(10, period), {
					calls,
					atOnce,
					retryAfter,
				});

				expect(delivered).toBe(calls);
				expect(time).toBeLessThanOrEqual(1.25 * 5 * period);
				expect(refused).toBeLessThanOrEqual(Math.min(atOnce, calls) + calls / 10);
			},
		);

		it.each(
			Object.entries(kinds).flatMap(([kind, serviceOf]) =>
				[
					{ limit: 1, period: MINUTE, calls: 30 },
					{ limit: 10, period: MINUTE, calls: 60 },
					{ limit: 60, period: MINUTE, calls: 240 },
					{ limit: 1, period: SECOND, calls: 60 },
					{ limit: 10, period: SECOND, calls: 120 },
				].map((setting) => ({ kind, serviceOf, ...setting })),
			),
		)('converges to $limit in $period ms of a $kind', ({ serviceOf, limit, period, calls }) => {
			const { time, refused, delivered } = simulate(() => serviceOf(limit, period), {
				calls,
				atOnce: 25,
				work: 200,
				retryAfter,
			});
			const ideal = ((calls - limit) * period) / limit;

			expect(delivered).toBe(calls);
			expect(time).toBeLessThanOrEqual(1.5 * ideal + SECOND);
			// A limit that is far off takes more refusals to find, because waits grow.
			expect(refused).toBeLessThanOrEqual(25 + calls / 10 + Math.log2(period / SECOND));
		});

		it.each(Object.entries(kinds))('converges to 100 per second of a %s', (_kind, serviceOf) => {
			const { time, refused, delivered } = simulate(() => serviceOf(100, SECOND), {
				calls: 1000,
				atOnce: 100,
				retryAfter,
			});

			expect(delivered).toBe(1000);
			expect(refused).toBeLessThanOrEqual(100 + 100);
			// Retry-After in whole seconds costs one-second windows half of the time.
			expect(time).toBeLessThanOrEqual(2 * 9 * SECOND);
		});

		it.each([
			['falls from 10 to 1 per second', 10, 1, 2],
			// A higher limit is found carefully, within a few hundred requests.
			['rises from 1 to 10 per second', 1, 10, 5],
		])('follows a limit that %s', (_how, before, after, most) => {
			const calls = 200;
			const at = 10 * SECOND;
			const { time, refused, delivered } = simulate(
				() => changing(tokenBucket(before, SECOND), at, tokenBucket(after, SECOND)),
				{ calls, atOnce: 25, retryAfter },
			);
			const ideal = at + ((calls - before * 11) / after) * SECOND;

			expect(delivered).toBe(calls);
			expect(time).toBeLessThanOrEqual(most * ideal);
			expect(refused).toBeLessThanOrEqual(25 + calls / 10);
		});

		it('resumes soon after the service refused everything for ten minutes', () => {
			const { time, delivered } = simulate(
				() => changing(closed(20 * SECOND), 10 * MINUTE, unlimited),
				{ calls: 500, atOnce: 5, retryAfter },
			);

			expect(delivered).toBe(500);
			expect(time).toBeLessThan(14 * MINUTE);
		});
	});

	it('sends about one request a minute while the service refuses everything for an hour', () => {
		const { runs } = simulate(() => closed(0), { calls: 100, atOnce: 25, until: 60 * MINUTE });

		for (const { refused, delivered } of runs) {
			expect(delivered).toBe(0);
			expect(refused).toBeGreaterThan(50);
			expect(refused).toBeLessThan(25 + 60 / 0.6 + 10);
		}
	});

	it('allows bursts again that fit the limit', () => {
		const service = slidingWindow(10, SECOND);
		const pace = new PaceRate(() => 0.5);
		const first = {
			calls: 40,
			atOnce: 20,
			latency: 5,
			work: 20,
			retryAfter: true,
			random: () => 0,
		};
		simulateCalls(pace, service, first);

		expect(pace.limit?.calls).toBe(10);
		expect(pace.limit?.period).toBeGreaterThan(0.9 * SECOND);
		expect(pace.limit?.period).toBeLessThan(1.2 * SECOND);
	});
});

describe('a wait that the service asks for', () => {
	it('applies to all requests and is exceeded only slightly', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 4_000_000 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(asked, chance) => {
					const pace = new PaceRate(() => chance);
					pace.callSent(0);
					pace.callRefused(0, 10, asked);

					expect(pace.delay(10)).toBeGreaterThanOrEqual(asked);
					expect(pace.delay(10)).toBeLessThanOrEqual(asked * 1.03 + 10);
					expect(pace.delay(10 + asked * 1.03 + 10)).toBe(0);
				},
			),
			fuzz(200),
		);
	});

	it('is the longest one asked for by concurrent requests', () => {
		const pace = new PaceRate(() => 0);
		pace.callSent(0);
		pace.callSent(1);
		pace.callRefused(0, 10, 1000);
		pace.callRefused(1, 11, 5000);

		expect(pace.delay(11)).toBe(4999);
	});

	it('grows by itself if the service never names one', () => {
		const { runs } = simulate(() => closed(0), { calls: 1, atOnce: 1, until: MINUTE });

		for (const { sentTimes } of runs) expect(sentTimes.length).toBeLessThan(12);
	});
});

describe('after a refusal', () => {
	it('one request goes first, and the others follow once it can no longer be refused', () => {
		const pace = new PaceRate(() => 0);
		for (const time of [0, 1, 2]) pace.callSent(time);
		pace.callRefused(2, 102, 1000);
		const ahead = 102 + pace.delay(102);
		pace.callSent(ahead);

		expect(pace.delay(ahead)).toBe(200);
	});

	it('the others follow at once when the first is accepted', () => {
		const pace = new PaceRate(() => 0);
		for (const time of [0, 1, 2]) pace.callSent(time);
		pace.callRefused(2, 202, 100);
		const ahead = 202 + pace.delay(202);
		pace.callSent(ahead);
		pace.callAccepted(ahead);

		expect(pace.delay(ahead)).toBeLessThan(100);
	});

	it('a late refusal of an earlier request changes nothing', () => {
		const pace = new PaceRate(() => 0);
		for (const time of [0, 1, 2]) pace.callSent(time);
		pace.callRefused(2, 10, 1000);
		const ahead = 10 + pace.delay(10);
		pace.callSent(ahead);
		pace.callAccepted(ahead);

		expect(pace.callRefused(1, ahead + 1, 60_000)).toBe(false);
		expect(pace.isHolding).toBe(false);
	});
});

it(`the pace gives a delay for any sequence of events (seed ${SEED})`, () => {
	const event = fc.record({
		kind: fc.constantFrom('send', 'accept', 'refuse', 'ask'),
		ms: fc.integer({ min: 0, max: 100_000 }),
		asked: fc.constantFrom(undefined, 0, 1, 1000, 1e12, Infinity),
		which: fc.nat(),
	});
	fc.assert(
		fc.property(fc.array(event, { maxLength: 60 }), (events) => {
			const pace = new PaceRate(() => 0.5);
			const underWay: number[] = [];
			const seen: Array<{ delay: number; calls?: number; period?: number }> = [];
			let now = 0;
			for (const { kind, ms, asked, which } of events) {
				now += ms;
				const [sentAt] = underWay.length > 0 ? underWay.splice(which % underWay.length, 1) : [];
				if (kind === 'send' || sentAt === undefined) {
					pace.callSent(now);
					underWay.push(now);
				} else if (kind === 'accept') pace.callAccepted(sentAt);
				else pace.callRefused(sentAt, now, asked);

				seen.push({ delay: pace.delay(now), ...pace.limit });
			}

			// One comparison at the end, because thousands take longer than the pace.
			const isFine = ({ delay, calls = 1, period = 1 }: (typeof seen)[number]) =>
				delay >= 0 && calls >= 1 && period >= 0;
			expect(seen.filter((one) => !isFine(one))).toEqual([]);
		}),
		fuzz(500),
	);
});
