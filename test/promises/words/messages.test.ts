import type { DownloadFailure, Failure } from '../../../nodes/ImageGeneration/failures/failures';
import { messageFor } from '../../../nodes/ImageGeneration/report/messages';

// `words.test.ts` has every sentence. These tests look for facts.
const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const MAYBE = 'You may have been charged.';
const NOTHING_SENT = 'Nothing was sent.';
const NOT_CHARGED = 'Nothing was charged for this request.';
const PAID = 'The image is finished and paid for.';
const refusal = (status: number, serviceMessage?: string): Failure => ({
	kind: 'rejection',
	status,
	serviceMessage,
});

describe('a failure’s message', () => {
	it.each([
		['insecure', NOTHING_SENT],
		['blocked', NOTHING_SENT],
		['no credential', NOTHING_SENT],
		['unreachable', NOT_CHARGED],
		['interrupted', MAYBE],
		['timeout', MAYBE],
	] as const)('of the kind %s says what it cost', (kind, cost) => {
		expect(messageFor({ kind, message: 'why' }).advice).toContain(cost);
	});

	it.each([
		[NOT_CHARGED, [307, 308, 400, 401, 402, 403, 404, 413, 415, 422]],
		[MAYBE, [302, 303, 408, 500, 502, 599]],
	])('says by the status what a refused request cost: %s', (cost, statuses) => {
		for (const status of statuses) {
			const { advice } = messageFor(refusal(status));
			const said = [NOT_CHARGED, MAYBE].filter((each) => advice.includes(each));

			expect([status, said]).toStrictEqual([status, [cost]]);
		}
	});

	it.each([
		'Prompt exceeds the token limit of 77',
		'no white balance information',
		'Upgrade your browser',
		'Out of API credits',
	])('has the service’s words first, and advice that does not depend on them: "%s"', (words) => {
		for (const status of [302, 400, 401, 402, 403, 404, 413, 422, 500]) {
			const message = messageFor(refusal(status, words));

			expect(message.title).toBe(words);
			expect(message.advice).toBe(messageFor(refusal(status)).advice);
		}
	});

	it('has the status in place of the service’s words if there are none', () => {
		expect(messageFor(refusal(418)).title).toContain('418');
	});

	it.each([
		['a web page', 403, NOT_CHARGED],
		['an empty response', 502, MAYBE],
		['a web page', 413, NOT_CHARGED],
	])('says what came instead of the service’s answer: %s, status %d', (returned, status, cost) => {
		const { title, advice } = messageFor({ kind: 'intercepted', status, returned });

		expect(title.toLowerCase()).toContain(`${returned} with status ${status}`);
		expect(advice).toContain(cost);
	});

	it.each<[facts: object, advice: string]>([
		[{ status: 500, job: JOB }, PAID],
		[{ status: 300, location: 'https://a.example' }, 'to https://a.example.'],
		[{ status: 399, location: 'x'.repeat(300) }, `to ${'x'.repeat(200)}.`],
	])('says what a rejection names: %j', (facts, advice) => {
		expect(messageFor({ kind: 'rejection', ...facts } as Failure).advice).toContain(advice);
	});
});

describe('the message for a limit that is reached', () => {
	const limit = (more: object): Failure => ({
		kind: 'limit reached',
		per: 'day',
		max: 50,
		bought: 50,
		planned: 0,
		needed: 1,
		freeIn: 3 * 3_600_000,
		isNothingSent: false,
		isTool: false,
		...more,
	});

	it.each<[what: object, advice: string]>([
		[{}, 'or wait: the next image can be bought in about 3 hours.'],
		[
			{ isTool: true },
			'No more images can be bought now: the next image can be bought in about 3 hours. Answer',
		],
		[{ freeIn: 0 }, "Raise 'Max Images per Day' to allow more images in 24 hours."],
		[
			{ per: 'execution', freeIn: undefined },
			"Raise 'Max Images' to allow more images in one execution.",
		],
		[{ isNothingSent: true }, "To buy as many as the limit allows, set 'On Error'"],
	])('says what to do, and when there is a place again: %j', (what, advice) => {
		expect(messageFor(limit(what)).advice).toContain(advice);
	});
});

