import { useFixture } from '../../support/fixture';
import { CONTINUE, generate, hintsOf, itemsOf, marked } from '../../support/runs';

const fixture = useFixture();
const dry = (options: object = {}) => generate({ dryRun: true, ...options });
/** A person tries it out in the editor. */
const MANUAL = { mode: 'manual' } as const;

describe('Dry Run', () => {
	it('shows what would be sent for each image, and buys nothing', async () => {
		const additionalFields = { field: [{ name: 'seed', value: '7' }] };
		const result = await fixture.run(dry({ numberOfImages: 2, additionalFields }), {
			...MANUAL,
			items: itemsOf('A fox'),
		});

		const size = { width: '128', height: '128' };
		const request = { text: 'A fox', ...size, image_generator_version: 'standard', seed: '7' };
		expect(result.rows).toStrictEqual(
			[1, 2].map((copy) => ({
				json: {
					alreadyBought: false,
					tool: 'text2img',
					request,
					output_url: null,
					fileName: null,
					copy,
				},
				pairedItem: { item: 0 },
			})),
		);
		expect(hintsOf(result)).toStrictEqual(['Dry Run, nothing was sent: 2 images would be bought.']);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('names each image of an item, and tells invalid items as usual', async () => {
		const binary = { a: await fixture.file('me.jpg'), b: await fixture.gif('dot') };
		const result = await fixture.run(
			{ ...dry(), operation: 'edit', prompt: 'Blur it', inputType: 'all' },
			{ ...MANUAL, items: [{ json: {}, binary }, { json: {} }], node: CONTINUE },
		);

		expect(result.rows.map(({ json }) => [json.source, json.fileName, json.request])).toStrictEqual(
			[
				['a', null, { image: 'me.jpg', text: 'Blur it' }],
				['b', null, { image: 'dot.gif', text: 'Blur it' }],
				[undefined, undefined, undefined],
			],
		);
		expect(result.rows[2]?.json.error).toBe('This item has no files.');
		expect(hintsOf(result)).toStrictEqual([
			'Dry Run, nothing was sent: 2 images would be bought; 1 item is invalid.',
			expect.stringMatching(/^1 image is missing\. Item 2: This item has no files\./),
		]);
		expect(fixture.calls()).toStrictEqual([]);
	});

	it('shows what would be reused, with its link, and leaves it to the next run', async () => {
		const reuse = 'always';
		const paid = await fixture.run(generate(), { items: itemsOf('paid') });
		const result = await fixture.run(dry({ reuse }), {
			...MANUAL,
			items: itemsOf('paid', 'A hen'),
		});
		const [known, missing] = result.rows;
		expect(known?.json).toMatchObject({
			alreadyBought: true,
			fileName: marked('paid'),
			output_url: paid.rows[0]?.json.output_url,
		});
		expect(missing?.json).toMatchObject({ alreadyBought: false, output_url: null });
		expect(hintsOf(result)).toStrictEqual([
			'Dry Run, nothing was sent: 1 image would be bought; 1 image used again.',
		]);

		const again = await fixture.run(generate({ reuse }), { items: itemsOf('paid') });
		expect(hintsOf(again)).toStrictEqual([expect.stringContaining('cost nothing')]);
		expect(fixture.charged()).toBe(1);
	});
});
