import { sleep } from 'n8n-workflow';

import { settle } from '../../nodes/ImageGeneration/failures/outcome';
import { batched } from '../../nodes/ImageGeneration/recall/batched';

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
});

/** Calls that take 60 ms, and when each one began. */
function slowCalls() {
	const calls: Array<[number, string]> = [];
	const pass = batched(async (items: string[]) => {
		calls.push([Date.now(), items.join()]);
		await sleep(60);
		return items.length;
	});
	const at = async (ms: number, item: string, weight?: number) => {
		await sleep(ms);
		return await pass(item, weight);
	};
	return { calls, at };
}

describe('batched', () => {
	it('passes on what comes within a moment as one call, and gives each item its result', async () => {
		const { calls, at } = slowCalls();

		const results = Promise.all([at(0, 'a'), at(15, 'b'), at(30, 'c')]);
		await jest.advanceTimersByTimeAsync(1000);

		expect(calls).toStrictEqual([[50, 'a,b,c']]);
		expect(await results).toStrictEqual([3, 3, 3]);
	});

	it('waits no longer than it takes until as many have come as ever came together', async () => {
		const { calls, at } = slowCalls();

		void Promise.all([at(0, 'a'), at(0, 'b'), at(500, 'c'), at(540, 'd')]);
		await jest.advanceTimersByTimeAsync(1000);

		expect(calls).toStrictEqual([
			[20, 'a,b'],
			[540, 'c,d'],
		]);
	});

	it('joins again what missed a call of its group', async () => {
		const { calls, at } = slowCalls();

		void Promise.all([at(0, 'a'), at(0, 'b'), at(50, 'c')]);
		void Promise.all([at(500, 'a2'), at(500, 'b2'), at(570, 'c2')]);
		await jest.advanceTimersByTimeAsync(1000);

		expect(calls.map(([, items]) => items)).toStrictEqual(['a,b', 'c', 'a2,b2,c2']);
	});

	it('lets an item of no group wait a quarter of a second for others, and never longer', async () => {
		const { calls, at } = slowCalls();

		void Promise.all([at(0, 'a', 0), at(200, 'b'), at(1000, 'c', 0)]);
		await jest.advanceTimersByTimeAsync(2000);

		expect(calls).toStrictEqual([
			[220, 'a,b'],
			[1250, 'c'],
		]);
	});

	it('waits for nobody if the last item has come', async () => {
		const { calls, at } = slowCalls();

		void Promise.all([at(0, 'a', 0), at(100, 'last', Infinity)]);
		await jest.advanceTimersByTimeAsync(1000);

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
