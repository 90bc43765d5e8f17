import type { IContextObject } from 'n8n-workflow';

import { purchaseLimit } from '../../nodes/ImageGeneration/buy/purchaseLimit';
import { notStarted } from '../../nodes/ImageGeneration/failures/outcome';

const refusal = (max: number, bought: number, needed: number) => ({
	...{ kind: 'limit reached', max, bought, needed, isTool: false },
});

describe('Max Images', () => {
	it('counts over all runs of an execution, and takes back what was not charged', async () => {
		const store: IContextObject = {};
		await purchaseLimit(store, 3).reserve();
		await purchaseLimit(store, 3).reserve();
		purchaseLimit(store, 3).settle(false);
		purchaseLimit(store, 3).settle(true);

		expect(store).toEqual({ imagesBought: 1 });
		expect(purchaseLimit(store, 3).refusal(2)).toBeUndefined();
		expect(purchaseLimit(store, 3).refusal(3)).toEqual(refusal(3, 1, 3));
	});

	it('allows no paid request beyond it', async () => {
		const limit = purchaseLimit({}, 1);
		await limit.reserve();
		expect(limit.reserveAnother()).toBe(false);
		limit.settle(true);

		await expect(limit.reserve()).rejects.toMatchObject({ failure: refusal(1, 1, 1) });
		expect(limit.refusal(4)).toEqual(refusal(1, 1, 4));
	});

	it('lets a request wait for those in progress, which parallel calls of an agent share', async () => {
		const store: IContextObject = {};
		await purchaseLimit(store, 2).reserve();
		await purchaseLimit(store, 2).reserve();
		const waiting = purchaseLimit(store, 2).reserve();
		const refused = purchaseLimit(store, 2).reserve();
		purchaseLimit(store, 2).settle(false);
		await waiting;
		purchaseLimit(store, 2).settle(true);
		purchaseLimit(store, 2).settle(true);

		await expect(refused).rejects.toMatchObject({ failure: refusal(2, 2, 1) });
		expect(store).toEqual({ imagesBought: 2 });
	});

	it('counts a job that waits as not started when the run ends', async () => {
		const limit = purchaseLimit({}, 1);
		await limit.reserve();
		const stop = new AbortController();
		const waiting = limit.reserve(stop.signal);
		stop.abort(new Error('Stopped'));

		await expect(waiting).rejects.toMatchObject(notStarted);
	});

	it('counts a request that is repeated although it may have been charged', async () => {
		const store: IContextObject = {};
		const limit = purchaseLimit(store, 2);
		await limit.reserve();

		expect(limit.reserveAnother()).toBe(true);
		limit.settle(true);
		expect(store).toEqual({ imagesBought: 2 });
	});

	it.each([[-3], [1.5], ['2'], [null], [{}], [NaN], [Infinity]])(
		'counts from 0 if the execution’s data holds %p',
		async (imagesBought) => {
			const store: IContextObject = { imagesBought: imagesBought as number };
			const limit = purchaseLimit(store, 2);

			expect(limit.refusal(2)).toBeUndefined();
			expect(limit.refusal(3)).toEqual(refusal(2, 0, 3));
			await limit.reserve();
			expect(store).toEqual({ imagesBought: 1 });
		},
	);

	it('neither limits nor counts if it is not set', async () => {
		const store: IContextObject = {};
		const limit = purchaseLimit(store, undefined);
		await limit.reserve();
		limit.settle(false);

		expect(limit.refusal(1_000_000)).toBeUndefined();
		expect(store).toEqual({});
	});
});
