import { batched } from '../../../nodes/ImageGeneration/recall/batched';

it('items that arrive during a call go together as the next one, and the first waits for nothing', async () => {
	const calls: number[][] = [];
	let end = () => {};
	const held = new Promise<void>((resolve) => {
		end = resolve;
	});
	const pass = batched(async (items: readonly number[]) => {
		calls.push([...items]);
		if (calls.length === 1) await held;
		return items.length;
	});
	const first = pass(1);
	await new Promise(setImmediate);
	const later = [pass(2), pass(3)];
	await new Promise(setImmediate);
	expect(calls).toStrictEqual([[1]]);
	end();

	expect(await Promise.all([first, ...later])).toStrictEqual([1, 2, 2]);
	expect(calls).toStrictEqual([[1], [2, 3]]);
});

it('a call that does not succeed concerns only its own items', async () => {
	let calls = 0;
	const pass = batched(async (items: readonly number[]) => {
		calls++;
		if (calls === 1) throw new Error('Full');
		return items;
	});
	const first = pass(1);

	await expect(first).rejects.toThrow('Full');
	await expect(pass(2)).resolves.toStrictEqual([2]);
});
