import type { DownloadFailure, Failure } from '../../nodes/ImageGeneration/failures/failures';
import { jobLine, messageFor } from '../../nodes/ImageGeneration/report/messages';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const MAYBE = 'You may have been charged. Check your account before you run this item again.';
const PAID = 'The image is finished and paid for. ';
const BY_HAND = 'Open the link below in a browser.';
const ASK = 'Ask the service about the job.';
const STATUSES = Array.from({ length: 300 }, (_, index) => index + 300);
const refusal = (status: number, location?: string): Failure => ({
	...{ kind: 'rejection', status, location },
});
const NO_WORDS = (status: number) => `The service responded with status ${status} and no message`;

describe('a failure’s message', () => {
	it.each<[failure: Failure, title: string, advice: string]>([
		[
			{ kind: 'bad input', message: 'Width is 1.', advice: 'Make it 128.' },
			'Width is 1.',
			'Make it 128.',
		],
		[{ kind: 'unexpected', message: 'An expression failed' }, 'An expression failed', ''],
		[{ kind: 'unexpected', message: 'Failed', advice: 'Look there' }, 'Failed', 'Look there'],
		[
			{ kind: 'canceled', hasUnclearRequests: true },
			'The execution was canceled',
			'Some requests were cut off and may have been charged. Check your account before you run the workflow again.',
		],
		[
			{ kind: 'canceled', hasUnclearRequests: false },
			'The execution was canceled',
			'No paid request was cut off. You can run the workflow again.',
		],
		[
			{ kind: 'unreadable image', message: 'No file' },
			'No file',
			'The service never received the whole file. Run the node that outputs the file again.',
		],
		[
			{ kind: 'insecure', message: 'why' },
			'Could not establish a secure connection to the service (why)',
			"Nothing was sent. Check 'Base URL' in the credential: the host, and https:// or http://.",
		],
		[
			{ kind: 'blocked', message: 'why' },
			'n8n blocked the request (why)',
			"Nothing was sent. Ask your n8n administrator to allow the host in 'Base URL'.",
		],
		[
			{ kind: 'unreachable', message: 'why' },
			'The service could not be reached (why)',
			"Nothing was charged. Check 'Base URL' in the credential, and your network.",
		],
		[
			{ kind: 'interrupted', message: 'why' },
			'The connection closed before the service responded (why)',
			MAYBE,
		],
		[
			{ kind: 'timeout', message: 'why' },
			"The service did not respond in the time set by 'Timeout'",
			MAYBE,
		],
		[
			{ kind: 'no credential', message: 'why' },
			'n8n could not read the credential (why)',
			'Nothing was sent. Check that the credential still exists in n8n.',
		],
		[
			refusal(302),
			NO_WORDS(302),
			"The service redirects to another address. Set 'Base URL' in the credential to that address.",
		],
		[
			refusal(400),
			NO_WORDS(400),
			'The service rejected the request. Check the fields of this item.',
		],
		[refusal(408), NO_WORDS(408), MAYBE],
		[refusal(500), NO_WORDS(500), `The service is having trouble. ${MAYBE}`],
		[{ ...refusal(500), serviceMessage: 'No', job: JOB }, 'No', `${PAID}Open the link below.`],
	])('for %j says what happened and what to do', (failure, title, advice) => {
		expect(messageFor(failure)).toEqual({ title, advice });
	});

	it.each([
		[401, /Check 'API Key'/],
		[402, /^Your allowance and wallet are used up/],
		[403, /requires a paid subscription/],
		[404, /^The service does not have this tool/],
		[413, /^The image is too large/],
		[415, /^The service does not accept this type of file/],
		[429, /Lower 'Concurrency', raise 'Request Interval'/],
		[199, /^The service rejected the request/],
	])('has its own advice for status %d', (status, advice) => {
		expect(messageFor(refusal(status)).advice).toMatch(advice);
	});

	it('begins with the service’s own words for every status, and ends with advice', () => {
		const messages = STATUSES.map((status) =>
			messageFor({ ...refusal(status), serviceMessage: `Words of ${status}` }),
		);

		expect(messages).toEqual(
			STATUSES.map((status) => ({
				title: `Words of ${status}`,
				advice: expect.stringMatching(/\.$/) as string,
			})),
		);
	});

	it('names a redirect’s target, up to 200 characters', () => {
		expect(messageFor(refusal(300, 'https://a.example')).advice).toContain('to https://a.example.');
		expect(messageFor(refusal(399, 'x'.repeat(300))).advice).toContain(`to ${'x'.repeat(200)}.`);
	});
});

