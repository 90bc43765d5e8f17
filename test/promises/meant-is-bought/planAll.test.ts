import type { INodeExecutionData } from 'n8n-workflow';

import { planAll } from '../../../nodes/ImageGeneration/plan/planAll';
import { PIXEL } from '../../support/images';
import { placesOf } from '../../support/planImages';
import { planningRun } from '../../support/planningRun';
import { until } from '../../support/until';

const GOES_ON = new AbortController().signal;
const EDIT = { operation: 'edit', inputType: 'binary', binaryPropertyName: 'data', download: true };
const parameters = { ...EDIT, prompt: 'Blur it', version: 'standard' };

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({
		json: {},
		binary: { data: { id: `file ${index}`, data: '', mimeType: 'image/gif', bytes: 43 } },
	}));

/** Storage whose reads wait until they are released. */
function heldStorage() {
	const held = new Map<string, (bytes: Buffer) => void>();
	const read = async (id: string) =>
		await new Promise<Buffer>((resolve) => {
			held.set(id, (bytes) => {
				held.delete(id);
				resolve(bytes);
			});
		});
	return { held, read };
}
const named = (...indexes: number[]) => indexes.map((index) => `file ${index}`);

describe('planning', () => {
	it('checks ten items at once, continues after an invalid one and keeps the order', async () => {
		const { held, read } = heldStorage();
		const planned = planAll(planningRun({ items: items(12), parameters, read }), GOES_ON);
		await until(() => held.has('file 9'));
		expect([...held.keys()]).toStrictEqual(named(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));

		held.get('file 9')?.(PIXEL);
		held.get('file 3')?.(Buffer.alloc(43, 'text'));
		await until(() => held.has('file 11'));
		expect([...held.keys()]).toStrictEqual(named(0, 1, 2, 4, 5, 6, 7, 8, 10, 11));

		for (const end of [...held.values()].reverse()) end(PIXEL);
		const places = placesOf(await planned);
		expect(places.map(({ itemIndex }) => itemIndex)).toStrictEqual([...items(12).keys()]);
		const invalid = places.filter((place) => 'problem' in place);
		expect(invalid.map(({ itemIndex }) => itemIndex)).toStrictEqual([3]);
	});

	it('starts no further item after a stop', async () => {
		const { held, read } = heldStorage();
		const stop = new AbortController();
		const planned = planAll(planningRun({ items: items(12), parameters, read }), stop.signal);
		await until(() => held.has('file 9'));

		stop.abort();
		for (const end of held.values()) end(PIXEL);

		expect(await planned).toHaveLength(10);
		expect(held.size).toBe(0);
	});

	it.each([
		['a/b A?b', 'a-b A-b-2'],
		['cat.jpg cat.png', 'cat cat-2'],
	])('numbers a File Name that is used, as it will be stored: %s', async (names, stored) => {
		const run = planningRun({
			items: items(2),
			parameters: (index) => ({ ...parameters, options: { fileName: names.split(' ')[index] } }),
			read: async () => PIXEL,
		});
		const rows = placesOf(await planAll(run, GOES_ON));

		expect(rows).toMatchObject(
			stored.split(' ').map((stem) => ({ fileName: { stem, isMarked: false } })),
		);
	});
});

it('the images of an item keep their places when their long addresses are signed again', async () => {
	const planOf = async (signature: string) => {
		const addresses = ['a', 'b'].map((name) => {
			const date = `X-Amz-Date=${signature}&X-Amz-Credential=${'c'.repeat(200)}`;
			return `https://b.s3.amazonaws.com/${name}.png?${date}&X-Amz-Signature=${signature}`;
		});
		const given = { inputType: 'url', imageUrl: addresses.join(' ') };
		const run = planningRun({ parameters: { ...parameters, ...given } });
		// As an expression, so that only the addresses change.
		run.node.parameters = { ...parameters, inputType: 'url', imageUrl: '={{ $json.photos }}' };
		return (await planAll(run, GOES_ON)).map((each) => ('row' in each ? each.row.key : each));
	};
	const [before, after] = [await planOf('one'), await planOf('two')];

	expect(new Set(before).size).toBe(2);
	expect(after).toStrictEqual(before);
});
