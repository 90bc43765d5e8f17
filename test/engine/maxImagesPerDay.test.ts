import { useFixture } from '../support/fixture';
import { AS_TOOL, CONTINUE, generate, IN_ORDER, itemsOf } from '../support/runs';

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
	expect(
		(await fixture.run(capped(4), { items: one, node: { id: 'other' } })).error,
	).toBeUndefined();
	expect(fixture.charged()).toBe(5);
});

it('Max Images per Day with On Error = Continue buys the first images, and says so of the others', async () => {
	const { rows } = await fixture.run(capped(2), { items: three, node: CONTINUE });

	expect(rows.map(({ json }) => json.error)).toStrictEqual([
		undefined,
		undefined,
		expect.stringContaining("'Max Images per Day' is 2"),
	]);
	expect(fixture.charged()).toBe(2);
});

it('Max Images per Day tells an agent in words that a model can act on', async () => {
	await fixture.run(capped(1), { items: one, node: AS_TOOL });
	const { rows } = await fixture.run(capped(1), { items: one, node: AS_TOOL });

	expect(rows[0]?.json.error).toContain("'Max Images per Day' is 1");
	expect(JSON.stringify(rows[0]?.json)).toContain('Answer with those you have.');
	expect(fixture.charged()).toBe(1);
});

it('Max Images per Day counts neither what is taken nor what turns out to be free', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
	await fixture.run(capped(3), { items: itemsOf('One', 'Two') });
	const next = await fixture.run(capped(3), { items: three });

	expect(next.error).toBeUndefined();
	expect(fixture.charged()).toBe(3);
});
