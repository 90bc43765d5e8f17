import { createRunExecutionData } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { generate, itemsOf } from '../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const items = itemsOf('One', 'Two', 'Three');

describe('imagesPaid in the execution’s custom data', () => {
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
