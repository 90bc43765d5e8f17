import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { gif, sha256 } from '../support/gifs';

const fixture = useFixture({ allowance: 10_000 });
const generate = (more: INodeParameters = {}) => ({
	operation: 'generate',
	prompt: '={{ $json.title }}',
	size: '128x128',
	...more,
});
const itemsOf = (...titles: string[]): INodeExecutionData[] =>
	titles.map((title) => ({ json: { title } }));
const placesOf = (rows: INodeExecutionData[]) =>
	rows.map(({ json, pairedItem }) => [pairedItem, json.copy]);
const namesOf = (rows: INodeExecutionData[]) => rows.map(({ binary }) => binary?.data?.fileName);
const idsOf = (rows: INodeExecutionData[]) => rows.map(({ json }) => json.id);
const twice = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

describe('Number of Images', () => {
	it('buys that many images per item, in order, each with its copy number', async () => {
		const { rows } = await fixture.run(
			generate({ options: { numberOfImages: 3, concurrency: 4 } }),
			{ items: itemsOf('One', 'Two') },
		);

		expect(placesOf(rows)).toEqual([
			[{ item: 0 }, 1],
			[{ item: 0 }, 2],
			[{ item: 0 }, 3],
			[{ item: 1 }, 1],
			[{ item: 1 }, 2],
			[{ item: 1 }, 3],
		]);
		expect(new Set(idsOf(rows)).size).toBe(6);
		expect(fixture.charged()).toBe(6);
		expect(namesOf(rows)).toEqual([
			...['one.jpg', 'one-2.jpg', 'one-3.jpg'],
			...['two.jpg', 'two-2.jpg', 'two-3.jpg'],
		]);
		const asked = rows.map(
			({ json }) => fixture.sandbox.ledger.find(({ jobId }) => jobId === json.id)?.fields.text,
		);
		expect(asked).toEqual(['One', 'One', 'One', 'Two', 'Two', 'Two']);
	});

	it('is not sent to the service; the requests are equal', async () => {
		await fixture.run(generate({ options: { numberOfImages: 2 } }), { items: itemsOf('One') });

		const [first, second] = fixture.calls().map(({ fields }) => fields);
		expect(first).toEqual({
			text: 'One',
			width: '128',
			height: '128',
			image_generator_version: 'standard',
		});
		expect(second).toEqual(first);
	});

	it('multiplies an item’s images, ordered by item, image and copy', async () => {
		const store = async (name: string) =>
			await fixture.engine.store(gif(name), `${name}.gif`, 'image/gif');
		const items = [{ json: {}, binary: { front: await store('f'), side: await store('s') } }];
		const { rows } = await fixture.run(
			{
				operation: 'edit',
				prompt: 'Blur it',
				inputType: 'all',
				options: { numberOfImages: 2, concurrency: 1 },
			},
			{ items },
		);

		expect(rows.map(({ json }) => [json.source, json.copy])).toEqual([
			['front', 1],
			['front', 2],
			['side', 1],
			['side', 2],
		]);
		expect(fixture.calls().map(({ files }) => files[0]?.sha256)).toEqual(
			['f', 'f', 's', 's'].map((name) => sha256(gif(name))),
		);
		expect(new Set(namesOf(rows)).size).toBe(4);
	});

	it.each([
		['not set', {}],
		['1', { numberOfImages: 1 }],
		['the text 1 from an expression', { numberOfImages: '={{ "1" }}' }],
	])('makes one image without a copy number if it is %s', async (_what, options) => {
		const { rows } = await fixture.run(generate({ options }), { items: itemsOf('One') });

		expect(Object.keys(rows[0]?.json ?? {})).toEqual(['fileName', 'id', 'output_url']);
		expect(fixture.charged()).toBe(1);
	});

	it('may differ for each item', async () => {
		const { rows } = await fixture.run(
			generate({ options: { numberOfImages: '={{ $itemIndex + 1 }}' } }),
			{ items: itemsOf('One', 'Two') },
		);

		expect(placesOf(rows)).toEqual([
			[{ item: 0 }, undefined],
			[{ item: 1 }, 1],
			[{ item: 1 }, 2],
		]);
	});

	it.each([
		[0, '"0"'],
		[11, '"11"'],
		['={{ null }}', undefined],
		['={{ [2] }}', '"[2]"'],
	])('is rejected before any request if it is %j', async (numberOfImages, quoted) => {
		const { error } = await fixture.run(generate({ options: { numberOfImages } }), {
			items: itemsOf('One'),
		});

		expect(error?.message).toBe(
			quoted && `'Number of Images' is ${quoted}. Allowed: a whole number from 1 to 10.`,
		);
		expect(fixture.calls()).toHaveLength(quoted === undefined ? 1 : 0);
	});
});

