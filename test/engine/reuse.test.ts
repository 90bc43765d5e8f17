import { readFile } from 'node:fs/promises';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { EngineResult, EngineRun } from '../support/engine';
import { PHOTO, useFixture } from '../support/fixture';

const fixture = useFixture({ allowance: 10_000 });
const run = async (parameters: INodeParameters, what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { mode: 'manual', ...what });
const generate = (prompt: string, options: INodeParameters = {}): INodeParameters => ({
	operation: 'generate',
	prompt,
	size: '128x128',
	options,
});
const MANUAL = { reuse: 'manualRuns' };
const itemsOf = (...titles: string[]): INodeExecutionData[] =>
	titles.map((title) => ({ json: { title } }));
const hintsOf = ({ run: { data } }: EngineResult) =>
	data.resultData.runData['Image Generation']?.at(-1)?.hints?.map(({ message }) => message);
const idsOf = ({ rows }: EngineResult) => rows.map(({ json }) => json.id);

describe('Reuse Images', () => {
	it('delivers an image again that an earlier run bought for the same request', async () => {
		const first = await run(generate('An owl'));
		const second = await run(generate('An owl', MANUAL));

		expect(fixture.charged()).toBe(1);
		expect(idsOf(second)).toEqual(idsOf(first));
		expect(second.rows[0]?.binary?.data?.fileName).toBe('an-owl.jpg');
		expect(hintsOf(second)).toEqual(['1 image was reused from an earlier run.']);
	});

	it.each<[string, number]>([
		['manualRuns', 2],
		['always', 1],
	])('of %j pays for two production runs %d times', async (reuse, paid) => {
		const trigger = async () => await run(generate('A trigger', { reuse }), { mode: 'trigger' });
		await trigger();
		await trigger();

		expect(fixture.charged()).toBe(paid);
	});

	it('identifies files by their bytes, not by their names', async () => {
		const remove = { operation: 'removeBackground', options: MANUAL };
		await run(remove, { items: [await fixture.photo('a.jpg')] });
		await run(remove, { items: [await fixture.photo('b.jpg')] });
		expect(fixture.charged()).toBe(1);

		const other = Buffer.concat([await readFile(PHOTO), Buffer.from('more')]);
		const data = await fixture.engine.store(other, 'a.jpg', 'image/jpeg');
		await run(remove, { items: [{ json: {}, binary: { data } }] });
		expect(fixture.charged()).toBe(2);
	});

	it('also helps Retry in the list of executions', async () => {
		await run(generate('={{ $json.title }}', MANUAL), { items: itemsOf('One') });
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const items = itemsOf('One', 'Two');
		const failed = await run(generate('={{ $json.title }}', MANUAL), { items });
		const again = await fixture.retry(failed, generate('={{ $json.title }}', MANUAL), { items });

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
	});

	it('buys an image again if its link is gone, and says so', async () => {
		await run(generate('Gone', MANUAL));
		fixture.sandbox.arm({ fault: 'download-404' });
		const again = await run(generate('Gone', MANUAL));

		expect(fixture.charged()).toBe(2);
		expect(idsOf(again)).toEqual([fixture.sandbox.ledger.at(-1)?.jobId]);
		expect(hintsOf(again)).toEqual([
			'1 image was bought. The service no longer has an image of an earlier run.',
		]);
	});

	it('buys an image whose link is gone at the next Retry if it could not now', async () => {
		await run(generate('Lost', MANUAL));
		fixture.sandbox.arm({ fault: 'download-404' });
		fixture.sandbox.arm({ fault: 'status', status: 402, when: 'Lost' });
		const failed = await run(generate('Lost', MANUAL));
		expect(failed.error?.httpCode).toBe('402');

		const again = await fixture.retry(failed, generate('Lost', MANUAL));
		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(2);
		expect(idsOf(again)).toEqual([fixture.sandbox.ledger.at(-1)?.jobId]);
	});

	it('does not count an image as reused whose link is gone and that could not be bought again', async () => {
		await run(generate('Nowhere', MANUAL));
		fixture.sandbox.arm({ fault: 'download-404' });
		fixture.sandbox.arm({ fault: 'status', status: 402, when: 'Nowhere' });
		const onError = { onError: 'continueRegularOutput' } as const;
		const refused = await run(generate('Nowhere', MANUAL), { node: onError });

		expect(hintsOf(refused)).toEqual([
			expect.stringMatching(/^1 image could not be delivered\. Item 1, &quot;Nowhere&quot;: /),
		]);
	});

	it('buys an image whose link is gone only once, however many runs follow', async () => {
		const copies = generate('Three', { ...MANUAL, numberOfImages: 3, concurrency: 1 });
		fixture.sandbox.arm({ fault: 'gone-output-url', after: 1 });
		await run(copies, { node: { onError: 'continueRegularOutput' } });
		await run(copies);
		expect(fixture.charged()).toBe(4);

		const third = await run(copies);
		expect(fixture.charged()).toBe(4);
		expect(new Set(idsOf(third)).size).toBe(3);
	});

	it('uses the latest image of several', async () => {
		await run(generate('Twice'));
		const second = await run(generate('Twice'));

		expect(idsOf(await run(generate('Twice', MANUAL)))).toEqual(idsOf(second));
		expect(fixture.charged()).toBe(2);
	});

	it('leaves room under Max Images', async () => {
		const prompt = '={{ $json.title }}';
		await run(generate(prompt, { maxImages: 2 }), { items: itemsOf('One', 'Two') });
		const items = itemsOf('One', 'Two', 'Three');
		const reusing = await run(generate(prompt, { maxImages: 1, ...MANUAL }), { items });
		expect(reusing.error).toBeUndefined();
		expect(fixture.charged()).toBe(3);

		const without = await run(generate(prompt, { maxImages: 1 }), { items });
		expect(without.error?.message).toBe("'Max Images' is 1, but 3 more images are needed");
	});

	it('must be one of its values', async () => {
		const { error } = await run(generate('A typo', { reuse: 'sometimes' }));

		expect(error?.message).toBe(
			`'Reuse Images' is "sometimes". Allowed: never, manualRuns, always.`,
		);
	});
});

describe('without the option', () => {
	it('a manual run that repeats a purchase says so and names the option', async () => {
		const first = await run(generate('A bear'));
		const second = await run(generate('A bear'));

		expect(fixture.charged()).toBe(2);
		expect(hintsOf(first)).toEqual(['1 image was bought.']);
		expect(hintsOf(second)).toEqual([
			'1 image was bought.',
			"You paid again for an image that an earlier run had already bought. To avoid this while you build a workflow, set 'Reuse Images' to 'In Manual Runs'.",
		]);
	});

	it('a production run says only what it cost', async () => {
		await run(generate('A wolf'));
		const second = await run(generate('A wolf'), { mode: 'trigger' });

		expect(hintsOf(second)).toEqual(['1 image was bought.']);
	});
});
