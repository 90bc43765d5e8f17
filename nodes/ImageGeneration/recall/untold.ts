import { AWAITED_FOR } from './journal';
import { Judge } from './judge';
import { isBought, processOf, type Purchase } from './purchase';
import type { Recalling } from './recalling';

/**
 * Finds what other runs of the node left and nobody has told: requests that may have been charged, and images that nobody
 * has asked for.
 * @throws if a log does not answer
 */
export async function findUntold(attempt: Recalling): Promise<Purchase[]> {
	const { purchases, ask } = attempt;
	const { process, run: own } = purchases.recording;
	const judge = new Judge(process, ask);
	const untold: Purchase[] = [];
	const used = attempt.memory.entries;
	for (const purchase of await purchases.offers.findUntold()) {
		if (purchase.run === own || process.journal.isLive(purchase.run)) continue;
		if (process.awaited.has(purchase.entry) || used.has(purchase.entry)) continue;
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
