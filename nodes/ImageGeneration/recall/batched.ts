import { sleep } from 'n8n-workflow';

import { settle } from '../failures/outcome';

/** Milliseconds after an item in which others arrive that belong to it. */
const GATHERING = 20;
/** The most milliseconds that an item waits for others. */
const PATIENCE = 250;
const TICK = 5;

/**
 * Collects items while a call is under way, and passes them on together as the next call.
 * @returns Passes an item on; a patient one waits for others.
 */
export function batched<Item, Result>(
	call: (items: Item[]) => Promise<Result>,
): (item: Item, isPatient?: boolean) => Promise<Result> {
	let items: Item[] = [];
	let next: Promise<Result> | undefined;
	let last: Promise<unknown> = Promise.resolve();
	/** When the next call may start, and when it must. */
	let due = 0;
	let latest = 0;

	const callAfter = async (before: Promise<unknown>): Promise<Result> => {
		await settle(before);
		// At least once, so that those who wait for the last call have seen its outcome.
		do await sleep(TICK);
		while (Date.now() < due);
		const batch = items;
		items = [];
		next = undefined;
		return await call(batch);
	};

	return async (item, isPatient = false) => {
		items.push(item);
		if (items.length === 1) due = latest = Date.now() + PATIENCE;
		if (!isPatient) due = Math.min(latest, Date.now() + GATHERING);
		if (next === undefined) last = next = callAfter(last);
		return await next;
	};
}
