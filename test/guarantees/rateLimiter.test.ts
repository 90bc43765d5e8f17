import type { INodeParameters } from 'n8n-workflow';

import type { EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import { logSoFar } from '../support/n8nLog';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 100_000 });
const parameters = { operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' };
const continuesOnFail = { onError: 'continueRegularOutput' } as const;

afterEach(() => {
	fixture.sandbox.limitRate(undefined);
});

const itemsOf = (count: number, title = 'Fox') =>
	Array.from({ length: count }, (_, index) => ({ json: { title: `${title} ${index}` } }));

const withOptions = (options: INodeParameters) => ({ ...parameters, options });

const refused = () => fixture.calls().filter(({ status }) => status === 429).length;

const hintsOf = ({ run }: EngineResult) =>
	run.data.resultData.runData['Image Generation']?.at(-1)?.hints?.map(({ message }) => message);

/** The lines of n8n's log about waiting for the service. */
const holdLines = () =>
	logSoFar()
		.split('\n')
		.filter((line) => line.includes('the service accepts no more requests for now'));

describe('a rate-limited service', () => {
	it.each([
		{ retryAfter: true, concurrency: 10 },
		{ retryAfter: false, concurrency: 15 },
	])(
		'finishes every job once with few refusals: $concurrency at once, Retry-After $retryAfter',
		async ({ retryAfter, concurrency }) => {
			fixture.sandbox.limitRate({ calls: 5, seconds: 1, retryAfter });
			const { rows, error } = await fixture.run(withOptions({ concurrency }), {
				items: itemsOf(15),
			});

			expect(error).toBeUndefined();
			expect(rows).toHaveLength(15);
			expect(fixture.charged()).toBe(15);
			expect(fixture.downloads()).toHaveLength(15);
			expect(refused()).toBeGreaterThan(0);
			// On a busy machine the service's clock runs ahead; the simulated tests have the exact bound.
			expect(refused()).toBeLessThanOrEqual(concurrency + 15);
		},
	);

	it('refuses fewer requests because concurrent executions share its rate', async () => {
		fixture.sandbox.limitRate({ calls: 5, seconds: 1 });
		const executions = Array.from({ length: 5 }, async (_, number) => {
			return await fixture.run(withOptions({ concurrency: 2 }), {
				items: itemsOf(4, `Fox ${number}`),
			});
		});
		const results = await Promise.all(executions);

		expect(results.flatMap(({ rows }) => rows)).toHaveLength(20);
		expect(fixture.charged()).toBe(20);
		expect(refused()).toBeLessThanOrEqual(5 * 2 + 2 + 3);
	});

	it('is named as the reason for a slow run, with a better Request Interval', async () => {
		fixture.sandbox.limitRate({ calls: 4, seconds: 1 });
		const result = await fixture.run(withOptions({ concurrency: 8 }), { items: itemsOf(12) });

		expect(hintsOf(result)?.[0]).toBe('12 images were bought.');
		expect(hintsOf(result)?.[1]).toMatch(
			/^The service refused \d+ requests? because there were too many, so this run waited \d+ seconds?\. The service accepts about one request every [\d,]+ milliseconds: set 'Request Interval' to that to stay within its limit\.$/,
		);
	});

	it('is logged once, not for each job', async () => {
		const before = holdLines().length;
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '1', times: 3 });
		await fixture.run(withOptions({ concurrency: 3 }), { items: itemsOf(3) });
		await until(() => holdLines().length > before);

		expect(refused()).toBe(3);
		expect(holdLines().slice(before)).toEqual([
			expect.stringMatching(/the next one goes out in [12] s \(Too many requests\.\)/),
		]);
	});

	it('delays only downloads if it limits downloads', async () => {
		fixture.sandbox.arm({ fault: 'download-rate-limit', retryAfter: '1', times: 2 });
		const { rows, error } = await fixture.run(withOptions({ concurrency: 5, maxRetries: 1 }), {
			items: itemsOf(8),
		});

		expect(error).toBeUndefined();
		expect(rows.filter(({ binary }) => binary?.data !== undefined)).toHaveLength(8);
		expect(fixture.calls()).toHaveLength(8);
		expect(fixture.downloads().length).toBeGreaterThan(8);
	});
});

describe('a job is given up', () => {
	it('if the service asks for a longer wait than Timeout, and each job says so', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '7200', times: 99 });
		const { rows } = await fixture.run(withOptions({ concurrency: 2 }), {
			items: itemsOf(6),
			node: continuesOnFail,
		});

		expect(rows.map(({ json }) => json)).toEqual(
			Array.from({ length: 6 }, () => ({
				error: 'Too many requests.',
				details: expect.objectContaining({
					advice:
						"The service asks you to wait 2 hours, longer than 'Timeout' allows. Nothing was charged. Run the item again later, or raise 'Timeout'.",
					status: 429,
				}) as unknown,
			})),
		);
		expect(fixture.calls().length).toBeLessThanOrEqual(2);
		expect(fixture.charged()).toBe(0);
	});

	it('if the service accepts no request for as long as Timeout', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '', times: 99 });
		const { error } = await fixture.run(withOptions({ timeout: 2 }), { items: itemsOf(3) });

		expect(error?.message).toMatch(/^Item [123], "Fox [012]": Too many requests\.$/);
		expect(error?.description).toContain(
			"The service has accepted no requests for 2 seconds, the limit set by 'Timeout'.",
		);
		expect(error?.httpCode).toBe('429');
		expect(fixture.charged()).toBe(0);
	});

	it('with its own link if its download is never accepted', async () => {
		fixture.sandbox.arm({ fault: 'download-rate-limit', retryAfter: '7200', times: 99 });
		const { rows } = await fixture.run(withOptions({ concurrency: 2 }), {
			items: itemsOf(4),
			node: continuesOnFail,
		});
		const links = fixture.sandbox.ledger.slice(-4).map(({ outputUrl }) => outputUrl);

		expect(fixture.charged()).toBe(4);
		expect(
			rows.map(({ json }) => (json.details as { output_url: string }).output_url).sort(),
		).toEqual(links.sort());
	});
});

describe('Stop in n8n', () => {
	it('ends the waits of all jobs, and no request follows', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '240', times: 99 });
		const { result, stop } = fixture.start(withOptions({ concurrency: 20 }), {
			items: itemsOf(40),
		});
		await until(() => refused() === 20);

		stop();
		const { run } = await result;

		expect(run.status).toBe('canceled');
		expect(fixture.charged()).toBe(0);
		expect(fixture.calls()).toHaveLength(20);
	});
});

it('later runs of a loop keep the rate that the first one found', async () => {
	fixture.sandbox.limitRate({ calls: 4, seconds: 1 });
	const { run } = await fixture.run(withOptions({ concurrency: 4 }), {
		items: itemsOf(8),
		rounds: [itemsOf(4, 'Second'), itemsOf(4, 'Third')],
	});

	expect(run.status).toBe('success');
	expect(fixture.charged()).toBe(16);
	expect(refused()).toBeLessThanOrEqual(4 + 2 + 3);
});
