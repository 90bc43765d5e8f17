import type { EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import {
	fox,
	generate,
	hintsOf,
	idsOf,
	IN_ORDER,
	itemsOf,
	removeBackground,
	storedIn,
} from '../support/runs';
import { text } from '../support/text';

const fixture = useFixture({ allowance: 10_000 });
const parameters = generate(IN_ORDER);
const items = itemsOf('One', 'Two', 'Three', 'Four', 'Five');

/** An execution that was rejected once at an item, by default after three images. */
async function failedAt(when = 'Four', given = parameters, all = items): Promise<EngineResult> {
	fixture.sandbox.arm({ fault: 'status', status: 400, when });
	const failed = await fixture.run(given, { items: all });
	expect(failed.error?.httpCode).toBe('400');
	return failed;
}

describe('Retry in the list of executions', () => {
	it('takes over what was bought, buys only the rest and says so, and leaves no stored jobs', async () => {
		const failed = await failedAt();
		const bought = fixture.charges().map(({ jobId }) => jobId);
		expect(storedIn(failed).match(/output_url/g)).toHaveLength(3);
		expect(storedIn(failed)).not.toContain('test-key');
		const again = await fixture.retry(failed, parameters, { items });

		expect(fixture.calls().map(({ fields }) => fields.text)).toEqual([
			...['One', 'Two', 'Three', 'Four', 'Four', 'Five'],
		]);
		expect(fixture.charged()).toBe(5);
		expect(idsOf(again).slice(0, 3)).toEqual(bought);
		expect(again.rows.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
		expect(again.rows.every(({ binary }) => binary?.data !== undefined)).toBe(true);
		expect(hintsOf(again)).toEqual([
			'2 images were bought, 3 images were kept from an earlier attempt.',
		]);
		expect(storedIn(again)).not.toMatch(/finishedJobs|output_url/);
	});

	it('buys nothing twice even if the expression returns another prompt each time', async () => {
		const chance = { ...parameters, prompt: '={{ $json.title }} {{ Math.random() }}' };
		await fixture.retry(await failedAt('Four', chance), chance, { items });

		expect(fixture.charged()).toBe(5);
	});

	it('buys an edited prompt again, but nothing after a change of the timeout', async () => {
		const failed = await failedAt();
		const slower = generate({ ...IN_ORDER, timeout: 60 });
		const unchanged = await fixture.retry(failed, slower, { items });
		expect(unchanged.error).toBeUndefined();
		expect(fixture.charged()).toBe(5);

		const edited = { ...parameters, prompt: '={{ $json.title }} at night' };
		await fixture.retry(failed, edited, { items });
		expect(fixture.charged()).toBe(10);
	});

	const copies = (numberOfImages: number) => generate({ ...IN_ORDER, numberOfImages });

	it('adds a copy without buying the others again', async () => {
		const two = items.slice(0, 2);
		const failed = await failedAt('Two', copies(2), two);
		expect(fixture.charged()).toBe(2);
		await fixture.retry(failed, copies(3), { items: two });

		expect(fixture.charged()).toBe(6);
	});

	it('tells the links of copies that are no longer wanted', async () => {
		const two = items.slice(0, 2);
		const failed = await failedAt('Two', copies(3), two);
		const [, second, third] = fixture.charges().map(({ outputUrl }) => outputUrl);
		const again = await fixture.retry(failed, copies(1), { items: two });

		expect(hintsOf(again)).toEqual([
			'1 image was bought, 1 image was kept from an earlier attempt.',
			`An earlier attempt bought 2 images that this one did not ask for: ${second}, ${third}.`,
		]);
		expect(fixture.charged()).toBe(4);
		expect(storedIn(again)).not.toMatch(/finishedJobs|output_url/);
	});

	it.each([
		['in another order', [3, 2], [2, 3]],
		['one of which dropped out', [1, 2, 3], [2, 3]],
	])(
		'keeps the images of addresses apart that differ only in their query, %s',
		async (_what, before, after) => {
			const photo = text((await fixture.run(fox())).rows[0]?.json.output_url);
			const byUrl = (ids: number[]) =>
				removeBackground({
					inputType: 'url',
					imageUrl: ids.map((id) => `${photo}?id=${id}`).join('\n'),
					options: IN_ORDER,
				});
			fixture.sandbox.arm({ fault: 'download-404', after: before.length - 1 });
			const failed = await fixture.run(byUrl(before));
			expect(failed.error).toBeDefined();
			const again = await fixture.retry(failed, byUrl(after));

			const bought = new Map(
				fixture.charges().map(({ fields, jobId }) => [fields.image?.split('=').at(-1), jobId]),
			);
			expect(idsOf(again)).toEqual(after.map((id) => bought.get(String(id))));
			expect(fixture.charged()).toBe(1 + before.length);
		},
	);
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
		const failed = await failedAt();
		const context = failed.run.data.executionData?.contextData['node:Image Generation'];
		if (context === undefined) throw new Error('The node kept nothing');
		const [key = ''] = Object.keys(Object(context.finishedJobs) as object);
		context.finishedJobs = damaged(key) as never;
		const again = await fixture.retry(failed, parameters, { items });

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(8);
		expect(idsOf(again)).toEqual(
			fixture
				.charges()
				.slice(-5)
				.map(({ jobId }) => jobId),
		);
	});
});

it('an execution never uses the jobs of a concurrent one', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Four', times: 2 });
	const runs = [1, 2].map(async () => await fixture.run(parameters, { items }));
	const failed = await Promise.all(runs);
	expect(fixture.charged()).toBe(6);
	const again = await Promise.all(
		failed.map(async (one) => await fixture.retry(one, parameters, { items })),
	);

	expect(fixture.charged()).toBe(10);
	expect(new Set(again.flatMap(idsOf)).size).toBe(10);
});

it('a remembered job takes less than 250 bytes of the execution’s data', async () => {
	// The sandbox's links have about 110 characters.
	expect(storedIn(await failedAt()).length / 3).toBeLessThan(250);
});
