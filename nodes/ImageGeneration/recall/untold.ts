import type { Job } from '../types';
import { AWAITED_FOR } from './journal';
import { Judge } from './judge';
import type { Known } from './known';
import { isBought, processOf, type Purchase } from './purchase';
import type { Recalling } from './recalling';

/**
 * Finds what other runs of the node left and nobody has told: requests that may have been charged, and images that nobody
 * has asked for.
 * @param known What the run has found. If it has not looked, it tells of no image, because it may want it.
 * @throws if a log does not answer
 */
export async function findUntold(
	attempt: Recalling,
	known: ReadonlyMap<Job, Known> | undefined,
): Promise<Purchase[]> {
	const { purchases, ask } = attempt;
	const { process, run: own } = purchases.recording;
	const judge = new Judge(process, ask);
	const untold: Purchase[] = [];
	const found = [...(known?.values() ?? [])].map(({ purchase, entry }) => purchase?.entry ?? entry);
	for (const purchase of await purchases.offers.findUntold()) {
		if (purchase.run === own || process.journal.isLive(purchase.run)) continue;
		if (process.awaited.has(purchase.entry) || found.includes(purchase.entry)) continue;
		if (isBought(purchase) && known === undefined) continue;
		if (await isOver(purchase)) untold.push(purchase);
	}
	return untold;

	/** Whether its run is over, so that nothing more comes of it. */
	async function isOver(purchase: Purchase): Promise<boolean> {
		if (purchase.state === 'left') return true;
		const isForeign = processOf(purchase.run) !== process.name;
		// A request of this process, whose run does not go on.
		if (!isForeign && !isBought(purchase)) return true;
		const isYoung = process.timeOfDay() - purchase.time < AWAITED_FOR;
		if (isForeign && isYoung) return false;
		const word = await judge.wordOn(purchase);
		return isBought(purchase) ? word === 'did not end well' : word !== 'goes on';
	}
}
