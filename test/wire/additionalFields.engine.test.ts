import { useFixture } from '../support/fixture';
import { fox, itemsOf, removeBackground } from '../support/runs';

const fixture = useFixture();
const pair = (name: unknown, value: unknown) => ({ name, value });
const optionsWith = (...field: object[]) => ({ additionalFields: { field } });

describe('additional fields', () => {
	it('are sent as text parts, as they are, and may differ for each item', async () => {
		const mode = ' Ünïcode, "quoted" ';
		const seed = pair('seed', '={{ 6 * $json.title }}');
		await fixture.run(
			fox({ concurrency: 1, ...optionsWith(seed, pair('mode', mode), pair('empty', '')) }),
			{ items: itemsOf('7', '8') },
		);

		expect(fixture.calls().map(({ fields }) => fields)).toStrictEqual(
			['42', '48'].map((product) => ({
				text: 'A fox',
				width: '128',
				height: '128',
				image_generator_version: 'standard',
				seed: product,
				mode,
				empty: '',
			})),
		);
	});

	it('may set what the node leaves out', async () => {
		const options = optionsWith(pair('image_generator_version', 'hd'));
		await fixture.run(removeBackground({ options }), { items: [await fixture.photo()] });

		expect(fixture.calls()[0]?.fields).toStrictEqual({ image_generator_version: 'hd' });
	});

	it.each([
		[pair('text', 'A hen'), `'Additional Fields' contains "text", which the node sends itself.`],
		[pair(' width ', '64'), `'Additional Fields' contains "width", which the node sends itself.`],
		[pair('image', 'a'), `'Additional Fields' contains "image", which the node sends itself.`],
		[pair(' ', 'a'), `A name in 'Additional Fields' is empty.`],
		[{ value: 'a' }, `A name in 'Additional Fields' is empty.`],
		[pair('a', '={{ [1] }}'), `'Additional Fields' contains "[1]", which is not text.`],
		[pair('seed ', '2'), `'Additional Fields' contains "seed" twice.`],
	])('are rejected before anything is paid for: %j', async (field, message) => {
		const { error } = await fixture.run(fox(optionsWith(pair('seed', '1'), field)));

		expect(error?.message).toBe(message);
		expect(fixture.calls()).toStrictEqual([]);
	});
});
