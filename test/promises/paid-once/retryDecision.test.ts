import type { Failure } from '../../../nodes/ImageGeneration/failures/failures';
import {
	isDeadLink,
	mayBeCharged,
	retryDecision,
} from '../../../nodes/ImageGeneration/failures/retryDecision';
import { messageFor } from '../../../nodes/ImageGeneration/report/messages';
import { retryAfter } from '../../../nodes/ImageGeneration/service/response';

const job = { id: '1', output_url: 'https://example.com/a.jpg' };
const STATUSES = Array.from({ length: 300 }, (_, index) => index + 300);
const redirects = STATUSES.filter((status) => status < 400 && ![307, 308].includes(status));
const unclearStatuses = [408, ...STATUSES.filter((status) => status >= 500)];
const refusal = (status: number): Failure => ({ kind: 'rejection', status });
const intercepted = (status: number): Failure => ({
	kind: 'intercepted',
	status,
	returned: 'a web page',
});
/** The service's, and those of something in between. */
const bySender = (statuses: number[]) => [...statuses.map(refusal), ...statuses.map(intercepted)];
const noSuccess = (status: number): Failure => ({
	kind: 'download',
	reason: 'status',
	status,
	job,
});
const connection = (kind: 'insecure' | 'blocked' | 'unreachable' | 'interrupted' | 'timeout') =>
	({ kind, message: '' }) as const;
const unexpected = (named: object): Failure => ({
	kind: 'unexpected response',
	returned: 'JSON',
	status: 200,
	job: named,
});

type Decision = ReturnType<typeof retryDecision>;

/** What happened, whether it was charged, what the node does, and the failures that say so. */
const ROWS: Array<[what: string, charged: 'no' | 'unclear' | 'yes', Decision, Failure[]]> = [
	['The service was never reached', 'no', 'retry', [connection('unreachable')]],
	["The service's certificate was rejected", 'no', 'give up', [connection('insecure')]],
	['n8n blocked the request', 'no', 'give up', [connection('blocked')]],
	['429, too many requests', 'no', 'throttled', bySender([429])],
	[
		'The connection was cut, or the response came too late',
		'unclear',
		'unclear',
		[connection('interrupted'), connection('timeout')],
	],
	['408 or any 5xx', 'unclear', 'unclear', bySender(unclearStatuses)],
	['A redirect other than 307 and 308', 'unclear', 'unclear', bySender(redirects)],
	[
		'Any other status of 300 or above',
		'no',
		'give up',
		bySender(
			STATUSES.filter((status) => ![...redirects, ...unclearStatuses, 429].includes(status)),
		),
	],
	['A 2xx status without a job result', 'unclear', 'unclear', [unexpected({})]],
	[
		'A 2xx status that names a job, but no usable link',
		'yes',
		'give up',
		[unexpected({ id: '1' })],
	],
	[
		'A rejection that names a job and its link',
		'yes',
		'give up',
		[400, 429, 500].map((status) => ({ ...refusal(status), job })),
	],
	[
		'The download was cut, was empty, or got a 408 or 5xx',
		'yes',
		'retry',
		[
			{ kind: 'download', reason: 'interrupted', message: '', job },
			{ kind: 'download', reason: 'empty', job },
			...unclearStatuses.map(noSuccess),
		],
	],
	['The download got a 429', 'yes', 'throttled', [noSuccess(429)]],
	[
		'The download got anything else',
		'yes',
		'give up',
		[
			{ kind: 'download', reason: 'timeout', job },
			{ kind: 'download', reason: 'not stored', message: '', job },
			{ kind: 'download', reason: 'other host', origin: '', job },
			{ kind: 'download', reason: 'too large', job },
			...[204, 302, 403, 428, 499].map(noSuccess),
			{ kind: 'download', reason: 'gone', status: 404, job },
		],
	],
];

it.each(ROWS)(
	'decides what to do, and whether it costs: %s, charged: %s, %s',
	(_what, charged, decision, failures) => {
		expect(failures.filter((failure) => retryDecision(failure) !== decision)).toStrictEqual([]);
		const wrong = failures.filter((failure) => mayBeCharged(failure) !== (charged !== 'no'));
		expect(wrong).toStrictEqual([]);
	},
);

it('the user reads about a possible charge exactly when the retry decision is unclear', () => {
	const read = (answer: typeof refusal) =>
		STATUSES.filter((status) =>
			messageFor(answer(status)).advice.includes('may have been charged'),
		);

	const unclear = [...redirects, ...unclearStatuses];
	expect(read(refusal)).toStrictEqual(unclear);
	expect(read(intercepted)).toStrictEqual(unclear);
});

it('what was never sent is neither retried nor charged', () => {
	const failures: Failure[] = [
		{ kind: 'bad input', message: 'No', advice: 'Do' },
		{ kind: 'not started' },
		{ kind: 'unexpected', message: 'oops' },
	];

	expect(failures.map(retryDecision)).toStrictEqual(failures.map(() => 'give up'));
	expect(failures.map(mayBeCharged)).toStrictEqual(failures.map(() => false));
});

it('an image is bought again if its link gives anything but the image, and not if it gives no answer', () => {
	const DEAD: Failure[] = [
		...[401, 403].map(noSuccess),
		{ kind: 'download', reason: 'gone', status: 404, job },
		{ kind: 'download', reason: 'not an image', claimed: 'text/html', job },
		{ kind: 'download', reason: 'empty', job },
		{ kind: 'download', reason: 'bad redirect', job },
		{ kind: 'download', reason: 'redirect loop', job },
	];
	const OTHERS: Failure[] = [
		...[408, 429, 503].map(noSuccess),
		{ kind: 'download', reason: 'interrupted', message: 'cut', job },
		{ kind: 'download', reason: 'timeout', job },
		{ kind: 'download', reason: 'other host', origin: 'https://cdn.example', job },
		{ kind: 'download', reason: 'blocked', message: 'no', job },
		{ kind: 'download', reason: 'too large', job },
		{ kind: 'download', reason: 'not stored', message: 'full', job },
		refusal(404),
	];

	expect(DEAD.filter((failure) => !isDeadLink(failure))).toStrictEqual([]);
	expect(OTHERS.filter(isDeadLink)).toStrictEqual([]);
});

const now = Date.parse('2026-11-20T12:00:00Z');

it.each([
	['0', 0],
	['7', 7000],
	[' 120 ', 120_000],
	['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
	['Fri, 20 Nov 2026 11:00:00 GMT', 0],
	['soon', undefined],
	['1.5', undefined],
	['-5', undefined],
	['at 5', undefined],
	['at Fri, 20 Nov 2026 12:00:30 GMT', undefined],
	[undefined, undefined],
])('a Retry-After of %j is a wait of %s ms', (header, ms) => {
	expect(retryAfter({ 'retry-after': header }, now)).toBe(ms);
});

it.each([
	['an hour late', 'Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 13:00:30 GMT', 30_000],
	['an hour early', 'Fri, 20 Nov 2026 11:00:00 GMT', 'Fri, 20 Nov 2026 11:00:30 GMT', 30_000],
	['in the past', 'Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 12:00:30 GMT', 0],
	['unreadable', 'now', 'Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
])('a Retry-After as a date counts by the clock of the response: %s', (_what, date, header, ms) => {
	expect(retryAfter({ 'retry-after': header, date }, now)).toBe(ms);
});
