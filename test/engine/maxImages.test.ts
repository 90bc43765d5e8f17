import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';

const fixture = useFixture({ allowance: 10_000 });
const itemsOf = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({ json: { title: `Picture ${index + 1}` } }));
const capped = (maxImages: unknown, more: INodeParameters = {}): INodeParameters => ({
	operation: 'generate',
	prompt: '={{ $json.title }}',
	size: '128x128',
	options: { maxImages, concurrency: 1, maxRetries: 0, ...more } as INodeParameters,
});

describe('Max Images with On Error = Stop', () => {
	it('buys nothing if the run would exceed it, and gives both numbers', async () => {
		const { error } = await fixture.run(capped(3), { items: itemsOf(5) });

		expect(error?.message).toBe("'Max Images' is 3, but 5 more images are needed");
		expect(error?.description).toMatch(/^Nothing was sent\. Raise 'Max Images'/);
		expect(fixture.calls()).toEqual([]);
	});

	it('counts copies', async () => {
		const { error } = await fixture.run(capped(3, { numberOfImages: 2 }), { items: itemsOf(2) });

		expect(error?.message).toBe("'Max Images' is 3, but 4 more images are needed");
		expect(fixture.charged()).toBe(0);
	});

	it('counts earlier runs of a loop', async () => {
		const { error } = await fixture.run(capped(3), { items: itemsOf(2), rounds: [itemsOf(2)] });

		expect(error?.message).toBe(
			"'Max Images' is 3 and this execution has already bought 2, but 2 more images are needed",
		);
		expect(fixture.charged()).toBe(2);
	});

	it('counts an image kept from an earlier attempt only once', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 3' });
		const { error, rows } = await fixture.run(capped(3), {
			items: itemsOf(3),
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});

		expect(error).toBeUndefined();
		expect(rows).toHaveLength(3);
		expect(fixture.charged()).toBe(3);
	});

	it('also applies to Retry in the list of executions', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 3' });
		const failed = await fixture.run(capped(3), { items: itemsOf(3) });
		const again = await fixture.retry(failed, capped(3), { items: itemsOf(3) });

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(3);
	});
});

describe('Max Images with On Error = Continue', () => {
	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'buys the first ones and says so for the rest: %s',
		async (onError) => {
			const { rows, errorRows } = await fixture.run(capped(2), {
				items: itemsOf(4),
				node: { onError },
			});

			expect(fixture.calls().map(({ fields }) => fields.text)).toEqual(['Picture 1', 'Picture 2']);
			const refused = [...rows, ...errorRows].filter(({ json }) => json.error !== undefined);
			expect(refused.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
				[
					"'Max Images' is 2 and this execution has already bought 2, but one more image is needed",
					{ item: 2 },
				],
				[
					"'Max Images' is 2 and this execution has already bought 2, but one more image is needed",
					{ item: 3 },
				],
			]);
		},
	);

	it.each([
		[1, 3],
		[2, 4],
	])(
		'gives a place that is free again to the next item: %i of six, %i at once',
		async (max, concurrency) => {
			fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 1' });
			await fixture.run(capped(max, { concurrency }), {
				items: itemsOf(6),
				node: { onError: 'continueRegularOutput' },
			});

			const sent = fixture.calls().map(({ fields }) => fields.text);
			expect(sent.sort()).toEqual(itemsOf(max + 1).map(({ json }) => json.title));
		},
	);

	it('gives back the places of requests that the service refused for free', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, times: 2, when: 'Picture 1' });
		fixture.sandbox.arm({ fault: 'status', status: 400, times: 2, when: 'Picture 2' });
		const { rows } = await fixture.run(capped(2, { concurrency: 5 }), {
			items: itemsOf(5),
			node: { onError: 'continueRegularOutput' },
		});

		expect(rows.map(({ json }) => json.id !== undefined)).toEqual([
			false,
			false,
			true,
			true,
			false,
		]);
		expect(fixture.charged()).toBe(2);
	});

	it('does not retry an unclear outcome beyond it', async () => {
		fixture.sandbox.arm({ fault: 'reset-after', times: 5 });
		const { rows } = await fixture.run(capped(2, { maxRetries: 5, retryUnclearOutcome: true }), {
			items: itemsOf(1),
			node: { onError: 'continueRegularOutput' },
		});

		expect(fixture.calls()).toHaveLength(2);
		expect(rows[0]?.json.error).toMatch(/^The connection closed before the service responded/);
	}, 20_000);
});

describe('Max Images in an AI tool', () => {
	it('tells the agent why it gets no more', async () => {
		const { rows } = await fixture.run(capped(1), {
			items: itemsOf(2),
			node: { type: 'imageGenerationTool' },
		});

		expect(fixture.charged()).toBe(1);
		expect(rows[1]?.json.error).toMatch(/^'Max Images' is 1/);
	});
});

it.each([[-3], ['={{ 3 }}']])(
	'rejects Max Images of %j, which is not a fixed number, before anything is sent',
	async (value) => {
		const { error } = await fixture.run(capped(value), { items: itemsOf(1) });

		expect(error?.message).toMatch(/^'Max Images' is ".+"\. Allowed: a whole number, 1 or more\.$/);
		expect(fixture.calls()).toEqual([]);
	},
);
