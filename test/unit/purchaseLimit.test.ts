import type { IContextObject } from 'n8n-workflow';

import { purchaseLimit } from '../../nodes/ImageGeneration/buy/purchaseLimit';
import { LimitReached } from '../../nodes/ImageGeneration/failures/failures';

describe('Max Images', () => {
	it('counts over all runs of an execution, and takes back what was not charged', () => {
		const store: IContextObject = {};
		purchaseLimit(store, 3).reserve();
		purchaseLimit(store, 3).reserve();
		purchaseLimit(store, 3).release();

		expect(store).toEqual({ imagesBought: 1 });
		expect(purchaseLimit(store, 3).hasRoomFor(2)).toBe(true);
		expect(purchaseLimit(store, 3).hasRoomFor(3)).toBe(false);
	});

	it('allows no paid request beyond it', () => {
		const limit = purchaseLimit({}, 1);
		limit.reserve();

		expect(() => limit.reserve()).toThrow(new LimitReached(1, 1, 1));
		expect(limit.failure(4)).toEqual(new LimitReached(1, 1, 4));
	});

	it.each([[-3], [1.5], ['2'], [null], [{}], [NaN], [Infinity]])(
		'counts from 0 if the execution’s data holds %p',
		(imagesBought) => {
			const store: IContextObject = { imagesBought: imagesBought as number };
			const limit = purchaseLimit(store, 2);

			expect(limit.hasRoomFor(2)).toBe(true);
			expect(limit.hasRoomFor(3)).toBe(false);
			limit.reserve();
			expect(store).toEqual({ imagesBought: 1 });
		},
	);

	it('neither limits nor counts if it is not set', () => {
		const store: IContextObject = {};
		const limit = purchaseLimit(store, undefined);
		limit.reserve();
		limit.release();

		expect(limit.hasRoomFor(1_000_000)).toBe(true);
		expect(store).toEqual({});
	});
});
