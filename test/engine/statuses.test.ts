import type { FaultRule } from '../../sandbox';
import { useFixture } from '../support/fixture';
import { largePng } from '../support/images';

const fixture = useFixture();
const parameters = {
	operation: 'generate',
	prompt: 'A fox',
	size: '128x128',
	options: { maxRetries: 0 },
};

async function runWithFault(fault: FaultRule, what: object = parameters) {
	fixture.sandbox.arm(fault);
	return await fixture.run({ ...parameters, ...what });
}

describe('a response of 5 MB', () => {
	it('is accepted as a job result', async () => {
		const { rows, error } = await runWithFault({ fault: 'huge-json-200' });

		expect(error).toBeUndefined();
		expect(rows[0]?.binary?.data).toBeDefined();
	});

	it('gives no message if it replaces an image', async () => {
		const { error } = await runWithFault({ fault: 'error-huge', on: 'download' });

		expect(error?.message).toBe(
			'The image could not be downloaded: the service responded with status 500.',
		);
	});
});

describe('a job result with a status other than 200', () => {
	it('is delivered with any 2xx, because it is paid for', async () => {
		const { rows, error } = await runWithFault({ fault: 'created-201' });

		expect(error).toBeUndefined();
		expect(rows[0]?.binary?.data).toBeDefined();
		expect(fixture.charged()).toBe(1);
	});

	it('is reported with its id and link if the status is an error', async () => {
		const { error } = await runWithFault({ fault: 'created-201', status: 503 });

		const [job] = fixture.sandbox.ledger.slice(-1);
		expect(error?.description).toContain('The image is finished and paid for.');
		expect(error?.description).toContain(`${job?.outputUrl ?? ''} (job ${job?.jobId ?? ''})`);
	});
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
		const { run, error } = await runWithFault({ fault: 'status', status: 402, body: { err } });

		expect(run.status).toBe('error');
		expect(error?.message).toBe('Your subscription was cancelled');
	});
});
