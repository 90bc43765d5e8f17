import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 10_000 });
const parameters: INodeParameters = {
	operation: 'generate',
	prompt: '={{ $json.title }}',
	size: '128x128',
	options: { concurrency: 1 },
};
const itemsOf = (...titles: string[]): INodeExecutionData[] =>
	titles.map((title) => ({ json: { title } }));
const hintsOf = ({ run }: EngineResult) =>
	run.data.resultData.runData['Image Generation']?.at(-1)?.hints?.map(({ message }) => message);
const storedWith = ({ run }: EngineResult) => run.data.resultData.metadata;

/** Stops a production run after its first image was delivered, while the second is under way. */
async function stopped(staticData: IDataObject, items: INodeExecutionData[], given = parameters) {
	for (const when of ['Two', 'b.jpg']) fixture.sandbox.arm({ fault: 'hang', when });
	const { result, stop } = fixture.start(given, { staticData, items });
	await until(() => fixture.downloads().length === 1 && fixture.calls().length === 2);
	stop();
	const outcome = await result;
	fixture.sandbox.disarm();
	return outcome;
}

describe('a production run that was stopped', () => {
	it('leaves what it has paid for to the next run, which takes it over for the same request', async () => {
		const staticData = {};
		await stopped(staticData, itemsOf('One', 'Two'));
		const bought = fixture.sandbox.ledger.at(-1);
		const next = await fixture.run(parameters, { staticData, items: itemsOf('One', 'Two') });

		expect(next.rows[0]?.json.id).toBe(bought?.jobId);
		expect(hintsOf(next)).toEqual([
			'1 image was paid for, 1 image was taken over from a run that was stopped.',
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('hands an image over once only', async () => {
		const staticData = {};
		await stopped(staticData, itemsOf('One', 'Two'));
		await fixture.run(parameters, { staticData, items: itemsOf('One') });
		await fixture.run(parameters, { staticData, items: itemsOf('One') });

		expect(fixture.charged()).toBe(2);
	});

	it('knows a photo again by its bytes', async () => {
		const staticData = {};
		const edit = { ...parameters, operation: 'edit', prompt: 'Blur it' };
		const photos = async () => [await fixture.photo('a.jpg'), await fixture.photo('b.jpg')];
		await stopped(staticData, await photos(), edit);
		await fixture.run(edit, { staticData, items: await photos() });

		expect(fixture.charged()).toBe(2);
	});

	it('is named by the next run if that asks for something else', async () => {
		const staticData = {};
		await stopped(staticData, itemsOf('One', 'Two'));
		const link = fixture.sandbox.ledger.at(-1)?.outputUrl ?? '';
		const next = await fixture.run(parameters, { staticData, items: itemsOf('Three') });
		const later = await fixture.run(parameters, { staticData, items: itemsOf('Three') });

		expect(hintsOf(next)).toEqual([
			'1 image was paid for.',
			`A run that was stopped has paid for an image that this one did not ask for: ${link}.`,
		]);
		expect(hintsOf(later)).toEqual(['1 image was paid for.']);
	});

	it('has counted what it paid for before n8n saves it', async () => {
		const { run } = await stopped({}, itemsOf('One', 'Two'));

		expect(run.status).toBe('canceled');
		expect(run.data.resultData.metadata).toEqual({ imagesPaid: '1' });
	});

	it('leaves no key in the workflow’s data', async () => {
		const staticData = {};
		await stopped(staticData, itemsOf('One', 'Two'));

		expect(JSON.stringify(staticData)).toContain('output_url');
		expect(JSON.stringify(staticData)).not.toContain('test-key');
	});

	it.each([
		['a text', 'jobs'],
		['a list', [1]],
		['entries of wrong types', { a: 1, b: 'x', c: '{"output_url":"nowhere"}' }],
	])('leaves data that may be damaged without harm: %s', async (_name, stoppedJobs) => {
		const staticData = { 'node:Image Generation': { stoppedJobs } } as IDataObject;
		const { error } = await fixture.run(parameters, { staticData, items: itemsOf('One') });

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});
});

it('a run that nobody stopped leaves nothing in the workflow’s data', async () => {
	const staticData = {};
	const result = await fixture.run(parameters, { staticData, items: itemsOf('One') });

	expect(storedWith(result)).toEqual({ imagesPaid: '1' });
	expect(JSON.stringify(staticData)).not.toContain('stoppedJobs');
});
