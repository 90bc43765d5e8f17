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
		} else if (!mayBeCharged(outcome.failure)) {
			process.journal.drop(purchase);
			process.purchaseTimes.remove(purchase);
		}
		note(outcome);
	};
	const recorded = answered();
	process.awaited.set(purchase.entry, recorded);
	void settle(recorded.then(async () => await write()));

	/** Writes what came of it to the log until it takes it. */
	async function write(): Promise<void> {
		if (log === undefined) return;
		if (process.journal.get(purchase) === undefined) log.removeSoon(purchase);
		else if (purchase.result !== undefined) log.writeSoon(purchase);
		else return;
		await log.flushAtStop();
		await log.keepFlushing([purchase]);
	}
}