describe('equal requests are separate jobs', () => {
	it('under Retry On Fail, which buys only the missing copy', async () => {
		fixture.sandbox.arm({ fault: 'download-404' });
		const { rows } = await fixture.run(
			generate({ options: { numberOfImages: 3, maxRetries: 0, concurrency: 1 } }),
			{ items: itemsOf('One'), node: { ...twice, onError: 'stopWorkflow' } },
		);

		expect(new Set(idsOf(rows)).size).toBe(3);
		expect(fixture.charged()).toBe(3);
		expect(namesOf(rows)).toEqual(['one.jpg', 'one-2.jpg', 'one-3.jpg']);
	});

	it('under Retry On Fail with equal items', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400 });
		const { rows } = await fixture.run(
			generate({ options: { numberOfImages: 2, maxRetries: 0 } }),
			{ items: itemsOf('One', 'One'), node: { ...twice, onError: 'continueRegularOutput' } },
		);

		expect(rows.map(({ json }) => json.error)).toEqual(rows.map(() => undefined));
		expect(new Set(idsOf(rows)).size).toBe(4);
		expect(fixture.charged()).toBe(4);
	});

	it('under Retry On Fail with the same file in two fields', async () => {
		const file = await fixture.engine.store(gif('f'), 'f.gif', 'image/gif');
		fixture.sandbox.arm({ fault: 'download-404' });
		const { rows } = await fixture.run(
			{ operation: 'removeBackground', inputType: 'all', options: { concurrency: 1 } },
			{
				items: [{ json: {}, binary: { a: file, b: file } }],
				node: { ...twice, onError: 'stopWorkflow' },
			},
		);

		expect(rows.map(({ json }) => json.source)).toEqual(['a', 'b']);
		expect(new Set(idsOf(rows)).size).toBe(2);
		expect(fixture.charged()).toBe(2);
	});

	it('under the node’s own retries', async () => {
		fixture.sandbox.arm({ fault: 'rate-limit', retryAfter: '0', times: 2 });
		const { rows } = await fixture.run(generate({ options: { numberOfImages: 3 } }), {
			items: itemsOf('One'),
		});

		expect(new Set(idsOf(rows)).size).toBe(3);
		expect(fixture.charged()).toBe(3);
	});
});

describe('a copy that could not be made', () => {
	it('is an error item with its number under details, and the others are delivered', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'No' } });
		const { rows } = await fixture.run(
			generate({ options: { numberOfImages: 3, concurrency: 1 } }),
			{ items: itemsOf('One'), node: { onError: 'continueRegularOutput' } },
		);

		expect(rows[0]?.json).toEqual({
			error: 'No',
			details: {
				item: 'Item 1, "One", copy 1',
				advice: 'The service rejected the request. Check the fields of this item.',
				status: 400,
				serviceMessage: 'No',
				copy: 1,
			},
		});
		expect(rows.slice(1).map(({ json }) => json.copy)).toEqual([2, 3]);
		expect(fixture.charged()).toBe(2);
	});

	it('stops the node, which lists the paid copies', async () => {
		fixture.sandbox.arm({ fault: 'no-output-url' });
		const { error } = await fixture.run(
			generate({ options: { numberOfImages: 3, concurrency: 3, maxRetries: 0 } }),
			{ items: itemsOf('One') },
		);

		expect(error?.message).toMatch(/\(2 finished images: see the details\)$/);
		const named = error?.description?.match(/Item 1, "One", copy \d: http\S+ \(job /g);
		expect(named).toHaveLength(2);
	});
});
