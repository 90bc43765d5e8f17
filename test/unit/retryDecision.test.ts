import { readFileSync } from 'node:fs';

import type { Failure } from '../../nodes/ImageGeneration/failures/failures';
import { mayBeCharged, retryDecision } from '../../nodes/ImageGeneration/failures/retryDecision';
import { messageFor } from '../../nodes/ImageGeneration/report/messages';
import { retryAfter } from '../../nodes/ImageGeneration/service/response';
import { sectionsIn, tablesIn } from '../support/markdown';

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
	mayLackKey: false,
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

/** The failures that each row of the page describes. */
const ROWS: Array<[start: string, failures: Failure[]]> = [
	[
		'The service was never reached',
		[connection('unreachable'), { ...connection('unreachable'), isProxy: true }],
	],
	['n8n could not read the credential', [{ kind: 'no credential', message: '' }]],
	["The service's certificate", [connection('insecure')]],
	['n8n blocked the request', [connection('blocked')]],
	['429', bySender([429])],
	['The connection was cut', [connection('interrupted'), connection('timeout')]],
	['408 or any 5xx', bySender(unclearStatuses)],
	['A redirect other than 307 and 308', bySender(redirects)],
	[
		'Any other status of 300',
		bySender(
			STATUSES.filter((status) => ![...redirects, ...unclearStatuses, 429].includes(status)),
		),
	],
	['A 2xx status without', [unexpected({})]],
	['A 2xx status that names', [unexpected({ id: '1' })]],
	['A rejection that names a job', [400, 429, 500].map((status) => ({ ...refusal(status), job }))],
	[
		'The download was cut',
		[
			{ kind: 'download', reason: 'interrupted', message: '' },
			{ kind: 'download', reason: 'empty' },
			{ kind: 'download', reason: 'incomplete' },
			...unclearStatuses.map(noSuccess),
		],
	],
	['The download got a 429', [noSuccess(429)]],
	[
		'The download got anything else',
		[
			{ kind: 'download', reason: 'timeout' },
			{ kind: 'download', reason: 'not stored', message: '' },
			{ kind: 'download', reason: 'other host', origin: '' },
			{ kind: 'download', reason: 'too large' },
			...[204, 302, 403, 428, 499].map(noSuccess),
			{ kind: 'download', reason: 'gone', status: 404, mayLackKey: false },
		],
	],
];

/** The table's decisions, in row order. */
function documented(): Array<[what: string, charged: string, verdict: string]> {
	const sections = sectionsIn(readFileSync('docs/development/payments.md', 'utf8'), 2);
	const [rows = []] = tablesIn(sections.get('What is retried, and what is not') ?? '');
	return rows.map((row) => {
		const [what = '', charged = '', does = ''] = Object.values(row);
		if (does.startsWith('waits')) return [what, charged, 'throttled'];
		if (does.startsWith('retries')) return [what, charged, 'retry'];
		return [what, charged, charged === 'unclear' ? 'unclear' : 'give up'];
	});
}

describe('docs/development/payments.md', () => {
	it('has one row for each kind of outcome', () => {
		const starts = documented().map(([what], row) => what.slice(0, ROWS[row]?.[0].length));

		expect(starts).toStrictEqual(ROWS.map(([start]) => start));
	});

	it.each(documented().map(([what, charged, verdict], row) => ({ what, charged, verdict, row })))(
		'tells the retry decision, and whether it costs: $what',
		({ charged, verdict, row }) => {
			const [, failures = []] = ROWS[row] ?? [];

			expect(failures.filter((failure) => retryDecision(failure) !== verdict)).toStrictEqual([]);
			const isDownload = failures.every(({ kind }) => kind === 'download');
			const named = failures.map((failure) => (isDownload ? { ...failure, job } : failure));
			const wrong = named.filter((failure) => mayBeCharged(failure) !== (charged !== 'no'));
			expect(wrong).toStrictEqual([]);
		},
	);
});

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
