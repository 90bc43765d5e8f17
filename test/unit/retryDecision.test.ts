import {
	mayBeCharged,
	retryAfter,
	retryDecision,
} from '../../nodes/ImageGeneration/buy/retryDecision';
import {
	BadInput,
	DownloadFailure,
	ConnectionFailure,
	ServiceRejection,
	UnexpectedResponse,
	UnreadableImage,
} from '../../nodes/ImageGeneration/failures/failures';
import { messageFor } from '../../nodes/ImageGeneration/report/messages';

const refusal = (status: number, after?: string) =>
	new ServiceRejection(status, 'No', after, undefined);
const job = { output_url: 'https://example.com/a.jpg' };

describe('the retry decision', () => {
	it.each<[string, unknown, string]>([
		['an unreachable service', new ConnectionFailure('unreachable', ''), 'retry'],
		['a cut connection', new ConnectionFailure('interrupted', ''), 'unclear'],
		['no response in time', new ConnectionFailure('timeout', ''), 'unclear'],
		['a refused certificate', new ConnectionFailure('insecure', ''), 'give up'],
		['no connection in time', new ConnectionFailure('unreachable', ''), 'retry'],
		['an unreadable credential', new ConnectionFailure('no credential', ''), 'retry'],
		['a request blocked by n8n', new ConnectionFailure('blocked', ''), 'give up'],
		['a 200 without a job', new UnexpectedResponse('a web page', undefined, {}), 'unclear'],
		['a 200 that names a job', new UnexpectedResponse('JSON', undefined, { id: '1' }), 'give up'],
		['an unreadable image', new UnreadableImage(), 'give up'],
		['bad input', new BadInput('No', 'Do'), 'give up'],
		[
			'a transient download failure',
			new DownloadFailure('', job, { advice: '', transient: true }),
			'retry',
		],
		[
			'a permanent download failure',
			new DownloadFailure('', job, { advice: '', transient: false }),
			'give up',
		],
		['an unknown error', new TypeError('oops'), 'give up'],
	])('is correct after %s', (_what, failure, decision) => {
		expect(retryDecision(failure)).toBe(decision);
	});

	it('depends on the status, for every one from 300 to 599', () => {
		const of = (decision: string) =>
			Array.from({ length: 300 }, (_, index) => index + 300).filter(
				(status) => retryDecision(refusal(status)) === decision,
			);

		expect(of('retry')).toEqual([]);
		expect(of('throttled')).toEqual([429]);
		expect(of('unclear')).toEqual([408, ...Array.from({ length: 100 }, (_, index) => index + 500)]);
	});
});

it('the user reads about a possible charge exactly when the retry decision is unclear', () => {
	for (let status = 300; status < 600; status++) {
		const isUnclear = retryDecision(refusal(status)) === 'unclear';

		expect([status, /may have been charged/.test(messageFor(refusal(status)).advice)]).toEqual([
			status,
			isUnclear,
		]);
	}
});

describe('Retry-After', () => {
	const now = Date.parse('2026-11-20T12:00:00Z');

	it.each([
		['0', 0],
		['7', 7000],
		[' 120 ', 120_000],
		['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
		['Fri, 20 Nov 2026 11:00:00 GMT', 0],
		['soon', undefined],
		['', undefined],
		['1.5', undefined],
		['-5', undefined],
		['at 5', undefined],
		['at Fri, 20 Nov 2026 12:00:30 GMT', undefined],
		[undefined, undefined],
	])('of %j is a wait of %s ms', (header, ms) => {
		expect(retryAfter(refusal(429, header), now)).toBe(ms);
	});
});

describe('a failed item', () => {
	it.each<[unknown, boolean]>([
		[new UnexpectedResponse('a web page', undefined, {}), true],
		[new UnexpectedResponse('JSON', undefined, { id: '1' }), true],
		[new ServiceRejection(400, 'No', undefined, undefined, job), true],
		[new DownloadFailure('', job, { advice: '', transient: true }), true],
		[new ConnectionFailure('interrupted', ''), true],
		[new ConnectionFailure('unreachable', ''), false],
		[refusal(500), true],
		[refusal(400), false],
		[refusal(429), false],
		[new BadInput('No', 'Do'), false],
	])('may be paid for after %s: %s', (failure, paid) => {
		expect(mayBeCharged(failure)).toBe(paid);
	});
});

it('Retry-After applies to downloads as well', () => {
	const details = { advice: '', transient: true, retryAfter: '7' };

	expect(retryAfter(new DownloadFailure('', job, details), 0)).toBe(7000);
	expect(retryAfter(new ConnectionFailure('interrupted', ''), 0)).toBeUndefined();
});
