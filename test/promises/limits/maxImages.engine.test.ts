import type { INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { generate, IN_ORDER, itemsOf } from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const pictures = (count: number): INodeExecutionData[] =>
	itemsOf(...Array.from({ length: count }, (_, index) => `Picture ${index + 1}`));
const capped = (maxImages: unknown, more: object = {}) =>
	generate({ maxImages, ...IN_ORDER, ...more });
const sent = () => fixture.calls().map(({ fields }) => fields.text);

describe('Max Images with On Error = Stop', () => {
	it.each([
		['items', 5, 1],
		['copies', 2, 2],
	])('buys nothing if %s would exceed it, and gives both numbers', async (_what, count, copies) => {
		const parameters = capped(3, { numberOfImages: copies });
		const { error } = await fixture.run(parameters, { items: pictures(count) });
		const needed = count * copies;

		expect(error?.message).toBe(`'Max Images' is 3, but ${needed} images are needed`);
		expect(error?.description).toMatch(/^Nothing was sent\. Raise 'Max Images'/);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('counts earlier runs of a loop', async () => {
		const { error } = await fixture.run(capped(3), { items: pictures(2), rounds: [pictures(2)] });

		expect(error?.message).toBe(
			"'Max Images' is 3 and this execution has already bought 2, but 2 more images are needed",
		);
		expect(fixture.charged()).toBe(2);
	});
});

it('Max Images counts in Retry what the failed attempt bought', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 3' });
	const items = pictures(4);
	const failed = await fixture.run(generate(IN_ORDER), { items });
	const { error } = await fixture.retry(failed, capped(3), { items });
	expect(error?.message).toContain('has already bought 2, but 2 more images are needed');
	const again = await fixture.retry(failed, capped(4), { items });

	expect(again.error).toBeUndefined();
	expect(fixture.charged()).toBe(4);
});

describe('Max Images with images that are there already, but can’t be had after all,', () => {
	it('buys nothing with On Error = Stop if their links are gone', async () => {
		const always = { reuse: 'always' };
		await fixture.run(generate(always), { items: pictures(2) });
		fixture.sandbox.arm({ fault: 'download-404', times: 2 });
		const { error } = await fixture.run(capped(1, always), { items: pictures(2) });

		expect(error?.message).toBe("'Max Images' is 1, but 2 images are needed");
		expect(error?.description).toMatch(/^Nothing was sent\. Raise 'Max Images'/);
		expect(fixture.calls()).toHaveLength(2);
		expect(fixture.charged()).toBe(2);
	});
});

describe('Max Images with On Error = Continue', () => {
	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'buys the first ones and says so for the rest: %s',
		async (onError) => {
			const { rows, errorRows } = await fixture.run(capped(2), {
				items: pictures(4),
				node: { onError },
			});

			expect(sent()).toStrictEqual(['Picture 1', 'Picture 2']);
			const refused = [...rows, ...errorRows].filter(({ json }) => json.error !== undefined);
			const message = "'Max Images' is 2, but 4 images are needed";
			expect(refused.map(({ json, pairedItem }) => [json.error, pairedItem])).toStrictEqual([
				[message, { item: 2 }],
				[message, { item: 3 }],
			]);
			const advice =
				"This image was not bought. Raise 'Max Images' to allow more images in one execution.";
			expect(refused.map(({ json }) => json.details)).toMatchObject([{ advice }, { advice }]);
		},
	);
});
