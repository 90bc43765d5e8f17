import { sleep } from 'n8n-workflow';

import { settle, unwrap } from '../failures/outcome';

/** Milliseconds after an item in which others of the first group arrive. */
const GATHERING = 20;
/** The same for later groups. A call takes less, so whoever missed one is back in time for the next. */
const REJOINING = 80;
/** The most milliseconds that an item waits for others. */
const PATIENCE = 250;
const TICK = 5;

/**
 * Collects items while a call is under way, and passes them on together as the next call. Items come in
 * groups, such as the next requests after images that were ready at once: as soon as as many have come as
 * ever came together, nobody waits for more.
 * @returns Passes an item on. One with weight 0 belongs to no group and waits for others; one with weight
 *   Infinity waits for none.
 */
export function batched<Item, Result>(
	call: (items: Item[]) => Promise<Result>,
): (item: Item, weight?: number) => Promise<Result> {
	let items: Item[] = [];
	let next: Promise<Result> | undefined;
	let last: Promise<unknown> = Promise.resolve();
	/** How many of a group have come, and the size of the largest; undefined before the first. */
	let arrived = 0;
	let group: number | undefined;
	/** When the next call may start, and when it must. */
	let due = 0;
	let latest = 0;

	const callAfter = async (before: Promise<unknown>): Promise<Result> => {
		await settle(before);
		// At least once, so that those who wait for the last call have seen its outcome.
		do await sleep(TICK);
		while (performance.now() < due);
		const batch = items;
		const together = arrived;
		items = [];
		arrived = 0;
		next = undefined;
		const outcome = await settle(call(batch));
		// Who came during the call belongs to the same group.
		group = Math.max(group ?? 0, together + arrived);
		return unwrap(outcome);
	};

	return async (item, weight = 1) => {
		items.push(item);
		arrived += weight;
		const now = performance.now();
		if (items.length === 1) due = latest = now + PATIENCE;
		if (weight > 0) {
			const wait = group === undefined ? GATHERING : REJOINING;
			due = arrived >= (group ?? Infinity) ? now : Math.min(latest, now + wait);
		}
		if (next === undefined) last = next = callAfter(last);
		return await next;
	};
}
