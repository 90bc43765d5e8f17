import type { INodeParameters } from 'n8n-workflow';

import type { EngineRun } from '../support/engine';
import { useFixture } from '../support/fixture';
import { CONTINUE, generate, hintsOf, idsOf, itemsOf } from '../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const run = async (parameters: INodeParameters, what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { mode: 'manual', ...what });
const MANUAL = { reuse: 'manualRuns' };
/** Buys an image of this title in a manual run, with Reuse Images unless other options are given. */
const buy = async (title: string, options: object = MANUAL, what: Partial<EngineRun> = {}) =>
	await run(generate(options), { items: itemsOf(title), ...what });

describe('Reuse Images', () => {
	it('delivers an image again that an earlier run bought for the same request', async () => {
		const first = await buy('An owl', {});
		const second = await buy('An owl');

		expect(fixture.charged()).toBe(1);
		expect(idsOf(second)).toStrictEqual(idsOf(first));
		expect(second.rows[0]?.binary?.data?.fileName).toBe('an-owl.jpg');
		expect(hintsOf(second)).toStrictEqual(['1 image was reused from an earlier run.']);
	});

	it.each([
		['manualRuns', 2],
		['always', 1],
	])('of %j pays for two production runs %d times', async (reuse, paid) => {
		for (let count = 0; count < 2; count++) await buy('A trigger', { reuse }, { mode: 'trigger' });

		expect(fixture.charged()).toBe(paid);
	});

	it('also helps Retry in the list of executions', async () => {
		await buy('One');
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const items = itemsOf('One', 'Two');
		const failed = await run(generate(MANUAL), { items });
		const again = await fixture.retry(failed, generate(MANUAL), { items });

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});

	it.each([404, 410])(
		'buys an image again if its link is gone (%d), and says so',
		async (status) => {
			const title = `Gone ${status}`;
			await buy(title);
			fixture.sandbox.arm({ fault: 'download-500', status });
			const again = await buy(title);

			expect(fixture.charged()).toBe(2);
			expect(idsOf(again)).toStrictEqual([fixture.charges().at(-1)?.jobId]);
			expect(hintsOf(again)).toStrictEqual([
				'1 image was bought. The service no longer has an image of an earlier run.',
			]);
		},
	);

	it('buys an image whose link is gone at the next Retry if it could not now', async () => {
		await buy('Lost');
		fixture.sandbox.arm({ fault: 'download-404' });
		fixture.sandbox.arm({ fault: 'status', status: 402, when: 'Lost' });
		const failed = await buy('Lost');
		expect(failed.error?.httpCode).toBe('402');

		const again = await fixture.retry(failed, generate(MANUAL), { items: itemsOf('Lost') });
		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
		expect(idsOf(again)).toStrictEqual([fixture.charges().at(-1)?.jobId]);
	});

	it('does not count an image as reused whose link is gone and that could not be bought again', async () => {
		await buy('Nowhere');
		fixture.sandbox.arm({ fault: 'download-404' });
		fixture.sandbox.arm({ fault: 'status', status: 402, when: 'Nowhere' });

		expect(hintsOf(await buy('Nowhere', MANUAL, { node: CONTINUE }))).toStrictEqual([
			expect.stringMatching(/^1 item could not be delivered\. Item 1, &quot;Nowhere&quot;: /),
		]);
	});

	it('buys an image whose link is gone only once, however many runs follow', async () => {
		const copies = { ...MANUAL, numberOfImages: 3, concurrency: 1 };
		fixture.sandbox.arm({ fault: 'gone-output-url', after: 1 });
		await buy('Three', copies, { node: CONTINUE });
		await buy('Three', copies);
		expect(fixture.charged()).toBe(4);

		const third = await buy('Three', copies);
		expect(fixture.charged()).toBe(4);
		expect(new Set(idsOf(third)).size).toBe(3);
	});

	it('leaves room under Max Images', async () => {
		await run(generate({ maxImages: 2 }), { items: itemsOf('One', 'Two') });
		const items = itemsOf('One', 'Two', 'Three');
		const reusing = await run(generate({ maxImages: 1, ...MANUAL }), { items });
		expect(reusing.error).toBeUndefined();
		expect(fixture.charged()).toBe(3);
	});
});

describe('without the option', () => {
	it('a manual run that repeats a purchase says so and names the option', async () => {
		const first = await buy('A bear', {});
		const second = await buy('A bear', {});

		expect(fixture.charged()).toBe(2);
		expect(hintsOf(first)).toStrictEqual(['1 image was bought.']);
		expect(hintsOf(second)).toStrictEqual([
			'1 image was bought.',
			"You paid again for an image that an earlier run had already bought. To avoid this while you build a workflow, set 'Reuse Images' to 'In Manual Runs'.",
		]);
	});

	it('a production run says only what it cost', async () => {
		await buy('A wolf', {});
		const second = await buy('A wolf', {}, { mode: 'trigger' });

		expect(hintsOf(second)).toStrictEqual(['1 image was bought.']);
	});
});
