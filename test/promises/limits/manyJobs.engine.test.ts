import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import { openGate } from '../../support/gate';
import { generate, idsOf, itemsOf, removeBackground } from '../../support/runs';
import { until } from '../../support/until';

const fixture = useFixture({ echoImages: true, allowance: 10_000 });

/** An item with this many different images. */
async function itemWith(count: number): Promise<INodeExecutionData> {
	const names = Array.from({ length: count }, (_, index) => `photo_${index}`);
	const files = names.map(async (name) => [name, await fixture.gif(name)] as const);
	return { json: {}, binary: Object.fromEntries(await Promise.all(files)) };
}
const all = (options: object) => removeBackground({ inputType: 'all', download: false, options });

/** Runs with each request held until as many wait as are to be expected; the newest goes first. */
async function runThroughGate(
	parameters: INodeParameters,
	{ items, requests, atOnce }: { items: INodeExecutionData[]; requests: number; atOnce: number },
) {
	const gate = await openGate(fixture.sandbox.url);
	const credential = { ...fixture.credential, baseUrl: gate.url };
	const { result } = fixture.start(parameters, { items, credential });
	for (let left = requests; left > 0; left--) {
		await until(() => gate.waiting.length === Math.min(atOnce, left));
		gate.waiting.pop()?.();
	}
	const outcome = await result;
	gate.close();
	expect(outcome.error).toBeUndefined();
	expect(gate.most).toBe(atOnce);
	return outcome;
}

describe('Concurrency', () => {
	it.each([
		['five by default', {}, 5],
		['as many as configured', { concurrency: 2 }, 2],
	])('counts jobs, not items: of one item’s images, %s run at once', async (_, options, atOnce) => {
		const items = [await itemWith(12)];
		const { rows } = await runThroughGate(all(options), { items, requests: 12, atOnce });

		expect(rows).toHaveLength(12);
	});

	it('lets no slow item block the others, and keeps their order', async () => {
		const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
		const result = await runThroughGate(
			{ ...generate({ concurrency: 3 }), download: false },
			{ items: itemsOf(...titles), requests: titles.length, atOnce: 3 },
		);

		const bought = fixture.charges().map(({ fields }) => fields.text);
		// As the newest goes first, a and b wait until all others are done.
		expect(bought).toStrictEqual([...titles.slice(2), 'b', 'a']);
		expect(idsOf(result)).toStrictEqual(
			titles.map((title) => fixture.charges()[bought.indexOf(title)]?.jobId),
		);
	});
});
