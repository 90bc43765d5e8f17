import { settle } from '../failures/outcome';

/**
 * Collects items while a call is under way, and passes them on together as the next call.
 * @param gather Waits a moment for items that arrive together.
 */
export function batched<Item, Result>(
	call: (items: Item[]) => Promise<Result>,
	gather: () => Promise<void>,
): (item: Item) => Promise<Result> {
	let items: Item[] = [];
	let next: Promise<Result> | undefined;
	let last: Promise<unknown> = Promise.resolve();

	const callAfter = async (before: Promise<unknown>): Promise<Result> => {
		await Promise.all([settle(before), gather()]);
		const batch = items;
		items = [];
		next = undefined;
		return await call(batch);
	};

	return async (item) => {
		items.push(item);
		if (next === undefined) last = next = callAfter(last);
		return await next;
	};
}
