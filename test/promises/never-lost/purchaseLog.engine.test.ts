import type { EngineRun } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import { N8nTables, type Outage, type TableCall } from '../../support/n8nTables';
import { forgetPurchases, processNow } from '../../support/remembered';
import { generate, hintsOf, idsOf, IN_ORDER, itemsOf } from '../../support/runs';
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

const TOO_OLD = /'Purchase Log' needs n8n 2\.10 or newer/;
const UNUSABLE = /The purchase log "Images" can't be used/;
const away = (outageOf: (call: TableCall) => Outage | undefined) => new N8nTables({ outageOf });
const onInsert =
	(outage: Outage) =>
	({ operation }: TableCall) =>
		operation === 'insert' ? outage : undefined;
const full = () => Object.assign(new N8nTables(), { isFull: true });

function foreign() {
	const other = new N8nTables();
	other.make(LOG, { name: 'string' });
	return other;
}

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

	it.each<[what: string, make: () => N8nTables, message: RegExp, advice: RegExp]>([
		[
			'n8n 2.9.1 has no tables for it',
			() => new N8nTables({ version: '2.9.1' }),
			TOO_OLD,
			/Update/,
		],
		['n8n 1 has none', () => new N8nTables({ version: '1.123.81' }), TOO_OLD, /Update/],
		['all tables are full', () => full(), /tables are full.* no more rows/, /MAX_SIZE_BYTES/],
		['it has other columns', () => foreign(), UNUSABLE, /these columns: image, link, operation/],
		['the database is away', () => away(() => 'before'), UNUSABLE, /Try again/],
		['it takes no rows', () => away(onInsert('before')), UNUSABLE, /Try again/],
		['nobody hears that it took a row', () => away(onInsert('after')), UNUSABLE, /Try again/],
	])(
		'stops a run before anything is sent, in words, if %s',
		async (_what, make, message, advice) => {
			tables = make();
			const { error } = await run();

			expect(error?.message).toMatch(message);
			expect(error?.description).toMatch(advice);
			expect(fixture.calls()).toStrictEqual([]);
			await until(() => (tables.find(LOG)?.rows ?? []).length === 0);
		},
	);

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

	it('says once that it is new and where it is, because a workflow in another project gets an empty one', async () => {
		const isNew = expect.stringMatching(/&quot;Images&quot; is new\. .*Data tables, /) as unknown;

		expect(hintsOf(await run({ items: itemsOf('One') }))).toContainEqual(isNew);
		expect(hintsOf(await run({ items: itemsOf('Two') }))).not.toContainEqual(isNew);
	});

	it.each([
		['a single image no more than a handful of calls', 1, 14],
		['120 images fewer than two for each', 120, 239],
	])('costs %s, because those that meet go together', async (_what, count, most) => {
		const items = itemsOf(...Array.from({ length: count }, (_, index) => `Image ${index}`));
		const many = { ...generate({ purchaseLog: LOG, concurrency: 100 }), download: false };
		await run({ items }, many);

		expect(linksOf().sort()).toStrictEqual(bought().sort());
		expect(tables.operations.length).toBeLessThanOrEqual(most);
	});

	it('is made once, also by two processes at once, and known by its name and its id', async () => {
		const at = generate({ purchaseLog: LOG });
		const first = run({ process: processNow() }, at);
		forgetPurchases();
		await Promise.all([first, run({ process: processNow() }, at)]);
		const { id } = tables.table(LOG);
		await run({}, generate({ purchaseLog: id }));

		expect(tables.find(id)).toBeUndefined();
		expect(linksOf().sort()).toStrictEqual(bought().sort());
		expect(linksOf()).toHaveLength(6);
	});

	it('is not made by a Dry Run, which reads it if it is there', async () => {
		const dry = generate({ purchaseLog: LOG, dryRun: true, reuse: 'always' });
		expect((await run({}, dry)).rows[0]?.json.alreadyBought).toBe(false);
		expect(tables.find(LOG)).toBeUndefined();
		await run();
		forgetPurchases();

		expect((await run({}, dry)).rows[0]?.json.alreadyBought).toBe(true);
	});

	it('is read again while others add rows, but not for ever', async () => {
		let left = 10;
		const says = 'synchronization error: result count changed during pagination';
		tables = away(({ operation }) => (operation === 'get' && left-- > 0 ? { says } : undefined));
		expect((await run()).error).toBeUndefined();
		left = Infinity;

		expect((await run()).error?.message).toContain(says);
		expect(fixture.charged()).toBe(2);
	});

	it('shows an image beside hundreds of rows of another request', async () => {
		const always = generate({ purchaseLog: LOG, reuse: 'always', ...IN_ORDER });
		await run({}, always);
		tables.table(LOG).multiply(Number(rows()[1]?.id), 300);
		forgetPurchases();
		await run({}, always);

		expect(fixture.charged()).toBe(2);
	});

	it('holds texts that look like code, or that PostgreSQL can’t store, and n8n evaluates none', async () => {
		const code = '={{ $execution.customData.set("hacked", "1") }}';
		const { error } = await run({ items: itemsOf(code, 'A\0 fox') });

		expect(error).toBeUndefined();
		expect(rows()).toHaveLength(2);
		expect(JSON.stringify(tables.calls.map(({ parameters }) => parameters))).not.toMatch(/hacked/);
	});
});

describe('a log that people have changed', () => {
	/** Sixteen images of a run whose next node fails: one for each column. */
	const sixteen = itemsOf(...Array.from({ length: 16 }, (_, index) => `Image ${index}`));
	const logged = generate({ purchaseLog: LOG });
	const failed = async () => {
		const later = async () => await Promise.reject(new Error('The sheet is away'));
		await run({ items: sixteen, later }, logged);
		forgetPurchases();
		return tables.table(LOG);
	};

	it.each([
		['cleared', null, ['request', 'node']],
		['typed over', 'nonsense', ['request', 'node', 'holder']],
		['typed code over', '={{ $json }}', ['request', 'node', 'holder']],
		['typed a fraction over', '0.5', ['request', 'node', 'holder']],
	])('stops no run if they have %s its cells, and shows what it can', async (_what, cell, lost) => {
		const table = await failed();
		for (const [index, { name }] of table.columns.entries()) {
			// n8n takes nothing else for a time.
			table.edit(Number(table.rows[index]?.id), { [name]: name === 'time' ? null : cell });
		}
		const next = await run({ items: sixteen }, logged);

		expect(next.error).toBeUndefined();
		expect(next.rows).toHaveLength(16);
		expect(fixture.charged()).toBe(16 + lost.length);
	});

	it('is read and written after an export and import, which makes numbers of texts', async () => {
		const exported = await failed();
		const cells = exported.rows.map((row) => exported.cellsOf(row));
		tables.delete(LOG);
		const columns = exported.columns.map(({ name, type }) => {
			const isNumeric = ['execution', 'holder', 'round'].includes(name);
			return [name, isNumeric ? 'number' : type] as const;
		});
		const imported = tables.make(LOG, Object.fromEntries(columns));
		imported.add(imported.prepare(cells));
		await run({ items: sixteen }, logged);
		expect(fixture.charged()).toBe(16);
		const third = await run({ items: sixteen }, logged);

		expect(third.error).toBeUndefined();
		expect(linksOf().sort()).toStrictEqual(bought().sort());
	});
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
