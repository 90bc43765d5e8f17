import type { INodeExecutionData } from 'n8n-workflow';

import type { EngineRun } from '../support/engine';
import { useFixture } from '../support/fixture';
import { N8nTables } from '../support/n8nTables';
import { forgetPurchases } from '../support/remembered';
import { CONTINUE, generate, IN_ORDER, itemsOf, TWO_ATTEMPTS } from '../support/runs';

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

	it('counts an image kept from an earlier attempt only once', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 3' });
		const { error, rows } = await fixture.run(capped(3), {
			items: pictures(3),
			node: TWO_ATTEMPTS,
		});

		expect(error).toBeUndefined();
		expect(rows.map(({ pairedItem }) => pairedItem)).toStrictEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(fixture.charged()).toBe(3);
	});
});

describe('Max Images that more items than places exceed, with On Error = Stop,', () => {
	/** Photos that n8n no longer has: whoever opens one learns that. */
	const missing = (count: number): INodeExecutionData[] =>
		Array.from({ length: count }, (_, index) => ({
			json: {},
			binary: {
				data: {
					id: `filesystem-v2:missing-${index}`,
					data: 'filesystem-v2',
					mimeType: 'image/png',
				},
			},
		}));
	const edit = { ...capped(5), operation: 'edit', prompt: 'Make it blue' };

	it('refuses 10,000 items before it opens a file', async () => {
		const { error } = await fixture.run(edit, { items: missing(10_000) });

		expect(error?.message).toBe("'Max Images' is 5, but 10000 images are needed");
		expect(error?.description).toMatch(/^Nothing was sent\. Raise 'Max Images'/);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('refuses them also if the node has delivered as many images in an execution that ended well', async () => {
		await fixture.run(generate(), { items: pictures(150) });
		// A run that asks for one of them asks n8n how that execution ended.
		await fixture.run(generate({ dryRun: true }), { items: pictures(1) });
		const { error } = await fixture.run(edit, { items: missing(120) });

		expect(error?.message).toBe("'Max Images' is 5, but 120 images are needed");
		expect(fixture.calls()).toHaveLength(150);
	});
});

describe('Max Images that is set after an execution failed', () => {
	const failedAtFour = async (options: object = {}) => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 4' });
		return await fixture.run(generate({ ...IN_ORDER, ...options }), { items: pictures(5) });
	};

	it('counts what that bought, so Retry buys nothing more and says so', async () => {
		const failed = await failedAtFour();
		const { error } = await fixture.retry(failed, capped(3), { items: pictures(5) });

		expect(error?.message).toBe(
			"'Max Images' is 3 and this execution has already bought 3, but 2 more images are needed (3 finished images, listed below)",
		);
		expect(fixture.charged()).toBe(3);
	});

	it('lets Retry buy what it leaves', async () => {
		const failed = await failedAtFour();
		const { error } = await fixture.retry(failed, capped(5), { items: pictures(5) });

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(5);
	});

	it('counts rounds of a loop that were bought without it', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 4' });
		const [one, two, three, ...rest] = pictures(5);
		const rounds = { items: [one, two, three], rounds: [rest] } as Pick<EngineRun, 'items'>;
		const failed = await fixture.run(generate(IN_ORDER), rounds);
		const { error } = await fixture.retry(failed, capped(4), { items: rest });

		expect(error?.message).toMatch(/has already bought 3, but 2 more images are needed/);
		expect(fixture.charged()).toBe(3);
	});

	it('counts nothing of other executions', async () => {
		await fixture.run(generate(IN_ORDER), { items: pictures(3) });
		const { error } = await fixture.run(capped(3), { items: pictures(3) });

		expect(error).toBeUndefined();
	});
});

describe('Max Images with images that are there already, but can’t be had after all,', () => {
	const refused = "'Max Images' is 1, but 2 images are needed";

	it('buys nothing with On Error = Stop if their links are gone', async () => {
		const always = { reuse: 'always' };
		await fixture.run(generate(always), { items: pictures(2) });
		fixture.sandbox.arm({ fault: 'download-404', times: 2 });
		const { error } = await fixture.run(capped(1, always), { items: pictures(2) });

		expect(error?.message).toBe(refused);
		expect(error?.description).toMatch(/^Nothing was sent\. Raise 'Max Images'/);
		expect(fixture.calls()).toHaveLength(2);
		expect(fixture.charged()).toBe(2);
	});

	it('buys nothing with On Error = Stop if another run was faster', async () => {
		let takeAll = () => {};
		const tables = new N8nTables({
			outageOf: ({ operation }) => {
				if (operation === 'update') takeAll();
				return undefined;
			},
		});
		const log = { purchaseLog: 'Images' };
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 3' });
		await fixture.run(generate({ ...IN_ORDER, ...log }), { items: pictures(3), tables });
		forgetPurchases();
		const table = tables.table('Images');
		// Another process takes them after they were read, and before this one does.
		takeAll = () => {
			for (const { id } of table.rows) table.edit(id, { run: 'faster.1', state: 'bought' });
		};
		const { error } = await fixture.run(capped(1, log), { items: pictures(2), tables });

		expect(table.rows.map(({ run }) => run)).toStrictEqual(['faster.1', 'faster.1']);
		expect(error?.message).toBe(refused);
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
			const message =
				"'Max Images' is 2 and this execution has already bought 2, but one more image is needed";
			expect(refused.map(({ json, pairedItem }) => [json.error, pairedItem])).toStrictEqual([
				[message, { item: 2 }],
				[message, { item: 3 }],
			]);
			const advice =
				"This image was not bought. Raise 'Max Images' to allow more images in one execution.";
			expect(refused.map(({ json }) => json.details)).toMatchObject([{ advice }, { advice }]);
		},
	);

	it.each([
		[1, 3],
		[2, 4],
	])(
		'gives a place that is free again to the next item: %i of six, %i at once',
		async (max, concurrency) => {
			fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Picture 1' });
			await fixture.run(capped(max, { concurrency }), { items: pictures(6), node: CONTINUE });

			expect(sent().sort()).toStrictEqual(pictures(max + 1).map(({ json }) => json.title));
		},
	);

	it('counts what may have been charged', async () => {
		fixture.sandbox.arm({ fault: 'reset-after' });
		const { rows } = await fixture.run(capped(2), { items: pictures(3), node: CONTINUE });

		expect(sent()).toStrictEqual(['Picture 1', 'Picture 2']);
		expect(rows[0]?.json.error).toMatch(/^The connection closed before the service responded/);
	});
});

it.each([[0], [-3], ['={{ 3 }}']])(
	'Max Images of %j, which is not a fixed number of at least one, is rejected before anything is sent',
	async (value) => {
		const { error } = await fixture.run(capped(value), { items: pictures(1) });

		expect(error?.message).toMatch(/^'Max Images' is ".+"\. Allowed: a whole number, 1 or more\.$/);
		expect(fixture.calls()).toStrictEqual([]);
	},
);
