import { duration } from '../../nodes/ImageGeneration/report/duration';
import { paceHint } from '../../nodes/ImageGeneration/report/paceHint';

describe('the hint about the pace', () => {
	it('says what delayed the run and which Request Interval would have avoided it', () => {
		const limit = { calls: 10, period: 6123 };

		expect(paceHint({ refusals: 16, held: 29_500, limit })).toBe(
			"The service refused 16 requests because there were too many, so this run waited 30 seconds. The service accepts about one request every 620 milliseconds: set 'Request Interval' to that to stay within its limit.",
		);
	});

	it.each([
		[{ calls: 100, period: 1004 }, '11'],
		[{ calls: 1, period: 61_200 }, '62,000'],
		[{ calls: 3, period: 10 }, '4'],
	])('rounds %j up to two digits', (limit, interval) => {
		expect(paceHint({ refusals: 1, held: 5000, limit })).toContain(
			`The service refused 1 request because there were too many, so this run waited 5 seconds. The service accepts about one request every ${interval} milliseconds`,
		);
	});

	it.each([
		{ refusals: 0, held: 5000, limit: { calls: 1, period: 1000 } },
		{ refusals: 1, held: 900, limit: { calls: 1, period: 1000 } },
		{ refusals: 1, held: 5000, limit: undefined },
	])('is omitted if the run was not delayed: %j', (pace) => {
		expect(paceHint(pace)).toBeUndefined();
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
