import type { EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import { generate, hintsOf, idsOf, IN_ORDER, itemsOf, storedIn } from '../support/runs';

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

		expect(fixture.calls().map(({ fields }) => fields.text)).toStrictEqual([
			'One',
			'Two',
			'Three',
			'Four',
			'Four',
			'Five',
		]);
		expect(fixture.charged()).toBe(5);
		expect(idsOf(again).slice(0, 3)).toStrictEqual(bought);
		expect(again.rows.map(({ pairedItem }) => pairedItem)).toStrictEqual(
			items.map((_, item) => ({ item })),
		);
		expect(again.rows.every(({ binary }) => binary?.data !== undefined)).toBe(true);
		expect(hintsOf(again)).toStrictEqual([
			'2 images were bought, 3 images were kept from an earlier attempt.',
		]);
		expect(storedIn(again)).not.toMatch(/finishedJobs|output_url/);
	});

	it('lists what was bought if an item has become invalid, before it sends anything', async () => {
		const failed = await failedAt();
		const timeout = '={{ $json.title === "Five" ? 0 : 60 }}';
		const { error } = await fixture.retry(failed, generate({ ...IN_ORDER, timeout }), { items });

		expect(error?.message).toMatch(/^Item 5: .* \(3 finished images, listed below\)$/);
		for (const link of fixture.links()) expect(error?.description).toContain(link);
		expect(fixture.charged()).toBe(3);
	});

	it('tells the links of copies that are no longer wanted', async () => {
		const copies = (numberOfImages: number) => generate({ ...IN_ORDER, numberOfImages });
		const two = items.slice(0, 2);
		const failed = await failedAt('Two', copies(3), two);
		const [, second, third] = fixture.charges().map(({ outputUrl }) => outputUrl);
		const again = await fixture.retry(failed, copies(1), { items: two });

		expect(hintsOf(again)).toStrictEqual([
			'1 image was bought, 1 image was kept from an earlier attempt.',
			`An earlier attempt bought 2 images that this one did not ask for: ${second} and ${third}.`,
		]);
		expect(fixture.charged()).toBe(4);
		expect(storedIn(again)).not.toMatch(/finishedJobs|output_url/);
	});
});

it('a remembered job takes less than 250 bytes of the execution’s data', async () => {
	// The sandbox's links have about 110 characters.
	expect(storedIn(await failedAt()).length / 3).toBeLessThan(250);
});
