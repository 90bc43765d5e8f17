import { sleep } from 'n8n-workflow';

import { settle } from '../failures/outcome';

/** Milliseconds in which items arrive that belong together. */
const GATHERING = 10;

/** Collects items while a call is under way, and passes them on together as the next call. */
export function batched<Item, Result>(
	call: (items: Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
	let items: Item[] = [];
	let next: Promise<Result> | undefined;
	let last: Promise<unknown> = Promise.resolve();

	const callAfter = async (before: Promise<unknown>): Promise<Result> => {
		await Promise.all([settle(before), sleep(GATHERING)]);
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
