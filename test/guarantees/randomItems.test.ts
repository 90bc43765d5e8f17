import { writeFile } from 'node:fs/promises';

import fc from 'fast-check';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IPairedItemData,
} from 'n8n-workflow';

import { useFixture } from '../support/fixture';
import { SEED } from '../support/fuzz';
import { PIXEL } from '../support/images';
import { OPERATIONS, type OperationName } from './cases';
import { randomItem } from './parameters';

// The tests are about requests, and large pictures take seconds to draw.
jest.mock('../../sandbox/pictures/picture', () => ({
	drawPicture: async (_request: unknown, file: string) => await writeFile(file, PIXEL),
}));

const fixture = useFixture({ echoImages: true, allowance: 1_000_000 });
const ITEMS = 100;

/** Every field takes its value from the item. */
const parameters: INodeParameters = {
	...Object.fromEntries(
		[
			...['prompt', 'version', 'resolution', 'geniusPreference', 'size', 'width', 'height'],
			...['inputType', 'binaryPropertyName', 'imageUrl'],
		].map((name) => [name, `={{ $json.${name} }}`]),
	),
	download: false,
	options: {
		negativePrompt: '={{ $json.options.negativePrompt }}',
		numberOfImages: '={{ $json.options.numberOfImages }}',
		concurrency: 10,
	},
};

/** Random items whose addresses lead to an image of the sandbox, the only service available. */
async function randomItems(operation: OperationName): Promise<INodeExecutionData[]> {
	await fixture.run({ operation: 'generate', prompt: 'A fox', size: '128x128' });
	const image = fixture.sandbox.ledger.at(-1)?.outputUrl ?? '';
	return fc.sample(randomItem, { numRuns: ITEMS, seed: SEED }).map(({ files, ...values }) => ({
		json: {
			...(values as unknown as IDataObject),
			operation,
			imageUrl: reachable(values.imageUrl, image) as IDataObject[string],
		},
		binary: files,
	}));
}

/** Replaces every fetchable address by one that works, with a query that keeps it unique. */
function reachable(addresses: unknown, image: string): unknown {
	if (Array.isArray(addresses)) {
		return addresses.map((address: unknown) => reachable(address, image));
	}
	if (typeof addresses !== 'string') return addresses;
	return addresses
		.split('\n')
		.map((address, line) => (/^https?:\/\/./i.test(address) ? `${image}?line=${line}` : address))
		.join('\n');
}

describe(`random items in n8n’s engine (seed ${SEED})`, () => {
	it.each(OPERATIONS)(
		'have each image charged and delivered once, or rejected before any request: %s',
		async (operation) => {
			const items = await randomItems(operation);
			const before = { calls: fixture.calls().length, charged: fixture.charged() };
			const { rows, error } = await fixture.run(
				{ ...parameters, operation },
				{ items, node: { onError: 'continueRegularOutput' } },
			);

			expect(error).toBeUndefined();
			const places = rows.map(({ pairedItem }) => (pairedItem as IPairedItemData).item);
			expect(places).toEqual([...places].sort((a, b) => a - b));
			expect([...new Set(places)]).toEqual([...items.keys()]);
			const delivered = rows.filter(({ json }) => json.error === undefined);
			expect(new Set(delivered.map(({ json }) => json.output_url)).size).toBe(delivered.length);
			expect(fixture.calls().length - before.calls).toBe(delivered.length);
			expect(fixture.charged() - before.charged).toBe(delivered.length);
			// Both kinds of item occurred.
			expect(delivered.length).toBeGreaterThan(0);
			expect(delivered.length).toBeLessThan(rows.length);
		},
		300_000,
	);
});
