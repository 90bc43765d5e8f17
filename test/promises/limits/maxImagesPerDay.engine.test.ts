import { useFixture } from '../../support/fixture';
import { N8nTables } from '../../support/n8nTables';
import { forgetPurchases } from '../../support/remembered';
import { AS_TOOL, generate, IN_ORDER, itemsOf } from '../../support/runs';

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

it('Max Images per Day counts over a restart what the Purchase Log lists', async () => {
	const tables = new N8nTables();
	const logged = capped(94, { purchaseLog: 'Images' });
	await fixture.run(logged, { items: three, tables });
	const log = tables.table('Images');
	log.multiply(Number(log.rows[0]?.id), 90);
	forgetPurchases();
	const { error } = await fixture.run(logged, { items: itemsOf('Four', 'Five'), tables });

	expect(error?.message).toContain('this node has bought 93 in the last 24 hours');
	expect(fixture.charged()).toBe(3);
});

it('Max Images per Day tells an agent in words that a model can act on', async () => {
	await fixture.run(capped(1), { items: one, node: AS_TOOL });
	const { rows } = await fixture.run(capped(1), { items: one, node: AS_TOOL });

	expect(rows[0]?.json.error).toContain("'Max Images per Day' is 1");
	expect(JSON.stringify(rows[0]?.json)).toContain('Answer with those you have.');
	expect(fixture.charged()).toBe(1);
});
