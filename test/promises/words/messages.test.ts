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
});
