import type { OnError } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { generate, hintsOf, itemsOf, removeBackground } from '../support/runs';

const fixture = useFixture();

async function runWithSecondRefused(onError: OnError) {
	const body = { err: 'No foxes today' };
	fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'Two' });
	const items = itemsOf('One', 'Two', 'Three');
	return await fixture.run(generate({ concurrency: 1 }), { items, node: { onError } });
}

it('On Error = Stop starts nothing new after the first failure and lists what was paid for', async () => {
	const { error, rows } = await runWithSecondRefused('stopWorkflow');

	expect(rows).toStrictEqual([]);
	expect(error?.message).toBe('Item 2, "Two": No foxes today (1 finished image, listed below)');
	expect(error?.description).toContain(fixture.links()[0]);
	expect(fixture.calls()).toHaveLength(2);
	expect(fixture.charged()).toBe(1);
});

describe('On Error = Continue leaves an image that could not be downloaded', () => {
	const items = itemsOf('One');
	const node = { onError: 'continueRegularOutput' } as const;
	const failDownload = () => {
		fixture.sandbox.arm({ fault: 'download-500', status: 500, times: 4 });
	};

	it('to the next run, which says so', async () => {
		failDownload();
		const first = await fixture.run(generate(), { items, node });
		fixture.sandbox.disarm();
		const next = await fixture.run(generate(), { items, node });

		expect(first.rows[0]?.json.details).toMatchObject({ id: fixture.charges()[0]?.jobId });
		expect(next.rows[0]?.json.id).toBe(fixture.charges()[0]?.jobId);
		expect(next.rows[0]?.binary?.data).toBeDefined();
		expect(hintsOf(next)).toStrictEqual([expect.stringContaining('1 image is used again')]);
		expect(fixture.charged()).toBe(1);
	});

	it('to a round of its own execution that gets the item back, and to no other run then', async () => {
		failDownload();
		const looped = await fixture.run(generate(), { items, rounds: [items], node });
		expect(looped.rows[0]?.json.id).toBe(fixture.charges()[0]?.jobId);
		expect(fixture.charged()).toBe(1);

		await fixture.run(generate(), { items, node });
		expect(fixture.charged()).toBe(2);
	});
});

describe('after On Error = Stop, the message says what to do, and doing it buys only the rest:', () => {
	const items = itemsOf('One', 'Two', 'Three');
	const stopped = async (mode: 'manual' | 'trigger') => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		return await fixture.run(generate({ concurrency: 1 }), { items, mode });
	};

	it('in a manual run, Execute step', async () => {
		const { error } = await stopped('manual');
		const again = await fixture.run(generate(), { items, mode: 'manual' });

		expect(error?.description).toContain("Click 'Execute step' again");
		expect(again.rows).toHaveLength(3);
		expect(fixture.charged()).toBe(3);
	});

	it('in a production run, Retry in the list of executions', async () => {
		const failed = await stopped('trigger');
		const again = await fixture.retry(failed, generate(), { items });

		expect(failed.error?.description).toContain('Retry (the arrow)');
		expect(again.rows).toHaveLength(3);
		expect(fixture.charged()).toBe(3);
	});

	it('after an image that could not be downloaded, which is paid for', async () => {
		fixture.sandbox.arm({ fault: 'download-500', status: 500, times: 99 });
		const failed = await fixture.run(generate(), { items, mode: 'manual' });
		fixture.sandbox.disarm();
		const before = fixture.charged();
		const again = await fixture.run(generate(), { items, mode: 'manual' });

		expect(failed.error?.description).toContain("Click 'Execute step' again");
		expect(before).toBeGreaterThan(0);
		expect(again.rows).toHaveLength(3);
		expect(fixture.charged()).toBe(3);
	});
});

it('On Error = Continue keeps all output items in one output, in order', async () => {
	const { rows, errorRows } = await runWithSecondRefused('continueRegularOutput');

	expect(errorRows).toStrictEqual([]);
	expect(rows.map(({ json }) => json.error)).toStrictEqual([
		undefined,
		'No foxes today',
		undefined,
	]);
	expect(rows[1]?.pairedItem).toStrictEqual({ item: 1 });
	expect(Object.keys(rows[1]?.json ?? {})).toStrictEqual(['error', 'details']);
});

describe('On Error = Continue (using error output)', () => {
	const node = { onError: 'continueErrorOutput' } as const;

	it('sends an error item to the error output with the input’s fields and files', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 402, body: { status: 'Top up your wallet' } });
		const input = { sku: 7, message: 'From the mail' };
		const photo = await fixture.photo('a.jpg', input);
		const { rows, errorRows } = await fixture.run(removeBackground(), { items: [photo], node });

		expect(rows).toStrictEqual([]);
		const details = {
			item: 'Item 1, "a.jpg"',
			advice: expect.stringContaining('Check your account.') as string,
			status: 402,
			serviceMessage: 'Top up your wallet',
		};
		expect(errorRows).toStrictEqual([
			{
				json: { ...input, error: 'Top up your wallet', details },
				binary: photo.binary,
				pairedItem: { item: 0 },
			},
		]);
	});

	it('counts items without an image in its hint, and says why of the first', async () => {
		const options = { concurrency: 1 };
		const items = itemsOf('One', 'Two', '');
		const one = await fixture.run(generate(options), { items, node });
		const two = await fixture.run(generate(options), { items: itemsOf('', 'Two', ''), node });

		const what = "'Prompt' is empty.";
		expect(hintsOf(one)?.[1]).toContain(`1 item has no image. Item 3: ${what}`);
		expect(hintsOf(two)?.[1]).toContain(`2 items have no image. The first one is Item 1: ${what}`);
	});

	it('leaves delivered output items on the first output, paired with their items', async () => {
		const { rows, errorRows } = await runWithSecondRefused('continueErrorOutput');

		expect(rows.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 0 }, { item: 2 }]);
		expect(errorRows.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 1 }]);
		expect(errorRows[0]?.json).toMatchObject({ title: 'Two', error: 'No foxes today' });
	});
});
