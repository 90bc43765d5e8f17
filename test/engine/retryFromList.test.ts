import type { INodeExecutionData } from 'n8n-workflow';

import type { EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import { text } from '../support/text';

const fixture = useFixture({ allowance: 10_000 });
const parameters = {
	operation: 'generate',
	prompt: '={{ $json.title }}',
	size: '128x128',
	options: { concurrency: 1, maxRetries: 0 },
};
const items: INodeExecutionData[] = ['One', 'Two', 'Three', 'Four', 'Five'].map((title) => ({
	json: { title },
}));
const sent = () => fixture.calls().map(({ fields }) => fields.text);
const idsOf = ({ rows }: EngineResult) => rows.map(({ json }) => json.id);

/** What n8n stores for the node besides its output. */
function storedIn({ run }: EngineResult): string {
	return JSON.stringify(run.data.executionData?.contextData['node:Image Generation'] ?? {});
}

/** An execution that bought three images and was rejected at item Four. */
async function failedAtFour(given = parameters): Promise<EngineResult> {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Four' });
	const failed = await fixture.run(given, { items });
	expect(failed.error?.httpCode).toBe('400');
	return failed;
}

describe('Retry in the list of executions', () => {
	it('takes over what was bought and buys only the rest', async () => {
		const failed = await failedAtFour();
		const bought = fixture.sandbox.ledger.slice(-3).map(({ jobId }) => jobId);
		const again = await fixture.retry(failed, parameters, { items });

		expect(sent()).toEqual(['One', 'Two', 'Three', 'Four', 'Four', 'Five']);
		expect(fixture.charged()).toBe(5);
		expect(idsOf(again).slice(0, 3)).toEqual(bought);
		expect(again.rows.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
		expect(again.rows.every(({ binary }) => binary?.data !== undefined)).toBe(true);
	});

	it('buys nothing twice even if the expression returns another prompt each time', async () => {
		const chance = { ...parameters, prompt: '={{ $json.title }} {{ Math.random() }}' };
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Four' });
		const failed = await fixture.run(chance, { items });
		await fixture.retry(failed, chance, { items });

		expect(fixture.charged()).toBe(5);
	});

	it('buys an edited prompt again, but nothing after a change of the timeout', async () => {
		const failed = await failedAtFour();
		const slower = { ...parameters, options: { ...parameters.options, timeout: 60 } };
		const unchanged = await fixture.retry(failed, slower, { items });
		expect(unchanged.error).toBeUndefined();
		expect(fixture.charged()).toBe(5);

		const edited = { ...parameters, prompt: '={{ $json.title }} at night' };
		await fixture.retry(failed, edited, { items });
		expect(fixture.charged()).toBe(10);
	});

	it('adds a copy without buying the others again', async () => {
		const three = { ...parameters, options: { ...parameters.options, numberOfImages: 3 } };
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const failed = await fixture.run(
			{ ...parameters, options: { ...parameters.options, numberOfImages: 2 } },
			{ items: items.slice(0, 2) },
		);
		expect(fixture.charged()).toBe(2);
		await fixture.retry(failed, three, { items: items.slice(0, 2) });

		expect(fixture.charged()).toBe(6);
	});

	it('tells the links of copies that are no longer wanted', async () => {
		const copies = (numberOfImages: number) => ({
			...parameters,
			options: { ...parameters.options, numberOfImages },
		});
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const failed = await fixture.run(copies(3), { items: items.slice(0, 2) });
		const [, second, third] = fixture.sandbox.ledger.slice(-3).map(({ outputUrl }) => outputUrl);
		const again = await fixture.retry(failed, copies(1), { items: items.slice(0, 2) });

		const hints = again.run.data.resultData.runData['Image Generation']?.at(-1)?.hints;
		expect(hints?.map(({ message }) => message)).toEqual([
			'1 image was bought, 1 image was kept from an earlier attempt.',
			`An earlier attempt bought 2 images that this one did not ask for: ${second}, ${third}.`,
		]);
		expect(fixture.charged()).toBe(4);
		expect(storedIn(again)).toBe('{}');
	});

	it.each([
		['in another order', [3, 2], [2, 3]],
		['one of which dropped out', [1, 2, 3], [2, 3]],
	])(
		'keeps the images of addresses apart that differ only in their query, %s',
		async (_what, before, after) => {
			const { rows } = await fixture.run({ ...parameters, prompt: 'A photo' });
			const photo = text(rows[0]?.json.output_url);
			const byUrl = (ids: number[]) => ({
				operation: 'removeBackground',
				inputType: 'url',
				imageUrl: ids.map((id) => `${photo}?id=${id}`).join('\n'),
				options: { concurrency: 1, maxRetries: 0 },
			});
			fixture.sandbox.arm({ fault: 'download-404', after: before.length - 1 });
			const failed = await fixture.run(byUrl(before));
			expect(failed.error).toBeDefined();
			const again = await fixture.retry(failed, byUrl(after));

			const bought = new Map(
				fixture.sandbox.ledger.map(({ fields, jobId }) => [fields.image?.split('=').at(-1), jobId]),
			);
			expect(idsOf(again)).toEqual(after.map((id) => bought.get(String(id))));
			expect(fixture.charged()).toBe(1 + before.length);
		},
	);

	it('leaves no stored jobs once everything is delivered', async () => {
		const failed = await failedAtFour();
		expect(storedIn(failed)).toContain('output_url');
		expect(storedIn(failed)).not.toContain('test-key');
		const again = await fixture.retry(failed, parameters, { items });

		expect(storedIn(again)).toBe('{}');
	});

	it('says what was taken over', async () => {
		const failed = await failedAtFour();
		const again = await fixture.retry(failed, parameters, { items });

		const hints = again.run.data.resultData.runData['Image Generation']?.at(-1)?.hints;
		expect(hints?.map(({ message }) => message)).toEqual([
			'2 images were bought, 3 images were kept from an earlier attempt.',
		]);
	});
});

describe('damaged records of finished jobs in the execution’s data', () => {
	it.each<[string, (key: string) => unknown]>([
		['a text', () => 'jobs'],
		['a list', () => [1, 2]],
		['nothing', () => null],
		['jobs of wrong types', (key) => ({ [key]: 1, b: 'x', c: null, d: [] })],
		['an invalid link', (key) => ({ [key]: { id: 'x', output_url: 'nowhere' } })],
		[
			'a prototype',
			() => JSON.parse('{"__proto__":{"output_url":"https://example.com/a.jpg"}}') as unknown,
		],
	])('are ignored: %s', async (_name, damaged) => {
		const failed = await failedAtFour();
		const context = failed.run.data.executionData?.contextData['node:Image Generation'];
		if (context === undefined) throw new Error('The node kept nothing');
		const [key = ''] = Object.keys(Object(context.finishedJobs) as object);
		context.finishedJobs = damaged(key) as never;
		const again = await fixture.retry(failed, parameters, { items });

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(8);
		expect(idsOf(again)).toEqual(fixture.sandbox.ledger.slice(-5).map(({ jobId }) => jobId));
	});
});

it('an execution never uses the jobs of a concurrent one', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Four', times: 2 });
	const [one, two] = await Promise.all([
		fixture.run(parameters, { items }),
		fixture.run(parameters, { items }),
	]);
	expect(fixture.charged()).toBe(6);
	const again = await Promise.all([
		fixture.retry(one, parameters, { items }),
		fixture.retry(two, parameters, { items }),
	]);

	expect(fixture.charged()).toBe(10);
	expect(new Set(again.flatMap(idsOf)).size).toBe(10);
});

it('a remembered job takes less than 250 bytes of the execution’s data', async () => {
	const failed = await failedAtFour();

	// The sandbox's links have about 110 characters.
	expect(storedIn(failed).length / 3).toBeLessThan(250);
});
