import { gif, sizedGif } from '../support/images';
import { allOf, image, problemOf, sourcesOf } from '../support/planImages';

/** Files of these bytes in n8n's storage, and what is read of them. */
function stored(contents: Record<string, Buffer>, lost: readonly string[] = []) {
	const reads: Record<string, number> = {};
	const binary = Object.fromEntries(
		Object.keys(contents).map((id) => [
			id,
			image({ id, data: '', bytes: contents[id]?.length, fileName: `${id}.gif` }),
		]),
	);
	const read = async (id: string) => {
		reads[id] = (reads[id] ?? 0) + 1;
		// The first bytes are read first, then possibly the whole file.
		if (lost.includes(id) && reads[id] > 1) throw new Error('Gone');
		return contents[id] ?? Buffer.alloc(0);
	};
	return { reads, plan: async () => await allOf({ binary }, { read }) };
}

const long = (end: string) => gif(`${'x'.repeat(10_000)}${end}`);

describe('All Images of the Item', () => {
	it('reads whole files only if they have the same size and begin alike', async () => {
		const files = stored({
			one: long('1'),
			two: long('2'),
			again: long('1'),
			other: gif(`y${'x'.repeat(9_999)}1`),
			short: gif('1'),
		});

		expect(sourcesOf(await files.plan())).toStrictEqual(['one', 'two', 'other', 'short']);
		expect(files.reads).toStrictEqual({ one: 2, two: 2, again: 2, other: 1, short: 1 });
	});

	it('takes both of two files if one can’t be read to its end, which the request reports', async () => {
		const { plan } = stored({ one: long('1'), again: long('1') }, ['again']);

		expect(sourcesOf(await plan())).toStrictEqual(['one', 'again']);
	});

	it('says so if an item has nothing but tracking pixels', async () => {
		const { plan } = stored({ dot: sizedGif(2, 2) });

		expect(problemOf(await plan())).toMatchObject({
			message: 'This item has no image but tracking pixels, which are at most 2 × 2 pixels large.',
		});
	});
});
