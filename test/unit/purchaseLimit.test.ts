import type { IContextObject } from 'n8n-workflow';

import { purchaseLimit } from '../../nodes/ImageGeneration/buy/purchaseLimit';
import { NotStarted } from '../../nodes/ImageGeneration/buy/runCapped';
import { LimitReached } from '../../nodes/ImageGeneration/failures/failures';

describe('Max Images', () => {
	it('counts over all runs of an execution, and takes back what was not charged', async () => {
		const store: IContextObject = {};
		await purchaseLimit(store, 3).reserve();
		await purchaseLimit(store, 3).reserve();
		purchaseLimit(store, 3).settle(false);
		purchaseLimit(store, 3).settle(true);

		expect(store).toEqual({ imagesBought: 1 });
		expect(purchaseLimit(store, 3).hasRoomFor(2)).toBe(true);
		expect(purchaseLimit(store, 3).hasRoomFor(3)).toBe(false);
	});

	it('allows no paid request beyond it', async () => {
		const limit = purchaseLimit({}, 1);
		await limit.reserve();
		expect(limit.reserveAnother()).toBe(false);
		limit.settle(true);

		await expect(limit.reserve()).rejects.toEqual(new LimitReached(1, 1, 1));
		expect(limit.failure(4)).toEqual(new LimitReached(1, 1, 4));
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

		await expect(refused).rejects.toEqual(new LimitReached(2, 2, 1));
		expect(store).toEqual({ imagesBought: 2 });
	});

	it('counts a job that waits as not started when the run ends', async () => {
		const limit = purchaseLimit({}, 1);
		await limit.reserve();
		const stop = new AbortController();
		const waiting = limit.reserve(stop.signal);
		stop.abort(new Error('Stopped'));

		await expect(waiting).rejects.toBeInstanceOf(NotStarted);
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

			expect(limit.hasRoomFor(2)).toBe(true);
			expect(limit.hasRoomFor(3)).toBe(false);
			await limit.reserve();
			expect(store).toEqual({ imagesBought: 1 });
		},
	);

	it('neither limits nor counts if it is not set', async () => {
		const store: IContextObject = {};
		const limit = purchaseLimit(store, undefined);
		await limit.reserve();
		limit.settle(false);

		expect(limit.hasRoomFor(1_000_000)).toBe(true);
		expect(store).toEqual({});
	});
});
