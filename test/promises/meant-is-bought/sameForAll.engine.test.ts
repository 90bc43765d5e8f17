import type { INodeExecutionData } from 'n8n-workflow';

import { useFixture } from '../../support/fixture';
import {
	fox,
	generate,
	hintsOf,
	idsOf,
	itemsOf,
	marked,
	namesOf,
	removeBackground,
} from '../../support/runs';

const fixture = useFixture({ allowance: 10_000 });
const titles = Array.from({ length: 30 }, (_, index) => `Row ${index + 1}`);
const thirty = itemsOf(...titles);
const pairsOf = (rows: INodeExecutionData[]) => rows.map(({ pairedItem }) => pairedItem);

/** What a hint says if this many items ask for the same. */
const sameForAll = (count: number) =>
	expect.stringMatching(
		`^All ${count} items ask for the same image, so it is made once and each of them gets it\\. .*{{ \\$json\\.title }}`,
	) as string;

describe('thirty items with a fixed prompt', () => {
	it('are one image, which each item has as a file of its own, and a hint says so', async () => {
		const parameters = fox({ fileName: '={{ $json.title }}' });
		const result = await fixture.run(parameters, { items: thirty });
		const { rows } = result;

		expect(fixture.charged()).toBe(1);
		expect(new Set(idsOf(result)).size).toBe(1);
		expect(pairsOf(rows)).toStrictEqual(titles.map((_, item) => ({ item })));
		expect(namesOf(rows)).toStrictEqual(titles.map((title) => `${title}.jpg`));
		expect(rows.map(({ json }) => json.fileName)).toStrictEqual(namesOf(rows));
		expect(new Set(rows.map(({ binary }) => binary?.data?.id)).size).toBe(30);
		const [first, ...others] = await Promise.all(
			rows.map(async ({ binary }) => await fixture.engine.bytesOf(binary?.data)),
		);
		expect(first?.length).toBeGreaterThan(0);
		expect(others.every((bytes) => first?.equals(bytes))).toBe(true);
		expect(hintsOf(result)).toStrictEqual(['1 image was bought.', sameForAll(30)]);
	});

	it('are two images with Number of Images 2, in the same order for each item', async () => {
		const result = await fixture.run(fox({ numberOfImages: 2, concurrency: 1 }), { items: thirty });
		const [first, second] = fixture.charges().map(({ jobId }) => jobId);

		expect(fixture.charged()).toBe(2);
		expect(result.rows.map(({ json }) => [json.copy, json.id])).toStrictEqual(
			titles.flatMap(() => [
				[1, first],
				[2, second],
			]),
		);
		expect(pairsOf(result.rows)).toStrictEqual(titles.flatMap((_, item) => [{ item }, { item }]));
	});

	it('are one image for Dry Run and for Max Images, and Dry Run says that all ask for the same', async () => {
		const dry = await fixture.run(fox({ dryRun: true }), { items: thirty, mode: 'manual' });
		expect(dry.rows).toHaveLength(30);
		expect(hintsOf(dry)).toStrictEqual([
			'Dry Run, nothing was sent: 1 image would be bought.',
			sameForAll(30),
		]);

		const { error } = await fixture.run(fox({ maxImages: 1 }), { items: thirty });
		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it('share a refusal, whose message names the first and counts the others', async () => {
		fixture.sandbox.arm({ fault: 'status', status: 400 });
		const { error } = await fixture.run(fox(), { items: thirty });

		expect(error?.message).toMatch(/^Item 1, "A fox" and 29 equal items: /);
		expect(fixture.calls()).toHaveLength(1);
	});
});

it('items of which only some have the same title each have an image of their own, and a hint names those', async () => {
	const items = itemsOf('A cat', 'A dog', 'A cat', 'An owl');
	const result = await fixture.run(generate(), { items });

	expect(fixture.charged()).toBe(4);
	expect(new Set(idsOf(result)).size).toBe(4);
	expect(new Set(namesOf(result.rows)).size).toBe(4);
	expect(hintsOf(result)).toStrictEqual([
		'4 images were bought.',
		expect.stringMatching(/^Items 1 and 3, &quot;A cat&quot; ask for the same image, and each/),
	]);
});

describe('five variants of a product with one photo', () => {
	const colors = ['red', 'green', 'blue', 'black', 'white'];
	const variants = async () =>
		await Promise.all(colors.map(async (color) => await fixture.photo(`shirt-${color}.jpg`)));

	it('are one purchase of Remove Background, and five files with names of their own', async () => {
		const { rows, error } = await fixture.run(removeBackground(), { items: await variants() });

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
		expect(new Set(rows.map(({ json }) => json.id)).size).toBe(1);
		expect(namesOf(rows)).toStrictEqual(
			colors.map((color) => marked(`shirt-${color}-no-background`, 'png')),
		);
		expect(new Set(rows.map(({ binary }) => binary?.data?.id)).size).toBe(5);
		expect(pairsOf(rows)).toStrictEqual(colors.map((_, item) => ({ item })));
	});
});
