import type { IContextObject } from 'n8n-workflow';

import { PurchaseLimit, PurchaseLine } from '../../nodes/ImageGeneration/buy/purchaseLimit';
import { notStarted } from '../../nodes/ImageGeneration/failures/failures';

const { signal } = new AbortController();
const refusal = (max: number, bought: number, needed: number) => ({
	kind: 'limit reached',
	per: 'execution',
	max,
	bought,
	needed,
	isNothingSent: true,
	isTool: false,
});

describe('Max Images', () => {
	it('lets a request wait for those in progress, which parallel calls of an agent share', async () => {
		const store: IContextObject = {};
		const line = new PurchaseLine();
		const reserve = async () => await new PurchaseLimit(store, line, 2).reserve(signal);
		const [first, second] = [await reserve(), await reserve()];
		const waiting = reserve();
		const refused = reserve();
		first.end(false);
		(await waiting).end(true);
		second.end(true);

		await expect(refused).rejects.toMatchObject({
			failure: { ...refusal(2, 2, 1), isNothingSent: false },
		});
		expect(store).toStrictEqual({ imagesBought: 2 });
	});

	it('counts a job that waits as not started when the run ends', async () => {
		const limit = new PurchaseLimit({}, new PurchaseLine(), 1);
		await limit.reserve(signal);
		const stop = new AbortController();
		const waiting = limit.reserve(stop.signal);
		stop.abort(new Error('Stopped'));

		await expect(waiting).rejects.toMatchObject(notStarted);
	});

	it('leaves no count in the data of a run that delivered everything without it', async () => {
		const store: IContextObject = {};
		const limit = new PurchaseLimit(store, new PurchaseLine(), Infinity);
		(await limit.reserve(signal)).end(true);
		limit.end(true);

		expect(store).toStrictEqual({});
	});

	it.each([false, true])(
		'keeps its count for the next round of a loop or call of an agent: %s',
		async (isDelivered) => {
			const store: IContextObject = {};
			const limit = new PurchaseLimit(store, new PurchaseLine(), 3);
			(await limit.reserve(signal)).end(true);
			limit.end(isDelivered);

			expect(store).toStrictEqual({ imagesBought: 1 });
		},
	);

	it('leaves no count of requests that were free', async () => {
		const store: IContextObject = {};
		const limit = new PurchaseLimit(store, new PurchaseLine(), Infinity);
		(await limit.reserve(signal)).end(false);
		limit.end(false);

		expect(store).toStrictEqual({});
	});
});
