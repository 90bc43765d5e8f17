import { planAll } from '../../nodes/ImageGeneration/plan/planAll';

/** Checks that end when they are told to. */
function heldChecks() {
	const held = new Map<number, (problem?: Error) => void>();
	const check = async (index: number) =>
		await new Promise<string>((resolve, reject) => {
			held.set(index, (problem) => {
				held.delete(index);
				if (problem === undefined) resolve(`plan ${index}`);
				else reject(problem);
			});
		});
	return { held, check };
}
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

describe('the check of all items', () => {
	it('looks at ten at once, goes on after a failure, and keeps the order', async () => {
		const { held, check } = heldChecks();
		const outcomes = planAll(12, check, undefined);
		await settle();
		expect([...held.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

		held.get(9)?.();
		held.get(3)?.(new Error('Prompt is empty.'));
		await settle();
		expect([...held.keys()]).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 10, 11]);

		for (const end of [...held.values()].reverse()) end();
		expect(await outcomes).toEqual(
			Array.from({ length: 12 }, (_, index) =>
				index === 3 ? { failure: new Error('Prompt is empty.') } : { value: `plan ${index}` },
			),
		);
	});

	it('begins no further one after a stop', async () => {
		const { held, check } = heldChecks();
		const stop = new AbortController();
		const outcomes = planAll(12, check, stop.signal);
		await settle();

		stop.abort();
		for (const end of held.values()) end();

		expect((await outcomes).filter((outcome) => 'value' in outcome)).toHaveLength(10);
		expect(held.size).toBe(0);
	});

	it('of no items is over at once', async () => {
		expect(
			await planAll(0, async () => await Promise.reject(new Error('None')), undefined),
		).toEqual([]);
	});
});
