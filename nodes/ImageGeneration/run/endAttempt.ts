import type { INodeExecutionData } from 'n8n-workflow';

import { settle } from '../failures/failures';
import type { Purchase } from '../recall/purchase';
import { madeTableHints, missingRowHints } from '../report/hints';
import type { Attempt } from './attempt';

/** Ends an attempt of a run. @param items Its output; undefined if it did not get that far. */
export async function endAttempt(
	attempt: Attempt,
	items: INodeExecutionData[] | undefined,
): Promise<void> {
	const { memory, purchases, callers, toTell } = attempt;
	await callers.check();
	const end = howItEnded(attempt, items);
	const { delivered } = memory;
	memory.end(end === 'delivered');
	attempt.limits.execution.end(end === 'delivered');
	switch (end) {
		case 'continued':
			purchases.settleAllAnnounced();
			await settle(purchases.recording.log?.flush() ?? Promise.resolve());
			break;
		case 'stopped':
			purchases.stop();
			break;
		default: {
			const isRead = isReadable(attempt, items);
			if (isRead) {
				const told = [...toTell, ...purchases.had.filter(isUntold)];
				attempt.state.told.push(...told);
				purchases.markTold(told);
			}
			await purchases.end(end === 'delivered' ? delivered : undefined, isRead);
		}
	}
	if (callers.signal.aborted) await attempt.state.leave();
	const { tally } = attempt.log;
	attempt.context.addExecutionHints(...madeTableHints(tally), ...missingRowHints(tally));
	if (attempt.state.rates !== undefined) attempt.process.rates.leave(attempt.state.rates);
}

/** Whether a later run would tell of an image that people have got now. */
function isUntold({ state, told }: Purchase): boolean {
	return state === 'left' && !told;
}

/**
 * How an attempt of a run ended:
 * - `delivered`: n8n gets its output, and may not have stored it yet.
 * - `not delivered`: it failed, or it was a Dry Run.
 * - `stopped`: a person, a time limit or the end of a caller stopped it.
 * - `continued`: n8n starts another attempt, which goes on with what it bought.
 */
type Ending = 'delivered' | 'not delivered' | 'stopped' | 'continued';

function howItEnded(attempt: Attempt, items: INodeExecutionData[] | undefined): Ending {
	if (attempt.signal.aborted) return 'stopped';
	const hasAttempts = attempt.run.attemptsLeft > 0;
	const isOutput = items !== undefined && !(hasAttempts && countsAsFailure(items));
	// A Dry Run delivers nothing of what earlier attempts bought.
	if (isOutput) return attempt.dryRun ? 'not delivered' : 'delivered';
	// n8n starts the next attempt by itself, while an agent may never ask again.
	return hasAttempts && !attempt.isTool ? 'continued' : 'not delivered';
}

/** Whether people can read what a run says: nobody reads what a tool tells its model, or what n8n does not store. */
function isReadable(
	{ isTool, execution, dryRun }: Attempt,
	items: INodeExecutionData[] | undefined,
): boolean {
	if (isTool || dryRun) return false;
	return execution.isManual || (items === undefined ? execution.savesFailed : execution.savesWell);
}

/** Whether n8n takes output for a failure: if its first item has `json.error`, even one copied from the input. */
export function countsAsFailure([first]: INodeExecutionData[]): boolean {
	return first?.json.error !== undefined;
}
