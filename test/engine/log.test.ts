import { useFixture } from '../support/fixture';
import { logSoFar } from '../support/n8nLog';
import { until } from '../support/until';

const fixture = useFixture();
const parameters = { operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' };
const items = ['One', 'Two', 'Three'].map((title) => ({ json: { title } }));

/** The lines of n8n's log about paid images. */
const paidLines = () =>
	logSoFar()
		.split('\n')
		.filter((line) => line.includes('was bought:'));

describe('n8n’s log', () => {
	it('names each paid image by item, link and id, even if none can be downloaded', async () => {
		fixture.sandbox.arm({ fault: 'download-404', times: 3 });
		await fixture.run({ ...parameters, options: { maxRetries: 0 } }, { items });

		const jobs = fixture.sandbox.ledger.map(
			({ jobId, outputUrl }) => `${outputUrl} (job ${jobId})`,
		);
		expect(jobs).toHaveLength(3);
		const lines = () => paidLines().filter((line) => jobs.some((job) => line.includes(job)));
		await until(() => jobs.every((job) => lines().some((line) => line.includes(job))));
		expect(
			lines()
				.map((line) => /Item (\d+), \\"(\w+)\\"/.exec(line)?.slice(1).join(' '))
				.sort(),
		).toEqual(['1 One', '2 Two', '3 Three']);
		expect(lines()).toHaveLength(3);
	});

	it('names a job with an unusable link on one line, whatever the service says', async () => {
		const body = { id: 'a\n2026 | warn | forged' };
		fixture.sandbox.arm({ fault: 'status', status: 200, body });
		await fixture.run(parameters, { items: items.slice(0, 1) });
		await until(() => logSoFar().includes('(job a 2026 '));

		const [line] = paidLines().filter((text) => text.includes('forged'));
		expect(line).toMatch(/Item 1, \\"One\\" was bought: .*\(job a 2026 \| warn \| forged\)/);
	});

	it('names no image that was not paid for', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const { rows } = await fixture.run(parameters, {
			items,
			node: { onError: 'continueRegularOutput' },
		});
		const paid = fixture.sandbox.ledger.slice(-2).map(({ jobId }) => `(job ${jobId})`);
		await until(() => paid.every((job) => paidLines().some((line) => line.includes(job))));

		expect(rows[1]?.json.error).toBeDefined();
		expect(paidLines().filter((line) => /was bought: *("|$)/.test(line))).toEqual([]);
	});

	it.each([
		['a download', { fault: 'download-rate-limit', retryAfter: '120' }, /12\d s \(.*The image/],
		['a paid request', { fault: 'rate-limit', retryAfter: '240' }, /2[45]\d s \(/],
	] as const)(
		'says how long %s waits for the service’s Retry-After',
		async (_what, fault, words) => {
			fixture.sandbox.arm(fault);
			const { result, stop } = fixture.start(parameters, { items: items.slice(0, 1) });
			const line = new RegExp(`the next one goes out in ${words.source}`);
			await until(() => line.test(logSoFar()));

			stop();
			await result;

			expect(fixture.calls()).toHaveLength(1);
		},
	);
});
