import { useHouse } from '../support/house';
import { logSoFar, removeLog } from '../support/loudLog';
import { until } from '../support/until';

const house = useHouse();
afterAll(removeLog);
const parameters = { operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' };
const items = ['One', 'Two', 'Three'].map((title) => ({ json: { title } }));

/** The lines of n8n's log that speak of paid images. */
const paidLines = () =>
	logSoFar()
		.split('\n')
		.filter((line) => line.includes('is paid for:'));

describe('n8n’s log', () => {
	it('names each paid image by item, link and id, even if none can be fetched', async () => {
		house.sandbox.arm({ fault: 'download-404', times: 3 });
		await house.run({ ...parameters, options: { maxRetries: 0 } }, { items });
		await until(() => paidLines().length >= 3);

		const lines = paidLines();
		const jobs = house.sandbox.ledger.map(({ jobId, outputUrl }) => `${outputUrl} (job ${jobId})`);
		expect(jobs).toHaveLength(3);
		expect(jobs.filter((job) => !lines.some((line) => line.includes(job)))).toEqual([]);
		expect(lines.map((line) => /item (\d+)/.exec(line)?.[1]).sort()).toEqual(['0', '1', '2']);
	});

	it('names a job whose link is unusable, in one line, whatever the service says', async () => {
		const before = paidLines().length;
		const body = { id: 'a\n2026 | warn | forged' };
		house.sandbox.arm({ fault: 'status', status: 200, body });
		await house.run(parameters, { items: items.slice(0, 1) });
		await until(() => paidLines().length > before);

		expect(paidLines().slice(before).join()).toContain('(job a 2026 | warn | forged)');
	});
});
