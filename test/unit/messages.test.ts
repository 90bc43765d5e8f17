import {
	BadInput,
	Canceled,
	DownloadFailure,
	ConnectionFailure,
	ServiceRejection,
	UnexpectedResponse,
	UnreadableImage,
} from '../../nodes/ImageGeneration/failures/failures';
import { jobLine, messageFor } from '../../nodes/ImageGeneration/report/messages';

const JOB = { id: 'an-id', output_url: 'https://example.com/a.jpg' };
const MAYBE = 'You may have been charged. Check your account before you run this item again.';
const refusal = (status: number, location?: string) =>
	new ServiceRejection(status, undefined, undefined, location);
const noAnswer = (kind: ConnectionFailure['kind']) => new ConnectionFailure(kind, 'why');
const NO_WORDS = (status: number) => `The service responded with status ${status} and no message`;

describe('a failure’s message', () => {
	it.each<[failure: unknown, title: string, advice: string]>([
		[new BadInput('Width is 1.', 'Make it 128.'), 'Width is 1.', 'Make it 128.'],
		[new Error('An expression failed'), 'An expression failed', ''],
		[{ message: 'Failed', description: 'Look there' }, 'Failed', 'Look there'],
		['just text', 'just text', ''],
		[undefined, 'undefined', ''],
		[
			new Canceled(true),
			'The execution was canceled',
			'Some requests were cut off and may have been charged. Check your account before you run the workflow again.',
		],
		[
			new Canceled(false),
			'The execution was canceled',
			'No paid request was cut off. You can run the workflow again.',
		],
		[
			new UnreadableImage('No file'),
			'No file',
			'The service never received the whole file. Run the node that outputs the file again.',
		],
		[
			noAnswer('insecure'),
			'Could not establish a secure connection to the service (why)',
			"Nothing was sent. Check 'Base URL' in the credential: the host, and https:// or http://.",
		],
		[
			noAnswer('blocked'),
			'n8n blocked the request (why)',
			"Nothing was sent. Ask your n8n administrator to allow the host in 'Base URL'.",
		],
		[
			noAnswer('unreachable'),
			'The service could not be reached (why)',
			"Nothing was charged. Check 'Base URL' in the credential, and your network.",
		],
		[noAnswer('interrupted'), 'The connection closed before the service responded (why)', MAYBE],
		[noAnswer('timeout'), "The service did not respond in the time set by 'Timeout'", MAYBE],
		[
			noAnswer('no credential'),
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
	])('for %s says what happened and what to do', (failure, title, advice) => {
		expect(messageFor(failure)).toEqual({
			title,
			advice,
			job: {},
			...(failure instanceof ServiceRejection && { status: failure.status }),
		});
	});

	it.each([
		[401, /Check 'API Key'/],
		[402, /^Your allowance and wallet are used up/],
		[403, /requires a paid subscription/],
		[404, /^The service does not have this tool/],
		[413, /^The image is too large/],
		[415, /^The service does not accept this type of file/],
		[429, /Lower 'Concurrency', raise 'Request Interval'/],
	])('has its own advice for status %d', (status, advice) => {
		expect(messageFor(refusal(status)).advice).toMatch(advice);
	});

	it('names a redirect’s target, up to 200 characters', () => {
		expect(messageFor(refusal(300, 'https://a.example')).advice).toContain('to https://a.example.');
		expect(messageFor(refusal(399, 'x'.repeat(300))).advice).toContain(`to ${'x'.repeat(200)}.`);
	});
});

describe('the service’s message', () => {
	it('is the title of a rejection', () => {
		expect(messageFor(new ServiceRejection(400, 'No foxes', undefined, undefined))).toMatchObject({
			title: 'No foxes',
			serviceMessage: 'No foxes',
			status: 400,
		});
	});

	it('is the title of an unexpected response, followed by a description of it', () => {
		const what = 'The service returned JSON instead of a job result';
		const check = `Check 'Base URL' in the credential. ${MAYBE}`;

		expect(messageFor(new UnexpectedResponse('JSON', undefined, {}, 201))).toEqual({
			title: what,
			advice: check,
			status: 201,
			job: {},
		});
		expect(messageFor(new UnexpectedResponse('JSON', 'Gone', {}))).toEqual({
			title: 'Gone',
			advice: `${what}. ${check}`,
			status: 200,
			serviceMessage: 'Gone',
			job: {},
		});
	});

	it('comes before what is left of a response without a job result', () => {
		const traces = { links: ['https://a.example/1', 'https://a.example/2'], excerpt: 'Hello' };
		const { title, advice } = messageFor(new UnexpectedResponse('JSON', 'Gone', {}, 200, traces));

		expect(title).toBe('Gone');
		expect(advice).toContain(
			`${MAYBE} Links in the response: https://a.example/1 https://a.example/2 The response begins: Hello`,
		);
	});

	it.each([undefined, 'Gone'])(
		'if any, comes before a note that a named job is paid for: %s',
		(words) => {
			const what = 'The service returned JSON instead of a job result';
			const paid = 'The response names a job, so you were charged. Ask the service about this job.';

			expect(messageFor(new UnexpectedResponse('JSON', words, { id: '1' }))).toEqual({
				title: words ?? what,
				advice: words === undefined ? paid : `${what}. ${paid}`,
				status: 200,
				...(words !== undefined && { serviceMessage: words }),
				job: { id: '1' },
			});
		},
	);

	it.each([
		['Gone', 'Gone. Not fetched.'],
		['Gone!', 'Gone! Not fetched.'],
		['Gone.', 'Gone. Not fetched.'],
		[undefined, 'Not fetched.'],
	])('comes before the outcome of a download: %s', (words, title) => {
		const details = { advice: 'Wait.', transient: false, status: 404, serviceMessage: words };

		expect(messageFor(new DownloadFailure('Not fetched.', JOB, details))).toEqual({
			title,
			advice: 'The image is finished and paid for. Wait.',
			status: 404,
			...(words !== undefined && { serviceMessage: words }),
			job: JOB,
		});
	});
});

describe('an unknown detail', () => {
	it.each([
		[refusal(400), ['title', 'advice', 'status', 'job']],
		[new UnexpectedResponse('JSON', undefined, {}), ['title', 'advice', 'status', 'job']],
		[new DownloadFailure('Cut.', JOB, { advice: '', transient: true }), ['title', 'advice', 'job']],
	])('is omitted: %s', (failure, keys) => {
		expect(Object.keys(messageFor(failure))).toEqual(keys);
	});

	it('such as a redirect is omitted if the status is below 300', () => {
		expect(messageFor(refusal(199)).advice).toMatch(/^The service rejected the request/);
	});
});

describe('a paid job', () => {
	it('is reported as paid if a rejection names it', () => {
		expect(messageFor(new ServiceRejection(500, 'No', undefined, undefined, JOB))).toMatchObject({
			advice: 'The image is finished and paid for. Open the link below.',
			job: JOB,
		});
	});

	it('has no status if its download had none', () => {
		const failure = new DownloadFailure('Cut.', JOB, { advice: '', transient: true });

		expect(messageFor(failure)).not.toHaveProperty('status');
	});

	it.each([
		[JOB, 'https://example.com/a.jpg (job an-id)'],
		[{ id: '1' }, '(job 1)'],
		[{ output_url: 'https://a.example' }, 'https://a.example'],
		[{}, ''],
	])('is a line to copy: %j', (job, line) => {
		expect(jobLine(job)).toBe(line);
	});
});
