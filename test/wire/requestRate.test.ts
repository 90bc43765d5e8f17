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

/** Simulates eleven runs with different random numbers and takes the median. */
function simulate(
	serviceOf: () => LimitedService,
	what: Pick<Work, 'requests' | 'atOnce'> & Partial<Work>,
) {
	const runs = Array.from({ length: 11 }, (_, seed) => {
		const random = seeded(seed + 1);
		const work: Work = { latency: 5, work: 20, retryAfter: false, random, ...what };
		return simulateRequests(new RequestRate(random), serviceOf(), work);
	});
	const median = (values: number[]) => values.sort((a, b) => a - b)[5] ?? NaN;
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
		it.each([
			{ atOnce: 5, period: SECOND },
			{ atOnce: 25, period: 6 * SECOND },
			{ atOnce: 100, period: SECOND },
		])(
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

		const settings = Object.entries({ tokenBucket, slidingWindow, fixedWindow }).flatMap(
			([kind, serviceOf]) =>
				[
					{ limit: 1, period: MINUTE, requests: 30 },
					{ limit: 60, period: MINUTE, requests: 240 },
					{ limit: 10, period: SECOND, requests: 120 },
				].map((setting) => ({ kind, serviceOf, ...setting })),
		);
		it.each(settings)(
			'converges to $limit in $period ms of a $kind',
			({ serviceOf, limit, period, requests }) => {
				const { time, refused, delivered } = simulate(() => serviceOf(limit, period), {
					requests,
					atOnce: 25,
					work: 200,
					retryAfter,
				});
				const ideal = ((requests - limit) * period) / limit;

				expect(delivered).toBe(requests);
				expect(time).toBeLessThanOrEqual(1.75 * ideal + SECOND);
				// A limit that is far off takes more refusals to find, because waits grow.
				expect(refused).toBeLessThanOrEqual(
					25 + requests / 10 + Math.ceil(Math.log2(period / SECOND)),
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

		it.each([
			{ minutes: 10, asked: 20 * SECOND },
			{ minutes: 60, asked: 60 * MINUTE },
		])(
			'resumes soon after the service refused everything for $minutes minutes',
			({ minutes, asked }) => {
				const outage = changing(closed(asked), minutes * MINUTE, unlimited);
				const { time, delivered } = simulate(
					() => changing(tokenBucket(2, SECOND), 2 * SECOND, outage),
					{ requests: 500, atOnce: 5, retryAfter },
				);

				expect(delivered).toBe(500);
				expect(time).toBeLessThan((minutes + 17) * MINUTE);
			},
		);
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

it(`a wait that the service asks for is kept by all, and exceeded only slightly (seed ${SEED})`, () => {
	const chances = fc.double({ min: 0, max: 0.999, noNaN: true });
	const waits = fc.array(fc.integer({ min: 0, max: 4_000_000 }), { minLength: 1, maxLength: 4 });
	fc.assert(
		fc.property(waits, chances, (asked, chance) => {
			const rate = new RequestRate(() => chance);
			for (const index of asked.keys()) rate.requestSent(index);
			const starts = asked.map((wait, index) => rate.requestRefused(index, 10, wait));
			const longest = Math.max(...asked);

			expect(starts).toStrictEqual(asked.map((_, index) => index === 0));
			expect(rate.delay(10)).toBeGreaterThanOrEqual(longest);
			expect(rate.delay(10)).toBeLessThanOrEqual(1.05 * Math.max(1000, longest) + 1);
		}),
		fuzz(100),
	);
});

it('a late refusal of a request from before a wait changes nothing', () => {
	const rate = new RequestRate(() => 0);
	for (const sentAt of [0, 1, 2]) rate.requestSent(sentAt);
	rate.requestRefused(2, 10, 1000);
	rate.requestSent(1010);

	expect(rate.requestRefused(1, 1011, 60_000)).toBe(false);
	expect(rate.delay(1011)).toBeLessThan(2000);
});
