import type { EngineRun } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import { N8nTables } from '../../support/n8nTables';
import { forgetPurchases } from '../../support/remembered';
import { fox, generate, hintsOf, idsOf, itemsOf } from '../../support/runs';
import { until } from '../../support/until';

const LOG = 'Images';
const fixture = useFixture({ allowance: 10_000, apiKey: ['test-key', 'another-key'] });
const parameters = generate({ concurrency: 1, purchaseLog: LOG });
const two = itemsOf('One', 'Two');
const jobIds = () => fixture.charges().map(({ jobId }) => jobId);

let tables: N8nTables;
beforeEach(() => {
	tables = new N8nTables();
});

const run = async (what: Partial<EngineRun> = {}, given = parameters) =>
	await fixture.run(given, { items: two, tables, ...what });
const rows = (name = LOG) => tables.table(name).rows;
const linksOf = (name = LOG) => rows(name).map(({ link }) => link);
const bought = () => fixture.charges().map(({ outputUrl }) => outputUrl);

describe('the log', () => {
	it('has a row before a request goes out, and says what people want to know when the run has ended', async () => {
		fixture.sandbox.arm({ fault: 'delay', delayMs: 300, when: 'One' });
		const { result } = fixture.start(parameters, { items: two, tables });
		await until(() => fixture.calls().length === 1);
		expect(rows()).toMatchObject([{ image: 'Item 1, "One"', link: null }]);
		await result;

		expect(rows()).toMatchObject(
			['One', 'Two'].map((title, index) => ({
				image: `Item ${index + 1}, "${title}"`,
				link: bought()[index],
				operation: 'generate',
				quality: 'standard',
				size: '128x128',
				workflow: 'Test',
				holder: expect.any(String) as string,
				manual: null,
			})),
		);
		expect(JSON.stringify(rows())).not.toContain('test-key');
	});

	it('that can’t have the row of a request stops that before it is sent', async () => {
		tables = new N8nTables({
			outageOf: ({ operation }) => (operation === 'insert' ? 'before' : undefined),
		});
		const { error } = await run();

		expect(error?.message).toContain('The purchase log "Images" can\'t be used');
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('that is full stops buying, in words', async () => {
		await run({ items: itemsOf('Three') });
		tables.isFull = true;
		const { error } = await run();

		expect(error?.message).toContain(
			'n8n\'s data tables are full, so the purchase log "Images" takes no more rows',
		);
		expect(fixture.charged()).toBe(1);
	});

	it('that does not take what became of an image stops nothing: the image is delivered, a hint says so, and the next run writes it', async () => {
		let isAway = true;
		tables = new N8nTables({
			outageOf: ({ operation }) =>
				isAway && operation === 'insert' && fixture.charged() > 0 ? 'before' : undefined,
		});
		const result = await run({ items: itemsOf('One') });
		expect(idsOf(result)).toStrictEqual(jobIds());
		expect(hintsOf(result)?.at(-1)).toContain('The purchase log does not show everything');
		expect(linksOf()).toStrictEqual([null]);

		isAway = false;
		await run({ items: itemsOf('Two') });
		expect(linksOf().sort()).toStrictEqual(bought().sort());
	});

	it('keeps the row of a request that may have been charged, without a link', async () => {
		fixture.sandbox.arm({ fault: 'close-after' });
		await run({ items: itemsOf('One') });
		expect(linksOf()).toStrictEqual([null]);

		forgetPurchases();
		const next = await run({ items: itemsOf('One') });
		expect(hintsOf(next)).toContainEqual(
			expect.stringContaining(
				'An earlier request for the same may have been charged: Item 1, &quot;One&quot;.',
			),
		);
	});

	it('says once that it is new and where it is, because a workflow in another project gets an empty one', async () => {
		const isNew = expect.stringMatching(/&quot;Images&quot; is new\. .*Data tables, /) as unknown;

		expect(hintsOf(await run({ items: itemsOf('One') }))).toContainEqual(isNew);
		expect(hintsOf(await run({ items: itemsOf('Two') }))).not.toContainEqual(isNew);
	});

	it('costs an agent’s tool and a single image no more than a handful of calls', async () => {
		await fixture.run(fox({ purchaseLog: LOG }), { tables });

		expect(tables.operations.length).toBeLessThanOrEqual(14);
	});
});

it('a log that somebody deletes while a run buys stops it, and a new one has everything after the next run', async () => {
	const items = itemsOf('1', '2', '3', '4', '5', '6', '7', '8');
	const logged = generate({ purchaseLog: LOG });
	fixture.sandbox.arm({ fault: 'delay-after', delayMs: 300, times: 5 });
	const first = fixture.start(logged, { items, tables });
	await until(() => fixture.charged() === 5);
	tables.delete(LOG);
	await first.result;
	const { error } = await run({ items }, logged);

	expect(error).toBeUndefined();
	expect(fixture.charged()).toBe(8);
	expect(linksOf().sort()).toStrictEqual(bought().sort());
});

it('a run that waits for forty images of another one with Always does not read the log once for each', async () => {
	tables = new N8nTables({ latency: () => 20 });
	const items = itemsOf(...Array.from({ length: 40 }, (_, index) => `Image ${index}`));
	const always = generate({ purchaseLog: LOG, reuse: 'always', concurrency: 2 });
	fixture.sandbox.arm({ fault: 'delay-after', delayMs: 100, times: 40 });
	const first = fixture.start(always, { items, tables });
	await until(() => fixture.calls().length > 0);
	const before = new Set(tables.calls.map(({ executionId }) => executionId));
	const second = await run({ items }, always);
	await first.result;

	expect(fixture.charged()).toBe(40);
	expect(second.rows).toHaveLength(40);
	const reads = tables.calls.filter(
		({ executionId, operation }) => !before.has(executionId) && operation === 'get',
	);
	expect(reads.length).toBeLessThan(items.length);
});
