import { startSandbox, type Sandbox } from '../../sandbox';
import { useFixture } from '../support/fixture';

const fixture = useFixture();
const parameters = { operation: 'generate', prompt: 'A fox', size: '128x128' };

let elsewhere: Sandbox;
beforeAll(async () => {
	elsewhere = await startSandbox();
});
afterAll(async () => {
	await elsewhere.close();
});

const reachedElsewhere = () =>
	elsewhere.requests.map(({ method, headers }) => [method, headers['api-key']]);

describe('the key', () => {
	it.each([301, 302, 303, 307, 308])(
		'does not follow a redirect to another host, which receives nothing (status %d)',
		async (status) => {
			const location = `${elsewhere.url}/api/background-remover`;
			fixture.sandbox.arm({ fault: 'redirect', status, location });
			const { error } = await fixture.run(
				{ operation: 'removeBackground' },
				{ items: [await fixture.photo()] },
			);

			expect(error?.httpCode).toBe(String(status));
			expect(error?.description).toContain(`The service redirects to ${location}.`);
			expect(reachedElsewhere()).toEqual([]);
		},
	);

	it('does not follow a redirect on the same host either', async () => {
		fixture.sandbox.arm({ fault: 'redirect', location: `${fixture.sandbox.url}/api/text2img` });
		await fixture.run(parameters);

		expect(fixture.calls()).toHaveLength(1);
		expect(fixture.charged()).toBe(0);
	});

	it('is not sent with a download', async () => {
		await fixture.run(parameters);

		expect(fixture.downloads().map(({ headers }) => headers['api-key'])).toStrictEqual([undefined]);
	});

	it('is hidden in the service’s message', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 401, body: { err: 'Key test-key is unknown' } });
		const { error, run } = await fixture.run(parameters);

		expect(error?.message).toBe('Key ••• is unknown');
		expect(JSON.stringify(run)).not.toContain('test-key');
	});
});

describe('a download', () => {
	const toElsewhere = () => {
		fixture.sandbox.arm({
			fault: 'download-redirect',
			location: `${elsewhere.url}/job-view-file/nowhere/output.jpg`,
		});
	};

	it('does not leave the Base URL’s host and says how to allow it', async () => {
		toElsewhere();
		const { error } = await fixture.run(parameters);

		const [job] = fixture.sandbox.ledger.slice(-1);
		expect(error?.message).toBe(
			`The image was not downloaded because it is on another host, ${elsewhere.url}.`,
		);
		expect(error?.description).toContain("turn on 'Allow Other Hosts'");
		expect(error?.description).toContain(job?.outputUrl);
		expect(reachedElsewhere()).toEqual([]);
	});

	it('goes to another host without the key if that is allowed', async () => {
		toElsewhere();
		await fixture.run({ ...parameters, options: { allowOtherHosts: true, maxRetries: 0 } });

		expect(reachedElsewhere()).toEqual([['GET', undefined]]);
	});
});
