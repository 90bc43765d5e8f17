import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

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
let nodes = 0;
/** A node of its own for each test: what a stopped run leaves belongs to its node. */
const newNode = () => ({ id: `node ${++nodes}` });

afterEach(() => {
	jest.restoreAllMocks();
});

/** Stops a production run after its first image was delivered, while the second is under way. */
async function stopped(node: { id: string }, items: INodeExecutionData[], given = parameters) {
	for (const when of ['Two', 'b.jpg']) fixture.sandbox.arm({ fault: 'hang', when });
	const { result, stop } = fixture.start(given, { node, items });
	await until(() => fixture.downloads().length === 1 && fixture.calls().length === 2);
	stop();
	const outcome = await result;
	fixture.sandbox.disarm();
	return outcome;
}

describe('a production run that was stopped', () => {
	it('leaves what it has paid for to the next run, which takes it over for the same request', async () => {
		const node = newNode();
		await stopped(node, itemsOf('One', 'Two'));
		const bought = fixture.sandbox.ledger.at(-1);
		const next = await fixture.run(parameters, { node, items: itemsOf('One', 'Two') });

		expect(next.rows[0]?.json.id).toBe(bought?.jobId);
		expect(hintsOf(next)).toEqual([
			'1 image was paid for, 1 image was taken over from a run that was stopped.',
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('hands an image over once only', async () => {
		const node = newNode();
		await stopped(node, itemsOf('One', 'Two'));
		await fixture.run(parameters, { node, items: itemsOf('One') });
		await fixture.run(parameters, { node, items: itemsOf('One') });

		expect(fixture.charged()).toBe(2);
	});

	it('knows a photo again by its bytes', async () => {
		const node = newNode();
		const edit = { ...parameters, operation: 'edit', prompt: 'Blur it' };
		const photos = async () => [await fixture.photo('a.jpg'), await fixture.photo('b.jpg')];
		await stopped(node, await photos(), edit);
		await fixture.run(edit, { node, items: await photos() });

		expect(fixture.charged()).toBe(2);
	});

	it('is named by the next run if that asks for something else', async () => {
		const node = newNode();
		await stopped(node, itemsOf('One', 'Two'));
		const link = fixture.sandbox.ledger.at(-1)?.outputUrl ?? '';
		const next = await fixture.run(parameters, { node, items: itemsOf('Three') });
		const later = await fixture.run(parameters, { node, items: itemsOf('Three') });

		expect(hintsOf(next)).toEqual([
			'1 image was paid for.',
			`A run that was stopped has paid for an image that this one did not ask for: ${link}.`,
		]);
		expect(hintsOf(later)).toEqual(['1 image was paid for.']);
	});

	it('has counted what it paid for before n8n saves it', async () => {
		const { run } = await stopped(newNode(), itemsOf('One', 'Two'));

		expect(run.status).toBe('canceled');
		expect(run.data.resultData.metadata).toEqual({ imagesPaid: '1' });
	});

	it('keeps what it left for a run that can be started', async () => {
		const node = newNode();
		await stopped(node, itemsOf('One', 'Two'));
		const broken = { ...parameters, prompt: '={{ "" }}' };
		expect((await fixture.run(broken, { node, items: itemsOf('One') })).error).toBeDefined();
		const next = await fixture.run(parameters, { node, items: itemsOf('One') });

		expect(next.rows[0]?.json.id).toBe(fixture.sandbox.ledger.at(-1)?.jobId);
		expect(fixture.charged()).toBe(1);
	});

	it('leaves it to no other node, and for a day only', async () => {
		const node = newNode();
		await stopped(node, itemsOf('One', 'Two'));
		await fixture.run(parameters, { node: newNode(), items: itemsOf('One') });
		expect(fixture.charged()).toBe(2);

		const later = Date.now() + 24 * 3_600_000 + 1;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		const next = await fixture.run(parameters, { node, items: itemsOf('One') });

		expect(fixture.charged()).toBe(3);
		expect(hintsOf(next)).toEqual(['1 image was paid for.']);
	});
});
