import { settle } from '../failures/failures';
import type { Job } from '../types';
import { Judge } from './judge';
import { offersToTake, type Recalled } from './known';
import type { Offer } from './offers';
import type { Recalling } from './recalling';

/**
 * Takes what {@link Recalled} names.
 * @returns false if another run was faster with something: then recall has to look again
 * @throws if the log does not answer
 */
export async function takeFound(attempt: Recalling, recalled: Recalled): Promise<boolean> {
	const { memory, purchases } = attempt;
	await settle(adopt(attempt, recalled));
	const wanted = offersToTake(recalled);
	const won = await purchases.offers.take(wanted);
	const lost = [...wanted.keys()].filter((job) => !won.has(job));
	for (const job of lost) recalled.known.delete(job);
	for (const [job, { outcome, from, purchase }] of recalled.known) {
		if (purchase === undefined) continue;
		attempt.used.add(purchase.entry);
		memory.add(job, outcome, purchase, from);
		if (from === 'earlier run') purchases.had.push(purchase);
		purchases.settleAnnounced(job, purchase);
	}
	return lost.length === 0;
}

/** Makes what Retry begins with this run's own, unless another run has it. It has the images in any case. */
async function adopt({ purchases, ask }: Recalling, { known }: Recalled): Promise<void> {
	const judge = new Judge(purchases.recording.process, ask);
	const entries = new Map<string, Job>();
	for (const [job, { from, entry }] of known) {
		if (from === 'Retry' && entry !== undefined) entries.set(entry, job);
	}
	if (entries.size === 0) return;
	const toTake = new Map<Job, Offer>();
	for (const offer of await purchases.offers.findEntries([...entries.keys()])) {
		const { purchase } = offer;
		const job = entries.get(purchase.entry);
		if (job === undefined) continue;
		// A purchase that another run has taken meanwhile stays with it.
		const isLeft =
			purchase.state === 'left' || (await judge.wordOn(purchase)) === 'did not end well';
		if (isLeft) toTake.set(job, offer);
	}
	await purchases.offers.take(toTake);
}