describe('the message for a refused request that was not sent', () => {
	const refused = (asked: number | undefined): Failure => ({
		kind: 'rate limited',
		refusal: refusal(429, 'Slow down'),
		asked,
		patience: 600_000,
	});
	const later = `${NOT_CHARGED} Run the item again later, or add the option`;

	it.each([
		[undefined, 'The service has accepted no requests for 10 minutes, the limit'],
		[3_600_000 * 5, 'The service asks you to wait 5 hours, longer'],
		// What Retry-After says of a number with twenty digits.
		[1e23, 'The service asks you to wait more than a year, longer'],
	])('says how long to wait: %p', (asked, wait) => {
		const { title, advice } = messageFor(refused(asked));

		expect(title).toBe('Slow down');
		expect(advice).toContain(wait);
		expect(advice).toContain(later);
	});
});

describe('the message for a response without a job result', () => {
	const what = 'The service returned JSON instead of a job result';
	const response: Failure = { kind: 'unexpected response', returned: 'JSON', status: 200 };
	const check = `Check 'Base URL' in the credential. ${MAYBE} Check your account before you run this item again.`;
	const paid = 'The response names a job, so you were charged. Ask the service about this job.';
	const links = ['http://a', 'http://b'];

	it.each<[Partial<Failure>, title: string, advice: string]>([
		[{}, what, check],
		[{ serviceMessage: 'Gone' }, 'Gone', `${what}. ${check}`],
		[{ job: { id: '1' } }, what, paid],
		[{ job: { id: '1' }, serviceMessage: 'Gone' }, 'Gone', `${what}. ${paid}`],
		[{ links }, what, `${check} Links in the response: http://a http://b`],
		[{ excerpt: 'Hello' }, what, `${check} The response begins: Hello`],
	])('with %j begins with the service’s words, then describes it', (more, title, advice) => {
		expect(messageFor({ ...response, ...more } as Failure)).toStrictEqual({ title, advice });
	});
});

describe('the message for a paid image that was not downloaded', () => {
	const [origin, message] = ['https://a.b', 'why'];
	const status = (code: number) => ({ reason: 'status', status: code }) as const;

	it.each([
		{ reason: 'gone', status: 404 },
		status(204),
		status(403),
		{ reason: 'not an image', claimed: 'text/html' },
		{ reason: 'empty' },
		{ reason: 'bad redirect' },
		{ reason: 'redirect loop' },
	])('says that the next run buys it again if its link has something else: %j', (reason) => {
		const { advice } = messageFor({ kind: 'download', ...reason } as DownloadFailure);

		expect(advice.startsWith(PAID)).toBe(true);
		expect(advice).toContain('the next run buys it again');
	});

	it.each([
		status(408),
		status(429),
		status(500),
		{ reason: 'interrupted', message },
		{ reason: 'timeout' },
		{ reason: 'blocked', message },
		{ reason: 'too large' },
		{ reason: 'other host', origin },
		{ reason: 'not stored', message },
	])('never says to buy it if its link may give it later: %j', (reason) => {
		const { advice } = messageFor({ kind: 'download', ...reason } as DownloadFailure);

		expect(advice.startsWith(PAID)).toBe(true);
		expect(advice).not.toMatch(/again/i);
	});

	it.each([
		['Gone', 'Gone. The'],
		['Gone!', 'Gone! The'],
		[undefined, 'The'],
	])('begins with the service’s own words: %s', (serviceMessage, start) => {
		const title = `${start} image could not be downloaded: its link returned status 500.`;

		expect(messageFor({ kind: 'download', ...status(500), serviceMessage }).title).toBe(title);
	});
});
