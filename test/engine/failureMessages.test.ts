import type { FaultRule } from '../../sandbox/faults/rules';
import { useFixture } from '../support/fixture';
import { largePng } from '../support/images';
import { text } from '../support/text';

const fixture = useFixture();
const parameters = { operation: 'generate', prompt: 'A fox', size: '128x128' };
const withoutRetries = { ...parameters, options: { maxRetries: 0 } };

async function runWith(fault: FaultRule, what = withoutRetries) {
	fixture.sandbox.arm(fault);
	const { error } = await fixture.run(what);
	return error;
}

describe('the service’s message', () => {
	it('can come from status', async () => {
		const error = await runWith({ fault: 'status', status: 401, body: { status: 'Who are you?' } });

		expect(error?.message).toBe('Who are you?');
		expect(error?.description).toContain("Check 'API Key' in the credential");
		expect(error?.httpCode).toBe('401');
	});

	it.each(['preexisting', 'the host says ECONNREFUSED'])(
		'is not replaced by n8n if it contains a system code: %s',
		async (words) => {
			const error = await runWith({ fault: 'status', status: 400, body: { err: words } });

			expect(error?.message).toBe(words);
		},
	);
});

describe('a 200 without a job result', () => {
	it('is explained, and may have been charged', async () => {
		const error = await runWith({ fault: 'html-200' });

		expect(error?.message).toBe('The service returned a web page instead of a job result');
		expect(error?.description).toContain('may have been charged');
	});

	it.each<[FaultRule, string]>([
		[{ fault: 'no-output-url' }, 'JSON without output_url'],
		[{ fault: 'truncated-json' }, 'text that is not JSON'],
	])('names the job, which is paid for, if it has an id: %j', async (fault, what) => {
		const error = await runWith(fault);

		const [job] = fixture.sandbox.ledger.slice(-1);
		expect(error?.message).toBe(`The service returned ${what} instead of a job result`);
		expect(error?.description).toContain('so you were charged. Ask the service about this job.');
		expect(error?.description).toContain(`(job ${job?.jobId ?? 'missing'})`);
	});

	it('still gives an image if only the id is missing', async () => {
		fixture.sandbox.arm({ fault: 'no-id' });
		const { rows } = await fixture.run(parameters);

		expect(rows[0]?.binary?.data?.fileName).toBe('a-fox.jpg');
	});
});

