import type { FaultName } from '../../sandbox';
import { useFixture } from '../support/fixture';
import { processNow } from '../support/remembered';
import { AS_TOOL, CONTINUE, generate, IN_ORDER, itemsOf } from '../support/runs';
import { until } from '../support/until';

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

describe('Max Images per Day that the request of a stopped run takes up', () => {
	/** Stops a run whose request is answered a second later. */
	async function stopSlowly(fault: FaultName, more: object = {}) {
		fixture.sandbox.arm({ fault, delayMs: 1000, times: 1, ...more });
		const first = fixture.start(capped(1), { items: itemsOf('Slow') });
		await until(() => fixture.struck() === 1);
		first.stop();
		await first.result;
		expect(processNow().awaited.size).toBe(1);
	}

	it('is left to the next run, which waits, if the request turns out to be free', async () => {
		await stopSlowly('status', { status: 402 });
		const { error } = await fixture.run(capped(1), { items: one });

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it('is told at once by a Dry Run', async () => {
		await stopSlowly('delay-after');
		const dry = await fixture.run(capped(1, { dryRun: true }), { items: one });

		expect(processNow().awaited.size).toBe(1);
		expect(dry.error?.message).toContain("'Max Images per Day' is 1");
	});

	it('ends the next run’s wait for it by Stop', async () => {
		await stopSlowly('delay-after');
		const next = fixture.start(capped(1), { items: one });
		await new Promise((resolve) => setTimeout(resolve, 200));
		next.stop();

		expect((await next.result).run.status).toBe('canceled');
		expect(processNow().awaited.size).toBe(1);
	});
});
