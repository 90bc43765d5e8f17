import type { INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { CONTINUE, generate, idsOf, IN_ORDER, itemsOf, marked, namesOf } from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const placesOf = (rows: INodeExecutionData[]) =>
	rows.map(({ json, pairedItem }) => [pairedItem, json.copy]);

describe('Number of Images', () => {
	it('buys that many images per item with equal requests, in order, each with its number', async () => {
		const result = await fixture.run(generate({ numberOfImages: 2, concurrency: 4 }), {
			items: itemsOf('One', 'Two'),
		});

		expect(placesOf(result.rows)).toStrictEqual(
			[0, 1].flatMap((item) => [1, 2].map((copy) => [{ item }, copy])),
		);
		expect(new Set(idsOf(result)).size).toBe(4);
		expect(fixture.charged()).toBe(4);
		expect(namesOf(result.rows)).toStrictEqual(
			['one', 'one', 'two', 'two'].map((name) => marked(name)),
		);
		const requests = idsOf(result).map(
			(id) => fixture.charges().find(({ jobId }) => jobId === id)?.fields,
		);
		expect(requests).toStrictEqual(
			['One', 'One', 'Two', 'Two'].map((text) => ({
				text,
				width: '128',
				height: '128',
				image_generator_version: 'standard',
			})),
		);
	});

	it('may differ for each item, and gives a single image no number', async () => {
		const { rows } = await fixture.run(generate({ numberOfImages: '={{ $itemIndex + 1 }}' }), {
			items: itemsOf('One', 'Two'),
		});

		expect(placesOf(rows)).toStrictEqual([
			[{ item: 0 }, undefined],
			[{ item: 1 }, 1],
			[{ item: 1 }, 2],
		]);
	});
});

it('a copy that could not be made is an error item with its number under details, and the others are delivered', async () => {
	fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'No' } });
	const { rows } = await fixture.run(generate({ ...IN_ORDER, numberOfImages: 3 }), {
		items: itemsOf('One'),
		node: CONTINUE,
	});

	expect(rows[0]?.json).toStrictEqual({
		error: 'No',
		details: {
			item: 'Item 1, "One", copy 1',
			advice: expect.stringContaining('Nothing was charged') as string,
			status: 400,
			serviceMessage: 'No',
			copy: 1,
		},
	});
	expect(rows.slice(1).map(({ json }) => json.copy)).toStrictEqual([2, 3]);
	expect(fixture.charged()).toBe(2);
});
