import type { INodeExecutionData } from 'n8n-workflow';

import type { EngineResult } from '../../support/engine';
import { useFixture } from '../../support/fixture';
import {
	CONTINUE,
	fox,
	generate,
	hintsOf,
	idsOf,
	IN_ORDER,
	itemsOf,
	marked,
	namesOf,
	removeBackground,
	TWO_ATTEMPTS,
} from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const pairsOf = (rows: INodeExecutionData[]) => rows.map(({ pairedItem }) => pairedItem);
const placesOf = (rows: INodeExecutionData[]) =>
	rows.map(({ json, pairedItem }) => [pairedItem, json.copy]);

describe('Number of Images', () => {
	it('buys that many images per item with equal requests, in order, each with its number', async () => {
		const result = await fixture.run(generate({ numberOfImages: 2, concurrency: 4 }), {
			items: itemsOf('One', 'Two'),
		});

		expect(placesOf(result.rows)).toStrictEqual(
			[0, 1].flatMap((item) => [1, 2].map((copy) => [{ item }, copy])),
		);
		expect(fixture.charged()).toBe(4);
		expect(namesOf(result.rows)).toStrictEqual(
			['one', 'one', 'two', 'two'].map((name) => marked(name)),
		);
		const requests = idsOf(result).map(
			(id) => fixture.charges().find(({ jobId }) => jobId === id)?.fields,
		);
		expect(requests.map((fields) => fields?.text)).toStrictEqual(['One', 'One', 'Two', 'Two']);
		expect(requests[1]).toStrictEqual(requests[0]);
	});

	it('may differ for each item, and gives a single image no number', async () => {
		const { rows } = await fixture.run(generate({ numberOfImages: '={{ $itemIndex + 1 }}' }), {
			items: itemsOf('One', 'Two'),
		});

		expect(placesOf(rows)).toStrictEqual([
			[{ item: 0 }, undefined],
			[{ item: 1 }, 1],
			[{ item: 1 }, 2],
		]);
	});

	it('gives a copy that could not be made an error item with its number under details, and delivers the others', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, body: { err: 'No' } });
		const { rows } = await fixture.run(generate({ ...IN_ORDER, numberOfImages: 3 }), {
			items: itemsOf('One'),
			node: CONTINUE,
		});

		expect(rows[0]?.json).toMatchObject({
			error: 'No',
			details: { item: 'Item 1, "One", copy 1', status: 400, copy: 1 },
		});
		expect(rows.slice(1).map(({ json }) => json.copy)).toStrictEqual([2, 3]);
		expect(fixture.charged()).toBe(2);
	});
});

describe('who asks for the same', () => {
	/** Images of each output item, by the first letter that each new one gets. */
	const patternOf = (result: EngineResult) => {
		const seen = [...new Set(idsOf(result))];
		return idsOf(result)
			.map((id) => 'abcdefgh'.charAt(seen.indexOf(id)))
			.join('');
	};
	/** Items whose images are photos with these names. */
	const photos = async (items: string[]) =>
		await Promise.all(
			items.map(async (letters) => {
				const files = letters.split('').map(async (letter, place) => {
					const file = await fixture.file('photo.jpg', letter);
					return [`photo_${place}`, file] as const;
				});
				return { json: {}, binary: Object.fromEntries(await Promise.all(files)) };
			}),
		);
	const EDIT = { operation: 'edit', prompt: 'Blur it' };

	// Letters are photos, which differ only at their ends; the result's letters are images.
	it.each<[what: string, parameters: object, items: string[], images: string]>([
		['all items ask for the same', EDIT, ['a', 'a', 'a'], 'aaa'],
		['all items ask for the same images', EDIT, ['ab', 'ab'], 'abab'],
		[
			'they ask for two copies each',
			{ ...EDIT, options: { numberOfImages: 2 } },
			['a', 'a'],
			'abab',
		],
		['only some ask for the same', EDIT, ['a', 'b', 'a'], 'abc'],
		['some ask for more', EDIT, ['a', 'ab'], 'abc'],
		['the order is another one', EDIT, ['ab', 'ba'], 'abcd'],
		['some cut-outs are equal', removeBackground(), ['a', 'b', 'a'], 'aba'],
		['cut-outs are equal, wherever they are', removeBackground(), ['ab', 'ba'], 'abba'],
	])('has one image or several, and the same again in the editor: %s', async (...row) => {
		const [, parameters, letters, images] = row;
		const items = await photos(letters);
		const run = async () =>
			await fixture.run({ ...parameters, inputType: 'all' }, { items, mode: 'manual' });
		const first = await run();
		const again = await run();

		expect(patternOf(first)).toBe(images);
		expect(idsOf(again)).toStrictEqual(idsOf(first));
		expect(fixture.charged()).toBe(new Set(images).size);
	});

	it('keeps what an earlier attempt bought for it, even if all ask for the same in the next one', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'A hen' });
		// As `$now` in a prompt, which is another one in the next attempt.
		const titleOf = (first: string) => ({
			json: {
				get title() {
					return fixture.struck() === 0 ? first : 'An owl';
				},
			},
		});
		const result = await fixture.run(generate(IN_ORDER), {
			items: [titleOf('A fox'), titleOf('A hen')],
			node: TWO_ATTEMPTS,
		});

		expect(fixture.charges().map(({ fields }) => fields.text)).toStrictEqual(['A fox', 'An owl']);
		expect(idsOf(result)).toStrictEqual(fixture.charges().map(({ jobId }) => jobId));
	});

	it('does not count an item that is invalid', async () => {
		const items = [...(await photos(['a', 'a'])), { json: {} }];
		const result = await fixture.run({ ...EDIT, inputType: 'all' }, { items, node: CONTINUE });

		expect(idsOf(result)[1]).toBe(idsOf(result)[0]);
		expect(result.rows[2]?.json.error).toBe('This item has no files.');
		expect(fixture.charged()).toBe(1);
	});
});

describe('thirty items with a fixed prompt', () => {
	const titles = Array.from({ length: 30 }, (_, index) => `Row ${index + 1}`);
	const items = itemsOf(...titles);
	it('are one image, which each item has as a file of its own, and a hint says so', async () => {
		const parameters = fox({ fileName: '={{ $json.title }}' });
		const result = await fixture.run(parameters, { items });
		const { rows } = result;

		expect(fixture.charged()).toBe(1);
		expect(new Set(idsOf(result)).size).toBe(1);
		expect(pairsOf(rows)).toStrictEqual(titles.map((_, item) => ({ item })));
		expect(namesOf(rows)).toStrictEqual(titles.map((title) => `${title}.jpg`));
		expect(new Set(rows.map(({ binary }) => binary?.data?.id)).size).toBe(30);
		const [first, ...others] = await Promise.all(
			rows.map(async ({ binary }) => await fixture.engine.bytesOf(binary?.data)),
		);
		expect(first?.length).toBeGreaterThan(0);
		expect(others.every((bytes) => first?.equals(bytes))).toBe(true);
		expect(hintsOf(result)).toStrictEqual([
			'1 image was bought.',
			expect.stringMatching(
				/^All 30 items ask for the same image, so it is made once for all of them\. .*{{ \$json\.title }}/,
			),
		]);
	});
});

it('names that would be stored alike are numbered', async () => {
	const parameters = generate({ fileName: '={{ $json.title }}' });
	const { rows } = await fixture.run(parameters, { items: itemsOf('a/b.jpg', 'A?b.png') });

	expect(namesOf(rows)).toStrictEqual(['a-b.jpg', 'A-b-2.jpg']);
});