describe('the message for a response without a job result', () => {
	const what = 'The service returned JSON instead of a job result';
	const response: Failure = { kind: 'unexpected response', returned: 'JSON', status: 200 };
	const check = `Check 'Base URL' in the credential. ${MAYBE}`;
	const paid = 'The response names a job, so you were charged. Ask the service about this job.';

	it.each<[Partial<Failure>, title: string, advice: string]>([
		[{}, what, check],
		[{ serviceMessage: 'Gone' }, 'Gone', `${what}. ${check}`],
		[{ job: { id: '1' } }, what, paid],
		[{ job: { id: '1' }, serviceMessage: 'Gone' }, 'Gone', `${what}. ${paid}`],
	])('with %j begins with the service’s words, then describes it', (more, title, advice) => {
		expect(messageFor({ ...response, ...more } as Failure)).toEqual({ title, advice });
	});

	it('ends with what is left of it', () => {
		const links = ['https://a.example/1', 'https://a.example/2'];

		expect(messageFor({ ...response, links, excerpt: 'Hello' }).advice).toBe(
			`${check} Links in the response: https://a.example/1 https://a.example/2 The response begins: Hello`,
		);
	});
});

describe('the message for a paid image that was not downloaded', () => {
	const status = (code: number, mayLackKey = false): DownloadFailure => ({
		...{ kind: 'download', reason: 'status', status: code, mayLackKey },
	});
	const NOT = 'The image could not be downloaded:';
	const CASES: Array<[failure: DownloadFailure, title: string, advice: string]> = [
		[status(204), `${NOT} the service responded with status 204.`, BY_HAND],
		[status(404), `${NOT} the service no longer has it (status 404).`, ASK],
		[status(410), `${NOT} the service no longer has it (status 410).`, ASK],
		[
			status(403, true),
			`${NOT} the service responded with status 403.`,
			'If the API key was part of the link, put it in place of ••• and open the link in a browser.',
		],
		[{ kind: 'download', reason: 'empty' }, 'The service returned an empty file.', BY_HAND],
		[
			{ kind: 'download', reason: 'not an image', claimed: '' },
			'The service returned a file that is not an image (unknown type).',
			BY_HAND,
		],
		[
			{ kind: 'download', reason: 'not an image', claimed: 'image/png' },
			'The service returned a file that claims to be image/png but is not an image.',
			BY_HAND,
		],
		[
			{ kind: 'download', reason: 'interrupted', message: 'socket hang up' },
			'The download was interrupted (socket hang up).',
			BY_HAND,
		],
		[
			{ kind: 'download', reason: 'timeout' },
			"The image could not be downloaded in the time set by 'Timeout'.",
			`${BY_HAND} To allow more time, raise 'Timeout'.`,
		],
		[
			{ kind: 'download', reason: 'blocked', message: 'why' },
			`${NOT} n8n blocked the request (why).`,
			'Open the link below in a browser, or ask your n8n administrator to allow its host.',
		],
		[{ kind: 'download', reason: 'incomplete' }, `${NOT} it arrived incomplete.`, BY_HAND],
		[{ kind: 'download', reason: 'too large' }, `${NOT} it is larger than 1 GiB.`, BY_HAND],
		[
			{ kind: 'download', reason: 'other host', origin: 'https://example.org' },
			'The image was not downloaded because it is on another host, https://example.org.',
			`${BY_HAND} If you trust that host, turn on 'Allow Other Hosts'.`,
		],
		[
			{ kind: 'download', reason: 'key leak', origin: 'https://example.org' },
			'The image was not downloaded because its link would send the API key to another host, https://example.org.',
			ASK,
		],
		[
			{ kind: 'download', reason: 'bad redirect' },
			`${NOT} its link redirects to something that is not a web address.`,
			BY_HAND,
		],
		[
			{ kind: 'download', reason: 'redirect loop' },
			`${NOT} its link redirects too many times.`,
			BY_HAND,
		],
		[
			{ kind: 'download', reason: 'not stored', message: 'ENOSPC' },
			`${NOT} n8n could not store it (ENOSPC).`,
			BY_HAND,
		],
	];

	it.each(CASES)('for %j says how to get it', (failure, title, advice) => {
		expect(messageFor(failure)).toEqual({ title, advice: PAID + advice });
	});

	it('never tells the user to run the item again, which would buy another one', () => {
		expect(CASES.filter(([failure]) => /again/i.test(messageFor(failure).advice))).toEqual([]);
	});

	it.each([
		['Gone', 'Gone. The'],
		['Gone!', 'Gone! The'],
		['Gone.', 'Gone. The'],
		[undefined, 'The'],
	])('begins with the service’s own words: %s', (serviceMessage, start) => {
		const title = `${start} image could not be downloaded: the service responded with status 500.`;

		expect(messageFor({ ...status(500), serviceMessage }).title).toBe(title);
	});
});

it.each([
	[JOB, 'https://example.com/a.jpg (job an-id)'],
	[{ id: '1' }, '(job 1)'],
	[{ output_url: 'https://a.example' }, 'https://a.example'],
	[{}, ''],
	[undefined, ''],
])('a paid job is a line to copy: %j', (job, line) => {
	expect(jobLine(job)).toBe(line);
});
