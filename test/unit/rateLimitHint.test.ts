import { duration } from '../../nodes/ImageGeneration/failures/text';
import { rateLimitHint } from '../../nodes/ImageGeneration/report/hints';

describe('the hint about the rate limit', () => {
	it('says what delayed the run and which Request Interval would have avoided it', () => {
		expect(rateLimitHint({ refusals: 16, held: 29_500, interval: 612.3 })).toBe(
			"The service refused 16 requests because there were too many, so this run waited 30 seconds. The service accepts about one request every 620 milliseconds: set 'Request Interval' to that to stay within its limit.",
		);
	});

	it.each([
		[10.04, '11'],
		[61_200, '62,000'],
		[3.33, '4'],
	])('rounds %d up to two digits', (interval, rounded) => {
		expect(rateLimitHint({ refusals: 1, held: 5000, interval })).toContain(
			`The service refused 1 request because there were too many, so this run waited 5 seconds. The service accepts about one request every ${rounded} milliseconds`,
		);
	});

	it.each([
		{ refusals: 0, held: 5000, interval: 1000 },
		{ refusals: 1, held: 900, interval: 1000 },
	])('is omitted if the run was not delayed: %j', (limiter) => {
		expect(rateLimitHint(limiter)).toBe('');
	});
});

describe('a duration', () => {
	it.each([
		[1, '1 second'],
		[1500, '2 seconds'],
		[90_000, '90 seconds'],
		[125_000, '2 minutes'],
		[3_600_000, '60 minutes'],
		[3 * 3_600_000, '3 hours'],
		[1e15, '11,574,074 days'],
	])('of %d ms is %s', (ms, words) => {
		expect(duration(ms)).toBe(words);
	});
});
