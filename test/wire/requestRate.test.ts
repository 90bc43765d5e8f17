import fc from 'fast-check';

import { RequestRate } from '../../nodes/ImageGeneration/buy/requestRate';
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
import { seeded, simulateRequests, type Work } from '../support/simulateRequests';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const kinds = { tokenBucket, slidingWindow, fixedWindow };

/** Simulates 21 runs with different random numbers and takes the median. */
function simulate(
	serviceOf: () => LimitedService,
	what: Pick<Work, 'requests' | 'atOnce'> & Partial<Work>,
) {
	const runs = Array.from({ length: 21 }, (_, seed) => {
		const random = seeded(seed + 1);
		const work: Work = { latency: 5, work: 20, retryAfter: false, random, ...what };
		return simulateRequests(new RequestRate(random), serviceOf(), work);
	});
	const median = (values: number[]) => values.sort((a, b) => a - b)[10] ?? NaN;
	return {
		time: median(runs.map(({ time }) => time)),
		refused: median(runs.map(({ refused }) => refused)),
		delivered: Math.min(...runs.map(({ delivered }) => delivered)),
		runs,
	};
}

describe('the rate', () => {
	it('delays nothing while the service accepts everything', () => {
		const { time, refused, runs } = simulate(() => unlimited, { requests: 1000, atOnce: 100 });
		const [first] = runs;

		expect(refused).toBe(0);
		expect(first?.sentTimes.slice(0, 100)).toStrictEqual(Array.from({ length: 100 }, () => 0));
		expect(time).toBeLessThan(10 * (20 + 4 * 5));
	});

	describe.each([true, false])('with Retry-After %s', (retryAfter) => {
		const buckets = [5, 25, 100].flatMap((atOnce) =>
			[SECOND, 6 * SECOND].map((period) => ({ atOnce, period })),
		);
		it.each(buckets)(
			'follows a token bucket of 10 in $period ms, $atOnce at once, with few refusals and little delay',
			({ atOnce, period }) => {
				const { time, refused, delivered } = simulate(() => tokenBucket(10, period), {
					requests: 60,
					atOnce,
					retryAfter,
				});

				expect(delivered).toBe(60);
				expect(time).toBeLessThanOrEqual(1.25 * 5 * period);
				expect(refused).toBeLessThanOrEqual(Math.min(atOnce, 60) + 6);
			},
		);

		const settings = Object.entries(kinds).flatMap(([kind, serviceOf]) =>
			[
				{ limit: 1, period: MINUTE, requests: 30, atOnce: 25 },
				{ limit: 10, period: MINUTE, requests: 60, atOnce: 25 },
				{ limit: 60, period: MINUTE, requests: 240, atOnce: 25 },
				{ limit: 1, period: SECOND, requests: 60, atOnce: 25 },
				{ limit: 10, period: SECOND, requests: 120, atOnce: 25 },
				// Retry-After in whole seconds costs one-second windows half of the time.
				{ limit: 100, period: SECOND, requests: 1000, atOnce: 100 },
			].map((setting) => ({ kind, serviceOf, ...setting })),
		);
		it.each(settings)(
			'converges to $limit in $period ms of a $kind',
			({ serviceOf, limit, period, requests, atOnce }) => {
				const { time, refused, delivered } = simulate(() => serviceOf(limit, period), {
					requests,
					atOnce,
					work: 200,
					retryAfter,
				});
				const ideal = ((requests - limit) * period) / limit;

				expect(delivered).toBe(requests);
				expect(time).toBeLessThanOrEqual(1.75 * ideal + SECOND);
				// A limit that is far off takes more refusals to find, because waits grow.
				expect(refused).toBeLessThanOrEqual(
					atOnce + requests / 10 + Math.ceil(Math.log2(period / SECOND)),
				);
			},
		);

		it.each([
			['falls from 10 to 1 per second', 10, 1, 2],
			// A higher limit is found carefully, within a few hundred requests.
			['rises from 1 to 10 per second', 1, 10, 5],
		])('follows a limit that %s', (_how, before, after, most) => {
			const { time, refused, delivered } = simulate(
				() => changing(tokenBucket(before, SECOND), 10 * SECOND, tokenBucket(after, SECOND)),
				{ requests: 200, atOnce: 25, retryAfter },
			);
			const ideal = (10 + (200 - before * 11) / after) * SECOND;

			expect(delivered).toBe(200);
			expect(time).toBeLessThanOrEqual(most * ideal);
			expect(refused).toBeLessThanOrEqual(25 + 200 / 10);
		});

		it('resumes soon after the service refused everything for ten minutes', () => {
			const { time, delivered } = simulate(
				() => changing(closed(20 * SECOND), 10 * MINUTE, unlimited),
				{ requests: 500, atOnce: 5, retryAfter },
			);

			expect(delivered).toBe(500);
			expect(time).toBeLessThan(14 * MINUTE);
		});
	});

	it('sends about one request a minute while the service refuses everything for an hour', () => {
		const { runs } = simulate(() => closed(0), { requests: 100, atOnce: 25, until: 60 * MINUTE });

		for (const { refused, delivered } of runs) {
			expect(delivered).toBe(0);
			expect(refused).toBeGreaterThan(50);
			expect(refused).toBeLessThan(25 + 60 / 0.6 + 10);
		}
	});
});