describe('a service without a response', () => {
	it('is reported as unreachable if it refuses the connection, and nothing was charged', async () => {
		const { error } = await fixture.run(withoutRetries, {
			credential: { baseUrl: 'http://127.0.0.1:9', apiKey: 'test-key' },
		});

		expect(error?.message).toMatch(/^The service could not be reached \(connect ECONNREFUSED/);
		expect(error?.description).toContain('Nothing was charged.');
	});

	it('is reported as insecure if it does not speak https, and nothing was sent', async () => {
		const { error } = await fixture.run(withoutRetries, {
			credential: {
				...fixture.credential,
				baseUrl: fixture.sandbox.url.replace('http:', 'https:'),
			},
		});

		expect(error?.message).toMatch(
			/^Could not establish a secure connection to the service \(.+\)$/,
		);
		expect(error?.description).toContain('Nothing was sent.');
		expect(fixture.calls()).toEqual([]);
	});

	it('may have charged if it cuts the connection', async () => {
		const error = await runWith({ fault: 'reset-after' });

		expect(error?.message).toMatch(/^The connection closed before the service responded/);
		expect(error?.description).toContain('may have been charged');
		expect(fixture.charged()).toBe(1);
	});

	it('may have charged if it is silent longer than Timeout', async () => {
		const error = await runWith({ fault: 'timeout-after' }, {
			...parameters,
			options: { maxRetries: 0, timeout: 1 },
		} as typeof withoutRetries);

		expect(error?.message).toBe("The service did not respond in the time set by 'Timeout'");
		expect(error?.description).toContain('may have been charged');
	});
});

describe('the download of a paid image', () => {
	it.each<[FaultRule, string]>([
		[{ fault: 'download-404' }, 'the service no longer has it (status 404)'],
		[{ fault: 'error-huge', on: 'download' }, 'the service responded with status 500.'],
		[
			{ fault: 'html', on: 'download' },
			'The service returned a file that is not an image (text/html',
		],
		[
			{ fault: 'text-as-png', on: 'download' },
			'The service returned a file that claims to be image/png but is not an image',
		],
		[{ fault: 'empty', on: 'download' }, 'The service returned an empty file'],
		[{ fault: 'truncated', on: 'download' }, 'The download was interrupted'],
		[{ fault: 'reset-mid', on: 'download' }, 'The download was interrupted'],
		[{ fault: 'redirect-loop', on: 'download' }, 'its link redirects too many times'],
	])('reports the image’s id and link if it fails: %j', async (fault, words) => {
		const error = await runWith(fault);

		const [job] = fixture.sandbox.ledger.slice(-1);
		expect(error?.message).toContain(words);
		expect(error?.description).toContain('The image is finished and paid for.');
		expect(error?.description).toContain(`${job?.outputUrl ?? ''} (job ${job?.jobId ?? ''})`);
		expect(fixture.charged()).toBe(1);
	});

	it.each(['ftp://127.0.0.1/a.jpg', 'http://['])(
		'reports an invalid address if it is redirected to %s',
		async (location) => {
			const error = await runWith({ fault: 'download-redirect', location });

			expect(error?.message).toContain('its link redirects to something that is not a web address');
			expect(error?.description).toContain('The image is finished and paid for.');
		},
	);

	it.each([206, 299, 400, 404])(
		'ignores a Location header without a redirect (status %d)',
		async (status) => {
			const error = await runWith({ fault: 'download-redirect', status });

			expect(error?.message).toContain(`status ${status}`);
			expect(fixture.downloads()).toHaveLength(1);
		},
	);

	it('follows a redirect to https', async () => {
		const error = await runWith(
			{ fault: 'download-redirect', location: 'https://127.0.0.1:9/a.jpg' },
			{ ...parameters, options: { maxRetries: 0, allowOtherHosts: true } } as typeof withoutRetries,
		);

		expect(error?.message).toContain('ECONNREFUSED 127.0.0.1:9');
	});

	it('times out if the data is slower than Timeout', async () => {
		const error = await runWith({ fault: 'download-stall' }, {
			...parameters,
			options: { maxRetries: 0, timeout: 1 },
		} as typeof withoutRetries);

		expect(error?.message).toBe("The image could not be downloaded in the time set by 'Timeout'.");
	});

	it.each<FaultRule>([
		{ fault: 'wrong-type', on: 'download' },
		{ fault: 'no-type', on: 'download' },
		{ fault: 'octet-stream', on: 'download' },
		{ fault: 'chunked', on: 'download' },
		{ fault: 'gzip', on: 'download' },
		{ fault: 'slow-drip', on: 'download' },
		{ fault: 'late-body', on: 'download' },
		{ fault: 'download-redirect' },
		{ fault: 'download-redirect', status: 300 },
	])(
		'succeeds despite an odd response, byte for byte and with the real type: %j',
		async (fault) => {
			fixture.sandbox.arm(fault);
			const { rows, error } = await fixture.run(parameters);

			expect(error).toBeUndefined();
			const image = rows[0]?.binary?.data;
			expect(image).toMatchObject({ mimeType: 'image/jpeg', fileExtension: 'jpg' });
			expect(await fixture.engine.bytesOf(image)).toEqual(
				await fixture.sandbox.output(text(rows[0]?.json.id)),
			);
		},
	);
});

describe('a rejection in the middle of an upload', () => {
	it('is not reported as an unreadable file, and the retry is reported as what it is', async () => {
		const data = await fixture.engine.store(largePng(32), 'large.png', 'image/png');
		fixture.sandbox.arm({ fault: 'answer-mid-upload', status: 429, body: { err: 'Slow down' } });
		fixture.sandbox.arm({ fault: 'reset-before' });
		const { error } = await fixture.run(
			{ operation: 'removeBackground', options: { maxRetries: 1 } },
			{ items: [{ json: {}, binary: { data } }] },
		);

		expect(error?.message).toMatch(/^The connection closed before the service responded/);
		expect(error?.description).toContain('may have been charged');
	});
});

describe('the word "canceled" in the service’s message', () => {
	it('does not make n8n treat the failed run as stopped', async () => {
		const err = 'Your subscription was canceled';
		fixture.sandbox.arm({ fault: 'status', status: 402, body: { err } });
		const { run, error } = await fixture.run(withoutRetries);

		expect(run.status).toBe('error');
		expect(error?.message).toBe('Your subscription was cancelled');
	});
});
