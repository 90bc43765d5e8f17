import type { EngineRun } from '../support/engine';
import { useFixture } from '../support/fixture';
import { N8nTables } from '../support/n8nTables';
import { forgetPurchases } from '../support/remembered';
import { CONTINUE, fox, generate, hintsOf, idsOf, itemsOf, TWO_ATTEMPTS } from '../support/runs';
import { until } from '../support/until';

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
const rows = () => tables.table(LOG).rows;
const statesOf = () => rows().map(({ state }) => state);
describe('the log', () => {
	it('has a row before a request goes out, and says what people want to know when the run has ended', async () => {
		fixture.sandbox.arm({ fault: 'delay', delayMs: 300, when: 'One' });
		const { result } = fixture.start(parameters, { items: two, tables });
		await until(() => fixture.calls().length === 1);
		expect(statesOf()).toStrictEqual(['sent']);
		const { rows: items } = await result;

		expect(rows()).toMatchObject(
			['One', 'Two'].map((title, index) => ({
				image: `Item ${index + 1}, "${title}"`,
				link: items[index]?.json.output_url,
				state: 'delivered',
				operation: 'generate',
				quality: 'standard',
				size: '128x128',
				workflow: 'Test',
				told: null,
				taken: null,
			})),
		);
		expect(JSON.stringify(rows())).not.toContain('test-key');
	});

	it('says of a request that may have been charged that it was sent, and that people were told', async () => {
		fixture.sandbox.arm({ fault: 'close-after' });
		await run({ items: itemsOf('One') });
		expect(rows()).toMatchObject([{ state: 'sent', told: 'yes', link: null }]);

		const next = await run({ items: itemsOf('Three') });
		expect(hintsOf(next)).toStrictEqual(['1 image was bought.']);
	});

	it('says once that it is new and where it is, because a workflow in another project gets an empty one', async () => {
		const isNew = expect.stringMatching(
			/&quot;Images&quot; is new: .*&quot;Shop&quot;.*Data tables/,
		) as unknown;

		expect(hintsOf(await run({ items: itemsOf('One') }))).toContainEqual(isNew);
		expect(hintsOf(await run({ items: itemsOf('Two') }))).not.toContainEqual(isNew);
	});

	it('has no row of a request that was not charged', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 402 });
		await run({ node: CONTINUE });

		expect(rows()).toMatchObject([{ image: 'Item 2, "Two"', state: 'delivered' }]);
	});

	it('that does not take what became of an image stops nothing: the image is delivered, a hint says so, and the next run writes it', async () => {
		// Its row is the second insert, because the first one makes the table's.
		tables.fail('none', 'none', 'none', 'none', ...Array<'before'>(9).fill('before'));
		const result = await run({ items: itemsOf('One') });
		expect(idsOf(result)).toStrictEqual(jobIds());
		expect(hintsOf(result)?.at(-1)).toContain('The purchase log does not show everything');
		expect(statesOf()).toStrictEqual(['sent']);
	});
});

it.each([
	['over a restart', forgetPurchases],
	['in the same process', () => {}],
])(
	'%s, Always has what is in the log, whichever node and key bought it',
	async (_when, between) => {
		await run();
		between();
		const again = generate({ reuse: 'always', purchaseLog: LOG });
		const credential = { ...fixture.credential, apiKey: 'another-key' };
		const credentials = { imageGenerationApi: { id: '2', name: 'Sandbox' } };
		const next = await run({ node: { id: 'a copy', credentials }, credential }, again);

		expect(idsOf(next)).toStrictEqual(jobIds());
		expect(fixture.charged()).toBe(2);
	},
);

it('a row that somebody deletes does not count any more, and one whose run somebody clears stays this node’s', async () => {
	await run({ later: async () => await Promise.reject(new Error('Away')) });
	const [one, other] = rows();
	tables.table(LOG).deleteRow(one?.id ?? 0);
	tables.table(LOG).edit(other?.id ?? 0, { run: '' });
	const next = await run();

	expect(idsOf(next)[1]).toBe(jobIds()[1]);
	expect(fixture.charged()).toBe(3);
});

it('images whose rows no change matches, although they read the same each time, are bought by the run itself, which ends', async () => {
	let onCall: (operation: string) => void = () => {};
	tables = new N8nTables({
		outageOf: ({ operation }) => {
			onCall(operation);
			return undefined;
		},
	});
	await run({ later: async () => await Promise.reject(new Error('Away')) });
	forgetPurchases();
	const table = tables.table(LOG);
	const left = rows().map(({ id, run: asRead }) => ({ id, asRead }));
	let takes = 0;
	onCall = (operation) => {
		if (operation !== 'update' && operation !== 'get') return;
		if (operation === 'update') takes++;
		for (const { id, asRead } of left) {
			table.edit(id, { run: operation === 'update' ? 'unlike' : asRead });
		}
	};
	const next = await run();

	expect(next.error).toBeUndefined();
	expect(idsOf(next)).toStrictEqual(jobIds().slice(2));
	expect(hintsOf(next)).toStrictEqual(['2 images were bought.']);
	expect(fixture.charged()).toBe(4);
	expect(takes).toBeLessThan(5);
});

it('the attempts of Retry On Fail buy nothing twice, and write one row for each image', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
	await run({ node: { ...TWO_ATTEMPTS, onError: 'stopWorkflow' } });

	expect(fixture.charged()).toBe(2);
	expect(statesOf()).toStrictEqual(['delivered', 'delivered']);
});

it('a log costs an agent’s tool and a single image no more than a handful of calls', async () => {
	await fixture.run(fox({ purchaseLog: LOG }), { tables });

	expect(tables.operations.length).toBeLessThanOrEqual(14);
});
