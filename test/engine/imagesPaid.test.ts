import { createRunExecutionData } from 'n8n-workflow';

import { useFixture } from '../support/fixture';

const fixture = useFixture({ allowance: 10_000 });
const parameters = { operation: 'generate', prompt: '={{ $json.title }}', size: '128x128' };
const items = ['One', 'Two', 'Three'].map((title) => ({ json: { title } }));

describe('imagesPaid in the execution’s custom data', () => {
	it('counts the images paid for, and adds up the runs of a loop', async () => {
		const { run } = await fixture.run(parameters, { items, rounds: [items.slice(0, 2)] });

		expect(run.data.resultData.metadata).toEqual({ imagesPaid: '5' });
	});

	it('is kept if the node stops', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Three' });
		const options = { concurrency: 1 };
		const { run, error } = await fixture.run({ ...parameters, options }, { items });

		expect(error).toBeDefined();
		expect(run.data.resultData.metadata).toEqual({ imagesPaid: '2' });
	});

	it('is missing if nothing was paid for', async () => {
		const { run } = await fixture.run({ ...parameters, prompt: '={{ "" }}' }, { items });

		expect(run.data.resultData.metadata).toEqual(createRunExecutionData().resultData.metadata);
	});
});
