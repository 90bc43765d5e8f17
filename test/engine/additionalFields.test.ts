import type { INodeParameters } from 'n8n-workflow';

import { useFixture } from '../support/fixture';

const fixture = useFixture();

const generate = (field: unknown, more: INodeParameters = {}) => ({
	operation: 'generate',
	prompt: 'A fox',
	size: '128x128',
	...more,
	options: { additionalFields: { field } } as INodeParameters,
});
const pair = (name: unknown, value: unknown) => ({ name, value });

describe('additional fields', () => {
	it('are sent as text parts, as they are', async () => {
		const field = [
			pair('seed', '={{ 6 * 7 }}'),
			pair('mode', ' Ünïcode, "quoted" '),
			pair('empty', ''),
		];
		const { error } = await fixture.run(generate(field));

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.fields).toEqual({
			text: 'A fox',
			width: '128',
			height: '128',
			image_generator_version: 'standard',
			seed: '42',
			mode: ' Ünïcode, "quoted" ',
			empty: '',
		});
	});

	it('may differ for each item', async () => {
		const items = [{ json: { seed: 1 } }, { json: { seed: 2 } }];
		await fixture.run(generate([pair('seed', '={{ $json.seed }}')]), { items });

		expect(
			fixture
				.calls()
				.map(({ fields }) => fields.seed)
				.sort(),
		).toEqual(['1', '2']);
	});

	it('may set what the node leaves out', async () => {
		const field = [pair('image_generator_version', 'hd')];
		const { error } = await fixture.run(
			{ ...generate(field), operation: 'removeBackground' },
			{ items: [await fixture.photo()] },
		);

		expect(error).toBeUndefined();
		expect(fixture.calls()[0]?.fields).toEqual({ image_generator_version: 'hd' });
	});

	it.each([
		[pair('text', 'A hen'), `'Additional Fields' contains "text", which the node sends itself.`],
		[pair(' width ', '64'), `'Additional Fields' contains "width", which the node sends itself.`],
		[pair('image', 'a'), `'Additional Fields' contains "image", which the node sends itself.`],
		[pair(' ', 'a'), `A name in 'Additional Fields' is empty.`],
		[{ value: 'a' }, `A name in 'Additional Fields' is empty.`],
		[pair('a', '={{ [1] }}'), `'Additional Fields' contains "[1]", which is not text.`],
	])('are rejected before anything is paid for: %j', async (field, message) => {
		const { error } = await fixture.run(generate([pair('seed', '1'), field]));

		expect(error?.message).toBe(message);
		expect(fixture.calls()).toEqual([]);
	});

	it('are rejected if a name occurs twice', async () => {
		const { error } = await fixture.run(generate([pair('seed', '1'), pair('seed ', '2')]));

		expect(error?.message).toBe(`'Additional Fields' contains "seed" twice.`);
		expect(fixture.calls()).toEqual([]);
	});

	it('belong to the request: Retry buys an image again only if they were edited', async () => {
		const items = ['One', 'Two'].map((title) => ({ json: { title } }));
		const withSeed = (seed: string) =>
			generate([pair('seed', seed)], { prompt: '={{ $json.title }}' });
		fixture.sandbox.arm({ fault: 'status', status: 400, when: 'Two' });
		const failed = await fixture.run(withSeed('1'), { items });
		expect(fixture.charged()).toBe(1);

		await fixture.retry(failed, withSeed('1'), { items });
		expect(fixture.charged()).toBe(2);
		await fixture.retry(failed, withSeed('2'), { items });
		expect(fixture.charged()).toBe(4);
	});
});
