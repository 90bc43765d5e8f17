import { settle, type Outcome } from '../failures/failures';
import { mayBeCharged } from '../failures/retryDecision';
import { storable, type Purchase } from '../recall/purchase';
import type { Purchases } from '../recall/purchases';
import type { JobResult } from '../types';

/**
 * Waits in the background for the answer to a request of a run that was stopped, because it is mostly charged. What it
 * brings is left to the next run that asks for the same. Nothing waits for it, not even n8n's shutdown.
 * @param note Writes the outcome to n8n's log.
 */
export function awaitAnswer(
	{ recording: { process, log } }: Purchases,
	purchase: Purchase,
	answer: Promise<Outcome<JobResult>>,
	note: (outcome: Outcome<JobResult>) => void,
): void {
	const answered = async () => {
		const outcome = await answer;
		process.awaited.delete(purchase.entry);
		if ('value' in outcome) {
			Object.assign(purchase, { result: storable(outcome.value), state: 'left', told: false });
			// A large run may have pushed it out meanwhile.
			process.journal.put(purchase, process.timeOfDay());
		} else if (!mayBeCharged(outcome.failure)) {
			process.journal.drop(purchase);
			process.purchaseTimes.remove(purchase);
		}
		note(outcome);
		return outcome;
	};
	const recorded = answered();
	process.awaited.set(purchase.entry, recorded);
	void settle(recorded.then(write));

	/** Writes what came of it to the log until it takes it. */
	async function write(outcome: Outcome<JobResult>): Promise<void> {
		if (log === undefined) return;
		if ('value' in outcome) log.writeSoon(purchase);
		else if (!mayBeCharged(outcome.failure)) log.removeSoon(purchase);
		else return;
		await log.flushAtStop();
		await log.keepFlushing([purchase]);
	}
}
