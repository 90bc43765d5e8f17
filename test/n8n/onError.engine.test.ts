import type { OnError } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { fox, generate, hintsOf, itemsOf, removeBackground } from '../support/runs';

const fixture = useFixture();

async function runWithSecondRefused(onError: OnError) {
	const body = { err: 'No foxes today' };
	fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'Two' });
	const items = itemsOf('One', 'Two', 'Three');
	return await fixture.run(generate({ concurrency: 1 }), { items, node: { onError } });
}

it('On Error = Continue leaves an image that could not be downloaded to the next run, which says so, also of a fixed prompt', async () => {
	const node = { onError: 'continueRegularOutput' } as const;
	fixture.sandbox.arm({ fault: 'download-500', times: 9 });
	const first = await fixture.run(fox(), { node });
	fixture.sandbox.disarm();
	const next = await fixture.run(fox(), { node });

	expect(first.rows[0]?.json.details).toMatchObject({ id: fixture.charges()[0]?.jobId });
	expect(next.rows[0]?.json.id).toBe(fixture.charges()[0]?.jobId);
	expect(next.rows[0]?.binary?.data).toBeDefined();
	expect(hintsOf(next)).toStrictEqual([expect.stringContaining('1 image is used again')]);
	expect(fixture.charged()).toBe(1);
});

it.each<[onError: OnError, first: number[], second: number[], fields: string[]]>([
	['continueRegularOutput', [0, 1, 2], [], ['error', 'details']],
	['continueErrorOutput', [0, 2], [1], ['title', 'error', 'details']],
])(
	'On Error = %s has the results of items %j on the first output and of %j on the error output, in order',
	async (onError, first, second, fields) => {
		const { rows, errorRows } = await runWithSecondRefused(onError);
		const failed = [...rows, ...errorRows].filter(({ json }) => json.error !== undefined);

		expect(rows.map(({ pairedItem }) => pairedItem)).toStrictEqual(first.map((item) => ({ item })));
		expect(errorRows.map(({ pairedItem }) => pairedItem)).toStrictEqual(
			second.map((item) => ({ item })),
		);
		expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toStrictEqual([
			['No foxes today', { item: 1 }],
		]);
		expect(Object.keys(failed[0]?.json ?? {})).toStrictEqual(fields);
	},
);

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
});
