import { readFileSync } from 'node:fs';

import { retryDecision } from '../../nodes/ImageGeneration/buy/retryDecision';
import {
	DownloadFailure,
	ConnectionFailure,
	ServiceRejection,
	UnexpectedResponse,
} from '../../nodes/ImageGeneration/failures/failures';

const job = { id: '1', output_url: 'https://example.com/a.jpg' };
const refusal = (status: number) => new ServiceRejection(status, 'No', undefined, undefined);
const download = (transient: boolean) => new DownloadFailure('No', job, { advice: '', transient });

/** The failures that each row of the page describes. */
const ROWS: Array<[start: string, failures: unknown[]]> = [
	['The service was never reached', [new ConnectionFailure('unreachable', '')]],
	['n8n could not read the credential', [new ConnectionFailure('no credential', '')]],
	["The service's certificate", [new ConnectionFailure('insecure', '')]],
	['n8n blocked the request', [new ConnectionFailure('blocked', '')]],
	['429', [refusal(429)]],
	['The connection was cut', [new ConnectionFailure('interrupted', '')]],
	['408 or any 5xx', [408, 500, 503, 599].map(refusal)],
	['Any other status of 300', [302, 400, 401, 402, 404, 413, 499].map(refusal)],
	['A 2xx status without', [new UnexpectedResponse('a web page', undefined, {})]],
	['A 2xx status that names', [new UnexpectedResponse('JSON', undefined, { id: '1' }, 201)]],
	['A rejection that names a job', [new ServiceRejection(500, 'No', undefined, undefined, job)]],
	['The download was cut', [download(true)]],
	[
		'The download got a 429',
		[new DownloadFailure('No', job, { advice: '', transient: true, status: 429 })],
	],
	['The download got anything else', [download(false)]],
];

/** The table's decisions, in row order. */
function documented(): Array<[what: string, verdict: string]> {
	const page = readFileSync('docs/development/payments.md', 'utf8');
	const [, section = ''] = page
		.split('\n## ')
		.filter((part, index) => index === 0 || part.startsWith('What is retried, and'));
	return section
		.split('\n')
		.filter((line) => line.startsWith('| ') && !/^\| (-|What happened)/.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.map(([, what = '', , does = '']) => {
			if (does.startsWith('waits')) return [what, 'throttled'];
			if (does.startsWith('retries')) return [what, 'retry'];
			return [what, does.includes('unless') ? 'unclear' : 'give up'];
		});
}

it('docs/development/payments.md describes every retry decision correctly', () => {
	const verdicts = documented().map(([what, verdict], row) => {
		const [start = '', failures = []] = ROWS[row] ?? [];
		return [
			what.startsWith(start),
			failures.map(retryDecision).every((found) => found === verdict),
		];
	});

	expect(verdicts).toEqual(ROWS.map(() => [true, true]));
});
