import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { SEED } from '../support/fuzz';
import { OPERATIONS, type OperationName } from './cases';
import { randomItem } from './parameters';
import { complaints } from './specification';

const fixture = useFixture({ echoImages: true, allowance: 1_000_000 });
const ITEMS = 100;

/** Every field of the node takes its value from the item. */
const parameters: INodeParameters = {
	...Object.fromEntries(
		[
			...['prompt', 'version', 'resolution', 'geniusPreference', 'size', 'width', 'height'],
			...['inputType', 'imageUrl'],
		].map((name) => [name, `={{ $json.${name} }}`]),
	),
	binaryPropertyName: 'data',
	download: false,
	options: { negativePrompt: '={{ $json.options.negativePrompt }}', concurrency: 10 },
};

/** Random items; an address leads to an image of the sandbox's own, as nothing else is there. */
async function randomItems(operation: OperationName): Promise<INodeExecutionData[]> {
	await fixture.run({ operation: 'generate', prompt: 'A fox', size: '128x128' });
	const image = fixture.sandbox.ledger.at(-1)?.outputUrl ?? '';
	return fc.sample(randomItem, { numRuns: ITEMS, seed: SEED }).map(({ binary, ...values }) => ({
		json: {
			...(values as unknown as IDataObject),
			operation,
			...(/^https?:\/\/./i.test(String(values.imageUrl)) && { imageUrl: image }),
		},
		binary: { data: binary },
	}));
}

describe(`random items through the whole engine (seed ${SEED})`, () => {
	it.each(OPERATIONS)(
		'are each charged once and delivered, or told of before any call: %s',
		async (operation) => {
			const items = await randomItems(operation);
			const before = { calls: fixture.calls().length, charged: fixture.charged() };
			const { rows, error } = await fixture.run(
				{ ...parameters, operation },
				{ items, node: { onError: 'continueRegularOutput' } },
			);

			expect(error).toBeUndefined();
			expect(rows.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
			const calls = fixture.calls().slice(before.calls);
			const delivered = rows.filter(({ json }) => json.error === undefined);
			expect(new Set(delivered.map(({ json }) => json.output_url)).size).toBe(delivered.length);
			expect(calls).toHaveLength(delivered.length);
			expect(fixture.charged() - before.charged).toBe(delivered.length);
			expect(
				calls.flatMap(({ path, fields, files }) =>
					complaints(path.replace('/api/', ''), fields, files.length > 0),
				),
			).toEqual([]);
			// Both sides of the promise are looked at.
			expect(delivered.length).toBeGreaterThan(0);
			expect(delivered.length).toBeLessThan(ITEMS);
		},
		120_000,
	);
});