/** A rate at which requests went out at these times, whose waits have no random part. */
function rateAfter(...sentAt: number[]) {
	const rate = new RequestRate(() => 0);
	for (const time of sentAt) rate.requestSent(time);
	return rate;
}

describe('a wait that the service asks for', () => {
	it('applies to all requests and is exceeded only slightly', () => {
		const chances = fc.double({ min: 0, max: 0.999, noNaN: true });
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 4_000_000 }), chances, (asked, chance) => {
				const rate = new RequestRate(() => chance);
				rate.requestSent(0);
				rate.requestRefused(0, 10, asked);

				expect(rate.delay(10)).toBeGreaterThanOrEqual(asked);
				expect(rate.delay(10)).toBeLessThanOrEqual(1.05 * Math.max(1000, asked));
			}),
			fuzz(200),
		);
	});

	it('is the longest one asked for by concurrent requests, and starts once', () => {
		const rate = rateAfter(0, 1, 2);
		const starts = [1000, 5000, 2000].map((asked, sentAt) =>
			rate.requestRefused(sentAt, 10 + sentAt, asked),
		);

		expect(starts).toStrictEqual([true, false, false]);
		expect(rate.delay(12)).toBe(4998);
		expect(rate.hold?.asked).toBe(5000);
	});

	it.each([
		[1000, 500],
		// A longer wait was an outage.
		[3_600_000, 32_500],
	])('of %d ms after two requests that pass gives an interval of %d ms', (asked, interval) => {
		const rate = rateAfter(1e6, 1e6, 1e6);
		rate.requestRefused(1e6, 1e6, asked);
		rate.requestSent(1e6 + asked);

		expect(rate.interval).toBe(interval);
	});

	it('changes nothing if it is a late refusal of a request from before another wait', () => {
		const rate = rateAfter(0, 1, 2);
		rate.requestRefused(2, 10, 1000);
		rate.requestSent(1010);

		expect(rate.requestRefused(1, 1011, 60_000)).toBe(false);
		expect(rate.hold).toBeUndefined();
	});
});

it(`the rate gives a delay for any sequence of events (seed ${SEED})`, () => {
	const event = fc.record({
		isRefusal: fc.boolean(),
		ms: fc.integer({ min: 0, max: 100_000 }),
		asked: fc.constantFrom(undefined, 0, 1, 1000, 1e12, Infinity),
		which: fc.nat(),
	});
	fc.assert(
		fc.property(fc.array(event, { maxLength: 60 }), (events) => {
			const rate = new RequestRate(() => 0.5);
			const inFlight: number[] = [];
			const seen: number[] = [];
			let now = 0;
			for (const { isRefusal, ms, asked, which } of events) {
				now += ms;
				const [sentAt] = isRefusal ? inFlight.splice(which % inFlight.length, 1) : [];
				if (sentAt === undefined) {
					rate.requestSent(now);
					inFlight.push(now);
				} else rate.requestRefused(sentAt, now, asked);
				seen.push(rate.delay(now), rate.interval);
			}

			// One comparison at the end, because thousands take longer than the rate.
			expect(seen.filter((ms) => !(ms >= 0))).toStrictEqual([]);
		}),
		fuzz(500),
	);
});
