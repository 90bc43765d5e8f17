import { useFixture } from '../support/fixture';
import { logSoFar } from '../support/n8nLog';
import { CONTINUE, generate, itemsOf } from '../support/runs';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 100_000 });

afterEach(() => {
	fixture.sandbox.limitRate(undefined);
});

const foxes = (count: number, name = 'Fox') =>
	itemsOf(...Array.from({ length: count }, (_, index) => `${name} ${index}`));

const refused = () => fixture.calls().filter(({ status }) => status === 429).length;

describe('a rate-limited service', () => {
	it.each([
		{ retryAfter: true, concurrency: 10 },
		{ retryAfter: false, concurrency: 15 },
	])('finishes every job once with few refusals: %j', async ({ retryAfter, concurrency }) => {
		fixture.sandbox.limitRate({ calls: 5, seconds: 1, retryAfter });
		const result = await fixture.run(generate({ concurrency }), { items: foxes(15) });

		expect(result.error).toBeUndefined();
		expect(result.rows).toHaveLength(15);
		expect(fixture.charged()).toBe(15);
		expect(fixture.downloads()).toHaveLength(15);
		expect(refused()).toBeGreaterThan(0);
		// On a busy machine the service's clock runs ahead; the simulated tests have the exact bound.
		expect(refused()).toBeLessThanOrEqual(concurrency + 15);
	});

	it('refuses few requests of concurrent executions and of a loop’s rounds, which share its rate', async () => {
		fixture.sandbox.limitRate({ calls: 5, seconds: 1 });
		const executions = Array.from({ length: 5 }, async (_, number) => {
			return await fixture.run(generate({ concurrency: 2 }), {
				items: foxes(2, `Fox ${number}`),
				rounds: [foxes(2, `Second ${number}`)],
			});
		});
		const results = await Promise.all(executions);

		expect(results.map(({ run }) => run.status)).toStrictEqual(Array(5).fill('success'));
		expect(fixture.charged()).toBe(20);
		expect(refused()).toBeLessThanOrEqual(5 * 2 + 2 + 3);
	});

	it('is logged once when all have to wait, not for each job', async () => {
		const waits = () => logSoFar().match(/the next one goes out in .*/g) ?? [];
		const before = waits().length;
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '1', times: 3 });
		await fixture.run(generate({ concurrency: 3 }), { items: foxes(3) });
		await until(() => waits().length > before);

		expect(refused()).toBe(3);
		expect(waits().slice(before)).toStrictEqual([
			expect.stringMatching(/in [12] s \(Too many requests\.\)/),
		]);
	});
});

it('a job whose download is never accepted is given up with its own link', async () => {
	fixture.sandbox.arm({ fault: 'download-rate-limit', retryAfter: '7200', times: 99 });
	const parameters = generate({ concurrency: 2, timeout: 2 });
	const { rows } = await fixture.run(parameters, { items: foxes(4), node: CONTINUE });
	const links = fixture.charges().map(({ outputUrl }) => outputUrl);

	expect(links).toHaveLength(4);
	expect(
		rows.map(({ json }) => (json.details as { output_url: string }).output_url).sort(),
	).toStrictEqual(links.sort());
});
