import type { FaultRule } from '../../../sandbox/faults/rules';
import { useFixture } from '../../support/fixture';
import { largePng } from '../../support/images';
import { fox, removeBackground } from '../../support/runs';

const fixture = useFixture();

/** The error of a run whose requests all meet a fault. */
async function errorWith(fault: FaultRule, options: object = {}) {
	fixture.sandbox.arm({ times: 9, ...fault });
	return (await fixture.run(fox(options))).error;
}

describe('the service’s message', () => {
	it.each(['preexisting', 'the host says ECONNREFUSED'])(
		'is not replaced by n8n if it contains a system code: %s',
		async (err) => {
			const error = await errorWith({ fault: 'status', status: 400, body: { err } });

			expect(error?.message).toBe(err);
		},
	);

	it('does not make n8n treat the failed run as stopped by the word "canceled"', async () => {
		const err = 'Your subscription was canceled';
		fixture.sandbox.arm({ fault: 'status', status: 402, body: { err } });
		const { run, error } = await fixture.run(fox());

		expect(run.status).toBe('error');
		expect(error?.message).toBe('Your subscription was cancelled');
	});
});

describe('a service without a job result', () => {
	it('is reported as what it is when a retry follows a rejection in the middle of an upload', async () => {
		const data = await fixture.engine.store(largePng(32), 'large.png', 'image/png');
		fixture.sandbox.arm({ fault: 'answer-mid-upload', status: 429, body: { err: 'Slow down' } });
		fixture.sandbox.arm({ fault: 'reset-before' });
		const { error } = await fixture.run(removeBackground(), {
			items: [{ json: {}, binary: { data } }],
		});

		expect(error?.message).toMatch(/^The connection closed before the service responded/);
		expect(error?.description).toContain('may have been charged');
	});
});

describe('the download of a paid image', () => {
	const FILE = 'The service returned a file that';
	const NO_ADDRESS = 'its link redirects to something that is not a web address';

	it.each<[FaultRule, string]>([
		[{ fault: 'download-404' }, '(status 404)'],
		[{ fault: 'error-huge', on: 'download' }, 'its link returned status 500.'],
		[{ fault: 'html' }, `${FILE} is not an image (text/html`],
		[{ fault: 'empty' }, 'an empty file'],
		[{ fault: 'truncated' }, 'The download was interrupted'],
		[{ fault: 'redirect-loop' }, 'its link redirects too many times'],
		[{ fault: 'download-redirect', location: 'ftp://127.0.0.1/a.jpg' }, NO_ADDRESS],
		[{ fault: 'download-stall' }, "could not be downloaded in the time set by 'Timeout'."],
		// A Location header without a redirect counts for nothing.
		...[206, 400].map((status): [FaultRule, string] => [
			{ fault: 'download-redirect', status },
			`status ${status}`,
		]),
	])('reports the image’s id and link if it fails: %j', async (fault, words) => {
		const error = await errorWith(fault, { timeout: 5 });

		expect(error?.message).toContain(words);
		expect(error?.description).toContain('paid for');
		expect(error?.description).toContain(fixture.links()[0]);
		expect(fixture.charged()).toBe(1);
	});

	it('follows a redirect to https', async () => {
		const fault = { fault: 'download-redirect', location: 'https://127.0.0.1:9/a.jpg' } as const;
		fixture.sandbox.arm({ times: 9, ...fault });
		const credential = { ...fixture.credential, allowOtherHosts: true };
		const { error } = await fixture.run(fox(), { credential });

		expect(error?.message).toContain('ECONNREFUSED 127.0.0.1:9');
	});

	it.each<FaultRule>([
		{ fault: 'no-type' },
		{ fault: 'chunked' },
		{ fault: 'gzip' },
		{ fault: 'slow-drip' },
		{ fault: 'late-body' },
		{ fault: 'download-redirect' },
		{ fault: 'download-redirect', status: 300 },
	])('succeeds byte for byte and with the real type despite %j', async (fault) => {
		fixture.sandbox.arm(fault);
		const { rows, error } = await fixture.run(fox());

		expect(error).toBeUndefined();
		const image = rows[0]?.binary?.data;
		expect(image).toMatchObject({ mimeType: 'image/jpeg', fileExtension: 'jpg' });
		expect(await fixture.engine.bytesOf(image)).toStrictEqual(
			await fixture.sandbox.output(rows[0]?.json.id as string),
		);
	});
});
