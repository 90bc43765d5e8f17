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

const CUT_OFF =
	'1 request that was cut off may have been charged: Item 2, &quot;Two&quot;. Check your account.';

/** Stops a production run after it delivered its first image and while it buys the second. */
async function stopped(items: INodeExecutionData[], given = parameters) {
	for (const when of ['Two', 'b.jpg']) fixture.sandbox.arm({ fault: 'hang', when });
	const { result, stop } = fixture.start(given, { items });
	await until(() => fixture.downloads().length === 1 && fixture.struck() === 1);
	stop();
	const outcome = await result;
	fixture.sandbox.disarm();
	return outcome;
}

describe('a stopped production run', () => {
	it('leaves its purchases to the next run, which takes them over for equal requests', async () => {
		await stopped(itemsOf('One', 'Two'));
		const bought = fixture.sandbox.ledger.at(-1);
		const next = await fixture.run(parameters, { items: itemsOf('One', 'Two') });

		expect(next.rows[0]?.json.id).toBe(bought?.jobId);
		expect(hintsOf(next)).toEqual([
			'1 image was bought, 1 image was kept from a stopped run.',
			CUT_OFF,
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('recognizes a photo by its bytes', async () => {
		const edit = { ...parameters, operation: 'edit', prompt: 'Blur it' };
		const photos = async () => [await fixture.photo('a.jpg'), await fixture.photo('b.jpg')];
		await stopped(await photos(), edit);
		await fixture.run(edit, { items: await photos() });

		expect(fixture.charged()).toBe(2);
	});

	it('is mentioned by the next run if that run requests something else', async () => {
		await stopped(itemsOf('One', 'Two'));
		const link = fixture.sandbox.ledger.at(-1)?.outputUrl ?? '';
		const next = await fixture.run(parameters, { items: itemsOf('Three') });
		const later = await fixture.run(parameters, { items: itemsOf('Three') });

		expect(hintsOf(next)).toEqual([
			'1 image was bought.',
			`A stopped run bought an image that this run did not ask for: ${link}.`,
			CUT_OFF,
		]);
		expect(hintsOf(later)).toEqual(['1 image was bought.']);
	});

	it('has counted its purchases before n8n saves the execution', async () => {
		const { run } = await stopped(itemsOf('One', 'Two'));

		expect(run.status).toBe('canceled');
		expect(run.data.resultData.metadata).toEqual({ imagesPaid: '1' });
	});

	it('keeps its purchases until a run can start', async () => {
		await stopped(itemsOf('One', 'Two'));
		const broken = { ...parameters, prompt: '={{ "" }}' };
		expect((await fixture.run(broken, { items: itemsOf('One') })).error).toBeDefined();
		const next = await fixture.run(parameters, { items: itemsOf('One') });

		expect(next.rows[0]?.json.id).toBe(fixture.sandbox.ledger.at(-1)?.jobId);
		expect(fixture.charged()).toBe(1);
	});

	it('keeps its purchases when another run of the node is stopped after it', async () => {
		for (const when of ['Wait', 'Hang']) fixture.sandbox.arm({ fault: 'hang', when, times: 2 });
		const start = (...titles: string[]) => fixture.start(parameters, { items: itemsOf(...titles) });
		const runs = [start('One', 'Wait'), start('Two', 'Hang')];
		await until(() => fixture.downloads().length === 2 && fixture.struck() === 2);
		for (const { stop, result } of runs) {
			stop();
			await result;
		}
		fixture.sandbox.disarm();
		const next = await fixture.run(parameters, { items: itemsOf('One', 'Two') });

		expect(hintsOf(next)).toEqual([
			'2 images were kept from a stopped run.',
			expect.stringMatching(
				/^2 requests that were cut off may have been charged: Item 2, &quot;(Wait|Hang)&quot;/,
			),
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('loses no link when two runs with the same request are stopped', async () => {
		fixture.sandbox.arm({ fault: 'download-stall', times: 2 });
		const runs = [1, 2].map(() => fixture.start(parameters, { items: itemsOf('One') }));
		await until(() => fixture.downloads().length === 2);
		for (const { stop, result } of runs) {
			stop();
			await result;
		}
		fixture.sandbox.disarm();
		const next = await fixture.run(parameters, { items: itemsOf('One') });

		const delivered = next.rows[0]?.json.output_url;
		const [other] = fixture.sandbox.ledger
			.slice(-2)
			.map(({ outputUrl }) => outputUrl)
			.filter((url) => url !== delivered);
		expect(hintsOf(next)).toEqual([
			'1 image was kept from a stopped run.',
			`A stopped run bought an image that this run did not ask for: ${other}.`,
		]);
	});
});

describe('Stop in the second round of a loop', () => {
	it('leaves what that round finished to the next execution, whose first round asks for something else', async () => {
		fixture.sandbox.arm({ fault: 'hang', when: 'Three' });
		const rounds = { items: itemsOf('One'), rounds: [itemsOf('Two', 'Three')] };
		const { result, stop } = fixture.start(parameters, rounds);
		await until(() => fixture.downloads().length === 2 && fixture.struck() === 1);
		stop();
		await result;
		fixture.sandbox.disarm();
		const bought = fixture.sandbox.ledger.at(-1)?.jobId;
		const next = await fixture.run(parameters, rounds);

		expect(next.rows.map(({ json }) => json.id)).toEqual([
			bought,
			fixture.sandbox.ledger.at(-1)?.jobId,
		]);
		expect(fixture.sandbox.ledger.slice(-4).map(({ fields }) => fields.text)).toEqual([
			'One',
			'Two',
			'One',
			'Three',
		]);
	});
});

describe('Stop while n8n waits between two tries of Retry On Fail', () => {
	it('leaves the images to a run that starts before the next try, and tells nothing after it', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1000 };
		const { result, stop } = fixture.start(parameters, { items: itemsOf('One', 'Two'), node });
		await until(() => fixture.calls().length === 2);
		stop();
		const next = await fixture.run(parameters, { items: itemsOf('One', 'Two') });
		await result;
		const later = await fixture.run(parameters, { items: itemsOf('Three') });

		expect(hintsOf(next)?.[0]).toBe('1 image was bought, 1 image was kept from a stopped run.');
		expect(hintsOf(later)).toEqual(['1 image was bought.']);
		expect(fixture.charged()).toBe(3);
	});
});

describe('Max Images after a production run that was stopped', () => {
	const capped = (maxImages: number) => ({
		...parameters,
		options: { concurrency: 1, maxImages },
	});

	it('does not count the images that this run takes over', async () => {
		await stopped(itemsOf('One', 'Two'), capped(2));
		const next = await fixture.run(capped(1), { items: itemsOf('One', 'Two') });

		expect(next.error).toBeUndefined();
		expect(hintsOf(next)).toEqual([
			'1 image was bought, 1 image was kept from a stopped run.',
			CUT_OFF,
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('refuses what goes beyond it all the same, and leaves the images for the next run', async () => {
		await stopped(itemsOf('One', 'Two'), capped(2));
		const tooMany = await fixture.run(capped(1), { items: itemsOf('One', 'Two', 'Three') });
		expect(tooMany.error?.message).toBe("'Max Images' is 1, but 2 more images are needed");
		expect(fixture.charged()).toBe(1);

		const next = await fixture.run(capped(1), { items: itemsOf('One', 'Two') });
		expect(next.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});
});
