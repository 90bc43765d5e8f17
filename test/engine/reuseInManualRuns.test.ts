import { readFile } from 'node:fs/promises';

import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox';
import type { EngineResult, EngineRun } from '../support/engine';
import { PHOTO, useFixture } from '../support/fixture';
import { until } from '../support/until';

const fixture = useFixture({ allowance: 10_000 });
/** Runs the node manually, as somebody building a workflow does. */
const run = async (parameters: INodeParameters, what: Partial<EngineRun> = {}) =>
	await fixture.run(parameters, { mode: 'manual', ...what });
const generate = (prompt: string, reuseInManualRuns?: boolean): INodeParameters => ({
	operation: 'generate',
	prompt,
	size: '128x128',
	options: reuseInManualRuns === undefined ? {} : { reuseInManualRuns },
});
const hintsOf = ({ run: { data } }: EngineResult) =>
	data.resultData.runData['Image Generation']?.at(-1)?.hints?.map(({ message }) => message);
const idsOf = ({ rows }: EngineResult) => rows.map(({ json }) => json.id);
const OFFER =
	"You paid again for an image that an earlier manual run had already bought. To avoid this while you build a workflow, turn on 'Reuse in Manual Runs'.";

afterEach(() => {
	jest.restoreAllMocks();
});

describe('Reuse in Manual Runs', () => {
	it('takes an image that an earlier manual run bought', async () => {
		const first = await run(generate('An owl'));
		const second = await run(generate('An owl', true));

		expect(fixture.charged()).toBe(1);
		expect(idsOf(second)).toEqual(idsOf(first));
		expect(second.rows[0]?.binary?.data?.fileName).toBe('an-owl.jpg');
		expect(hintsOf(second)).toEqual(['1 image was reused from an earlier manual run.']);
	});

	it('identifies files by their bytes, not by their names', async () => {
		const remove = { operation: 'removeBackground', options: { reuseInManualRuns: true } };
		await run(remove, { items: [await fixture.photo('a.jpg')] });
		await run(remove, { items: [await fixture.photo('b.jpg')] });
		expect(fixture.charged()).toBe(1);

		const other = Buffer.concat([await readFile(PHOTO), Buffer.from('more')]);
		const data = await fixture.engine.store(other, 'a.jpg', 'image/jpeg');
		await run(remove, { items: [{ json: {}, binary: { data } }] });
		expect(fixture.charged()).toBe(2);
	});

	it('gives the nth of several equal requests the nth image', async () => {
		const items = [{ json: {} }, { json: {} }];
		const first = await run(generate('Twins', true), { items });
		const second = await run(generate('Twins', true), { items: [...items, { json: {} }] });

		expect(idsOf(second).slice(0, 2)).toEqual(idsOf(first));
		expect(new Set(idsOf(second)).size).toBe(3);
		expect(fixture.charged()).toBe(3);
	});

	it('buys again after an hour', async () => {
		await run(generate('An hour', true));
		const later = Date.now() + 3_600_001;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		await run(generate('An hour', true));

		expect(fixture.charged()).toBe(2);
	});

	it('does not apply to production runs or to what they bought', async () => {
		await run(generate('A trigger', true));
		await run(generate('A trigger', true), { mode: 'trigger' });
		expect(fixture.charged()).toBe(2);

		await run(generate('Another trigger', true), { mode: 'trigger' });
		await run(generate('Another trigger', true));
		expect(fixture.charged()).toBe(4);
	});

	it('does not use images of another account', async () => {
		const other = await startSandbox({ apiKey: 'another-key' });
		try {
			await run(generate('Two accounts', true));
			const { error } = await run(generate('Two accounts', true), {
				credential: { baseUrl: other.url, apiKey: 'another-key' },
			});

			expect(error).toBeUndefined();
			expect(other.ledger).toHaveLength(1);
		} finally {
			await other.close();
		}
	});

	it('also applies to Retry in the list of executions', async () => {
		await run(generate('A retry', true));
		fixture.sandbox.arm({ fault: 'download-404' });
		const failed = await run(generate('A retry', true));
		const again = await fixture.retry(failed, generate('A retry', true));

		expect(again.error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it('says so if the link no longer works, and buys nothing', async () => {
		await run(generate('Gone', true));
		fixture.sandbox.arm({ fault: 'download-404' });
		const { error } = await run(generate('Gone', true));

		expect(error?.description).toContain(
			"An earlier manual run bought this image: to buy a new one, turn off 'Reuse in Manual Runs'.",
		);
		expect(fixture.charged()).toBe(1);
	});
});

describe('without the option', () => {
	it('a manual run that repeats a purchase says so and names the option', async () => {
		const first = await run(generate('A bear'));
		const second = await run(generate('A bear'));

		expect(fixture.charged()).toBe(2);
		expect(hintsOf(first)).toEqual(['1 image was bought.']);
		expect(hintsOf(second)).toEqual(['1 image was bought.', OFFER]);
	});

	it('a production run says only what it cost', async () => {
		await run(generate('A wolf'));
		const second = await run(generate('A wolf'), { mode: 'trigger' });

		expect(hintsOf(second)).toEqual(['1 image was bought.']);
	});
});

describe('a stopped manual run', () => {
	it('leaves its purchases to the next one, which takes them over even without the option', async () => {
		const items = ['Stopped first', 'Stopped second'].map((title) => ({ json: { title } }));
		const parameters = generate('={{ $json.title }}');
		fixture.sandbox.arm({ fault: 'hang', when: 'second' });
		const { result, stop } = fixture.start(parameters, { mode: 'manual', items });
		await until(() => fixture.downloads().length === 1 && fixture.calls().length === 2);
		stop();
		await result;
		fixture.sandbox.disarm();
		const bought = fixture.sandbox.ledger.at(-1)?.jobId;
		const next = await run(parameters, { items });

		expect(next.rows[0]?.json.id).toBe(bought);
		expect(hintsOf(next)).toEqual([
			'1 image was bought, 1 image was taken over from a stopped run.',
		]);
		expect(fixture.charged()).toBe(2);
	});
});
