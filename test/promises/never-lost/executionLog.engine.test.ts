import { createRunExecutionData } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { logSoFar } from '../../support/n8nLog';
import { CONTINUE, fox, generate, itemsOf } from '../../support/runs';
import { until } from '../../support/until';

const fixture = useFixture();

/** The lines of n8n's log about paid images. */
const paidLines = () =>
	logSoFar()
		.split('\n')
		.filter((line) => line.includes('was bought:'));

describe('n8n’s log', () => {
	it('names each paid image, and no other, by item, link and id, even if it can’t be downloaded', async () => {
		fixture.sandbox.arm({ fault: 'download-404', times: 2 });
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		await fixture.run(generate(), {
			items: itemsOf('One', 'Two', 'Three'),
			node: CONTINUE,
		});

		const jobs = fixture.links();
		expect(jobs).toHaveLength(2);
		const isLogged = (job: string) => paidLines().some((line) => line.includes(job));
		await until(() => jobs.every(isLogged));
		// Stryker runs all files with one log.
		const own = paidLines().filter((line) => line.includes(fixture.sandbox.url));
		expect(
			own.map((line) => /Item (\d+), \\"(\w+)\\"/.exec(line)?.slice(1).join(' ')).sort(),
		).toStrictEqual(['1 One', '3 Three']);
	});

	it('names an image whose answer comes after Stop', async () => {
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 2000 });
		const { stop, result } = fixture.start(fox());
		await until(() => fixture.charged() === 1);
		stop();
		await result;

		const [link = ''] = fixture.links();
		expect(paidLines().filter((line) => line.includes(link))).toStrictEqual([]);
		await until(() => paidLines().some((line) => line.includes(link)));
	});

	it('names node, execution and a job with an unusable link on one line, whatever the service says', async () => {
		const body = { id: 'a\n2026 | warn | forged' };
		fixture.sandbox.arm({ fault: 'status', status: 200, body });
		await fixture.run(fox());
		await until(() => logSoFar().includes('(job a 2026 '));

		const [line] = paidLines().filter((text) => text.includes('forged'));
		expect(line).toMatch(
			/Image Generation \(execution \w+\): Item 1, \\"A fox\\" was bought: .*\(job a 2026 \| warn \| forged\)/,
		);
	});
});

describe('imagesPaid in the execution’s custom data', () => {
	const items = itemsOf('One', 'Two', 'Three');

	it('counts the images paid for, and adds up the runs of a loop', async () => {
		const { run } = await fixture.run(generate(), { items, rounds: [items.slice(0, 2)] });

		expect(run.data.resultData.metadata).toStrictEqual({ imagesPaid: '5' });
	});

	it('is kept if the node stops', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const { run, error } = await fixture.run(generate({ concurrency: 1 }), { items });

		expect(error).toBeDefined();
		expect(run.data.resultData.metadata).toStrictEqual({ imagesPaid: '2' });
	});

	it('is missing if nothing was paid for', async () => {
		const { run } = await fixture.run(generate(), { items: itemsOf('') });

		expect(run.data.resultData.metadata).toStrictEqual(
			createRunExecutionData().resultData.metadata,
		);
	});
});
