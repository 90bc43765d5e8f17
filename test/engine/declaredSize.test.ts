import { useFixture } from '../support/fixture';

const fixture = useFixture();

async function cutOut(bytes: number | undefined) {
	const data = await fixture.file();
	if (bytes === undefined) delete data.bytes;
	else data.bytes = bytes;
	return await fixture.run(
		{ operation: 'removeBackground' },
		{ items: [{ json: {}, binary: { data } }] },
	);
}

describe('an image’s declared size', () => {
	it('is read from n8n’s storage if the item does not declare it, as in n8n 1', async () => {
		const { error } = await cutOut(undefined);

		expect(error).toBeUndefined();
		expect(fixture.charged()).toBe(1);
	});

	it.each([100, 10_000_000])(
		'ends the upload at once if it is wrong, and nothing is charged: %d',
		async (bytes) => {
			const { error } = await cutOut(bytes);

			expect(error?.message).toBe(
				`The file "astronaut.jpg" can't be read: its length is not the expected ${bytes} bytes`,
			);
			expect(fixture.charged()).toBe(0);
			expect(fixture.downloads()).toEqual([]);
		},
	);
});
