import { useFixture } from '../../support/fixture';
import { N8nTables } from '../../support/n8nTables';
import { forgetPurchases, letPass } from '../../support/remembered';
import { AS_TOOL, CONTINUE, generate, IN_ORDER, itemsOf } from '../../support/runs';
import { until } from '../../support/until';

const fixture = useFixture({ allowance: 10_000 });
const capped = (maxImagesPerDay: number, more: object = {}) =>
	generate({ maxImagesPerDay, ...IN_ORDER, ...more });
const three = itemsOf('One', 'Two', 'Three');
const one = itemsOf('Four');

it('Max Images per Day counts what the node bought in all its executions, and with On Error = Stop buys nothing beyond it', async () => {
	await fixture.run(capped(4), { items: three });
	const { error } = await fixture.run(capped(4), { items: itemsOf('Four', 'Five') });

	expect(error?.message).toBe(
		"'Max Images per Day' is 4 and this node has bought 3 in the last 24 hours, but 2 more images are needed",
	);
	expect(error?.description).toMatch(/^Nothing was sent\. .* in about 2[34] hours/);
	expect(fixture.charged()).toBe(3);

	expect((await fixture.run(capped(4), { items: one })).error).toBeUndefined();
	const other = await fixture.run(capped(4), { items: one, node: { id: 'other' } });
	expect(other.error).toBeUndefined();
	expect(fixture.charged()).toBe(5);
});

it('Max Images per Day with On Error = Continue buys the first images, and says so of the others', async () => {
	const { rows } = await fixture.run(capped(2), { items: three, node: CONTINUE });

	expect(rows.map(({ json }) => json.error)).toStrictEqual([
		undefined,
		undefined,
		"'Max Images per Day' is 2, but 3 images are needed",
	]);
	expect(fixture.charged()).toBe(2);
});

it('Max Images per Day counts whole what another run is about to buy, and refuses at once instead of waiting', async () => {
	fixture.sandbox.arm({ fault: 'delay-after', delayMs: 3000, when: 'One' });
	const first = fixture.start(capped(4), { items: three });
	await until(() => fixture.calls().length === 1);
	const { error } = await fixture.run(capped(4), { items: itemsOf('Four', 'Five') });

	expect(error?.message).toBe(
		"'Max Images per Day' is 4 and this node has bought 1 in the last 24 hours and is about to buy 2, but 2 more images are needed",
	);
	expect(fixture.calls().map(({ fields }) => fields.text)).toStrictEqual(['One']);
	expect((await first.result).error).toBeUndefined();
	expect(fixture.charged()).toBe(3);
});

it('Max Images per Day counts no image that is more than a day old', async () => {
	await fixture.run(capped(3), { items: three });
	letPass(24.5);
	const { error } = await fixture.run(capped(3), { items: three });

	expect(error).toBeUndefined();
	expect(fixture.charged()).toBe(6);
});

it('Max Images per Day counts over a restart what the Purchase Log lists', async () => {
	const tables = new N8nTables();
	const logged = capped(4, { purchaseLog: 'Images' });
	await fixture.run(logged, { items: three, tables });
	forgetPurchases();
	const { error } = await fixture.run(logged, { items: itemsOf('Four', 'Five'), tables });

	expect(error?.message).toContain('this node has bought 3 in the last 24 hours');
	expect(fixture.charged()).toBe(3);
});

it('Max Images per Day tells an agent in words that a model can act on', async () => {
	await fixture.run(capped(1), { items: one, node: AS_TOOL });
	const { rows } = await fixture.run(capped(1), { items: one, node: AS_TOOL });

	expect(rows[0]?.json.error).toContain("'Max Images per Day' is 1");
	expect(JSON.stringify(rows[0]?.json)).toContain('Answer with those you have.');
	expect(fixture.charged()).toBe(1);
});

it('Max Images per Day counts neither what is used again nor what turns out to be free', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
	await fixture.run(capped(3), { items: itemsOf('One', 'Two') });
	const next = await fixture.run(capped(3), { items: three });

	expect(next.error).toBeUndefined();
	expect(fixture.charged()).toBe(3);
});

it('Max Images per Day counts no request that was never sent, because the Purchase Log did not take its row', async () => {
	const tables = new N8nTables({
		outageOf: ({ operation }) => (operation === 'insert' ? 'before' : undefined),
	});
	const logged = capped(1, { purchaseLog: 'Images' });
	await fixture.run(logged, { items: one, tables });
	const next = await fixture.run(capped(1), { items: one });

	expect(next.error).toBeUndefined();
	expect(fixture.charged()).toBe(1);
});
