import type { EngineResult } from '../support/engine';
import { useFixture } from '../support/fixture';
import { PIXEL } from '../support/images';

const fixture = useFixture();
const hintsOf = ({ run: { data } }: EngineResult) =>
	data.resultData.runData['Image Generation']?.at(-1)?.hints?.map(({ message }) => message);

const generate = (options: object = {}) => ({
	operation: 'generate',
	prompt: '={{ $json.title }}',
	size: '128x128',
	options: { dryRun: true, ...options },
});
const titles = (...all: string[]) => all.map((title) => ({ json: { title } }));
const continues = { onError: 'continueRegularOutput' } as const;

describe('Dry Run', () => {
	it('shows what would be sent for each image, and buys nothing', async () => {
		const additionalFields = { field: [{ name: 'seed', value: '7' }] };
		const result = await fixture.run(generate({ numberOfImages: 2, additionalFields }), {
			items: titles('A fox'),
		});

		const size = { width: '128', height: '128' };
		const request = { text: 'A fox', ...size, image_generator_version: 'standard', seed: '7' };
		expect(result.rows).toEqual(
			[1, 2].map((copy) => ({
				json: { fileName: copy === 1 ? 'a-fox' : 'a-fox-2', tool: 'text2img', request, copy },
				pairedItem: { item: 0 },
			})),
		);
		expect(hintsOf(result)).toEqual(['2 images would be bought.']);
		expect(fixture.calls()).toEqual([]);
	});

	it('names each image of an item, and tells invalid items as usual', async () => {
		const photo = await fixture.file('me.jpg');
		const pixel = await fixture.engine.store(PIXEL, 'dot.gif', 'image/gif');
		const items = [{ json: {}, binary: { a: photo, b: pixel } }, { json: {} }];
		const result = await fixture.run(
			{ operation: 'edit', prompt: 'Blur it', inputType: 'all', options: { dryRun: true } },
			{ items, node: continues },
		);

		expect(result.rows.map(({ json }) => [json.source, json.fileName, json.request])).toEqual([
			['a', 'me-edited', { image: 'me.jpg', text: 'Blur it' }],
			['b', 'dot-edited', { image: 'dot.gif', text: 'Blur it' }],
			[undefined, undefined, undefined],
		]);
		expect(result.rows[2]?.json.error).toBe('This item has no files.');
		expect(hintsOf(result)).toEqual(['2 images would be bought; 1 item is invalid.']);
		expect(fixture.calls()).toEqual([]);
	});

	it('stops at an invalid item if On Error is Stop', async () => {
		const { error } = await fixture.run(generate(), { items: titles('A fox', '') });

		expect(error?.message).toContain("'Prompt' is empty.");
	});

	it('counts what Max Images allows', async () => {
		const items = titles('One', 'Two', 'Three');
		const stopped = await fixture.run(generate({ maxImages: 2 }), { items });
		expect(stopped.error?.message).toContain("'Max Images' is 2");

		const result = await fixture.run(generate({ maxImages: 2 }), { items, node: continues });
		expect(result.rows).toHaveLength(3);
		expect(hintsOf(result)).toEqual(["3 images would be bought; 'Max Images' allows only 2."]);
		expect(fixture.calls()).toEqual([]);
	});

	it('shows what would be reused, with its link, and leaves it to the next run', async () => {
		const items = titles('paid', 'A hen');
		const paid = await fixture.run(generate({ dryRun: false }), { items: titles('paid') });
		const reuse = 'always';
		const dry = await fixture.run(generate({ reuse }), { items });
		const link = paid.rows[0]?.json.output_url;
		expect(dry.rows[0]?.json).toMatchObject({ alreadyBought: true, output_url: link });
		expect(dry.rows[0]?.json.fileName).toBe('paid.jpg');
		expect(dry.rows[1]?.json).not.toHaveProperty('alreadyBought');
		expect(hintsOf(dry)).toEqual(['1 image would be bought; 1 image reused from an earlier run.']);

		const again = await fixture.run(generate({ dryRun: false, reuse }), { items: titles('paid') });
		expect(hintsOf(again)).toEqual(['1 image was reused from an earlier run.']);
		expect(fixture.charged()).toBe(1);
	});
});
