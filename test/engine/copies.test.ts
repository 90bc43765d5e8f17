import type { INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import {
	CONTINUE,
	generate,
	idsOf,
	IN_ORDER,
	itemsOf,
	namesOf,
	removeBackground,
	TWO_ATTEMPTS,
} from '../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const placesOf = (rows: INodeExecutionData[]) =>
	rows.map(({ json, pairedItem }) => [pairedItem, json.copy]);

describe('Number of Images', () => {
	it('buys that many images per item with equal requests, in order, each with its number', async () => {
		const result = await fixture.run(generate({ numberOfImages: 2, concurrency: 4 }), {
			items: itemsOf('One', 'Two'),
		});

		expect(placesOf(result.rows)).toEqual(
			[0, 1].flatMap((item) => [1, 2].map((copy) => [{ item }, copy])),
		);
		expect(new Set(idsOf(result)).size).toBe(4);
		expect(fixture.charged()).toBe(4);
		expect(namesOf(result.rows)).toEqual(['one.jpg', 'one-2.jpg', 'two.jpg', 'two-2.jpg']);
		const requests = idsOf(result).map(
			(id) => fixture.charges().find(({ jobId }) => jobId === id)?.fields,
		);
		expect(requests).toEqual(
			['One', 'One', 'Two', 'Two'].map((text) => ({
				...{ text, width: '128', height: '128', image_generator_version: 'standard' },
			})),
		);
	});

	it('may differ for each item, and gives a single image no number', async () => {
		const { rows } = await fixture.run(generate({ numberOfImages: '={{ $itemIndex + 1 }}' }), {
			items: itemsOf('One', 'Two'),
		});

		expect(placesOf(rows)).toEqual([
			[{ item: 0 }, undefined],
			[{ item: 1 }, 1],
			[{ item: 1 }, 2],
		]);
	});
});

describe('equal requests are separate jobs, each bought once,', () => {
	const stop = { ...TWO_ATTEMPTS, onError: 'stopWorkflow' } as const;

	it.each([
		['under Retry On Fail', { fault: 'download-404' }, { node: stop }],
		[
			'under Retry On Fail with equal items',
			{ fault: 'status', status: 400 },
			{ node: { ...TWO_ATTEMPTS, ...CONTINUE }, items: itemsOf('One', 'One') },
		],
		['under the node’s own retries', { fault: 'rate-limit', retryAfter: '0', times: 2 }, {}],
	] as const)('%s', async (_what, fault, what) => {
		fixture.sandbox.arm(fault);
		const maxRetries = 'node' in what ? 0 : 3;
		const options = { numberOfImages: 3, concurrency: 1, maxRetries };
		const { rows, error } = await fixture.run(generate(options), {
			items: itemsOf('One'),
			...what,
		});

		expect(error).toBeUndefined();
		expect(rows.map(({ json }) => json.error).filter((text) => text !== undefined)).toEqual([]);
		expect(new Set(rows.map(({ json }) => json.id)).size).toBe(fixture.charged());
		expect(fixture.charged()).toBe('items' in what ? 6 : 3);
	});

	it('under Retry On Fail with the same file in two fields', async () => {
		const file = await fixture.gif('f');
		fixture.sandbox.arm({ fault: 'download-404' });
		const result = await fixture.run(removeBackground({ inputType: 'all', options: IN_ORDER }), {
			items: [{ json: {}, binary: { a: file, b: file } }],
			node: stop,
		});

		expect(result.rows.map(({ json }) => json.source)).toEqual(['a', 'b']);
		expect(new Set(idsOf(result)).size).toBe(2);
		expect(fixture.charged()).toBe(2);
	});
});

describe('a copy that could not be made', () => {
	it('is an error item with its number under details, and the others are delivered', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'No' } });
		const { rows } = await fixture.run(generate({ ...IN_ORDER, numberOfImages: 3 }), {
			items: itemsOf('One'),
			node: CONTINUE,
		});

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
		const options = { numberOfImages: 3, concurrency: 3, maxRetries: 0 };
		const { error } = await fixture.run(generate(options), { items: itemsOf('One') });

		expect(error?.message).toMatch(/\(2 finished images: see the details\)$/);
		const named = error?.description?.match(/Item 1, "One", copy \d: http\S+ \(job /g);
		expect(named).toHaveLength(2);
	});
});
