import { sleep } from 'n8n-workflow';

import { settle } from '../../nodes/ImageGeneration/failures/failures';
import { batched } from '../../nodes/ImageGeneration/recall/batched';

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
});

type PassAt = (ms: number, item: string, weight?: number) => Promise<number>;

/** Passes items at their times, to calls that take 60 ms. @returns when each one began, and its items. */
async function callsFor(items: (at: PassAt) => Array<Promise<number>>) {
	const calls: Array<[number, string]> = [];
	const pass = batched(async (joined: string[]) => {
		calls.push([Date.now(), joined.join()]);
		await sleep(60);
		return joined.length;
	});
	const results = items(async (ms, item, weight) => {
		await sleep(ms);
		return await pass(item, weight);
	});
	await jest.advanceTimersByTimeAsync(2000);
	return { calls, results: await Promise.all(results) };
}

describe('batched', () => {
	it('passes on what comes within a moment as one call, and gives each item its result', async () => {
		const passed = await callsFor((at) => [at(0, 'a'), at(15, 'b'), at(30, 'c')]);

		expect(passed).toStrictEqual({ calls: [[50, 'a,b,c']], results: [3, 3, 3] });
	});

	it('waits no longer than it takes until as many have come as ever came together', async () => {
		const { calls } = await callsFor((at) => [at(0, 'a'), at(0, 'b'), at(500, 'c'), at(540, 'd')]);

		expect(calls).toStrictEqual([
			[20, 'a,b'],
			[540, 'c,d'],
		]);
	});

	it('joins again what missed a call of its group', async () => {
		const { calls } = await callsFor((at) => [
			at(0, 'a'),
			at(0, 'b'),
			at(50, 'c'),
			at(500, 'a2'),
			at(500, 'b2'),
			at(570, 'c2'),
		]);

		expect(calls.map(([, items]) => items)).toStrictEqual(['a,b', 'c', 'a2,b2,c2']);
	});

	it('lets an item of no group wait a quarter of a second for others, and never longer', async () => {
		const { calls } = await callsFor((at) => [at(0, 'a', 0), at(200, 'b'), at(1000, 'c', 0)]);

		expect(calls).toStrictEqual([
			[220, 'a,b'],
			[1250, 'c'],
		]);
	});

	it('waits for nobody if the last item has come', async () => {
		const { calls } = await callsFor((at) => [at(0, 'a', 0), at(100, 'last', Infinity)]);

		expect(calls).toStrictEqual([[100, 'a,last']]);
	});

	it('goes on after a call that fails', async () => {
		const pass = batched(async (items: string[]) => {
			await sleep(10);
			if (items.includes('bad')) throw new Error('No table');
			return items;
		});

		const bad = settle(pass('bad'));
		await jest.advanceTimersByTimeAsync(100);
		const good = pass('good');
		await jest.advanceTimersByTimeAsync(100);

		expect([await bad, await good]).toMatchObject([{ failure: { message: 'No table' } }, ['good']]);
	});
});
