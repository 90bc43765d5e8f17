import type { INodeExecutionData } from 'n8n-workflow';

import type { Batch } from '../buy/batch';
import type { Purchase } from '../recall/purchase';
import { memoryHint } from '../report/hints';
import type { Attempt, StartedAttempt } from './attempt';

/**
 * How an attempt of a run ended:
 * - `delivered`: n8n gets its output, and may not have stored it yet.
 * - `not delivered`: it failed, or it was a Dry Run.
 * - `stopped`: a person, a time limit or the end of a caller stopped it.
 * - `continued`: n8n starts another attempt, which goes on with what it bought.
 */
type Ending = 'delivered' | 'not delivered' | 'stopped' | 'continued';

/**
 * Ends an attempt of a run.
 * @param items Its output; undefined if it did not get that far.
 */
export async function endAttempt(
	attempt: Attempt,
	batch: Batch,
	items: INodeExecutionData[] | undefined,
): Promise<void> {
	const { context, process, run, memory, purchases, limits, options, state, log } = attempt;
	limits.giveBack(run.planned);
	// The log may take a moment, in which the run may be stopped.
	if (!attempt.signal.aborted) await purchases.flush();
	const ending = endingOf(attempt, items);
	const isDelivered = ending === 'delivered';
	if (isDelivered && batch.isComplete) memory.forget(batch.jobs.flatMap(({ rows }) => rows));
	if (ending !== 'continued') {
		run.stopListening();
		if (isDelivered) purchases.end(batch.undelivered);
		else purchases.end();
		limits.end(isDelivered);
		const { maxImagesPerDay } = options;
		const counted = maxImagesPerDay === Infinity ? 0 : maxImagesPerDay;
		process.journal.trim(run.node, Math.max(batch.jobs.length, counted), process.timeOfDay());
	}
	// After Stop nobody waits.
	if (ending !== 'stopped') await purchases.flush();
	context.addExecutionHints(...memoryHint(log.tally, isForgotten(attempt)));
	if (state.rates !== undefined) process.rates.leave(state.rates);
}

/** Whether people should hear that the node forgets what it bought when n8n restarts: with its first images. */
function isForgotten({ process, execution, purchaseLog, log, run }: Attempt): boolean {
	if (purchaseLog !== undefined || log.tally.paid === 0 || !execution.isManual) return false;
	const isOwn = (each: Purchase) => each.execution === run.execution && each.round === run.round;
	return process.journal.of(run.node).every(isOwn);
}

/** Gives up an attempt that could not be prepared. What earlier attempts have goes back if n8n makes no other one. */
export function endUnprepared({ process, run }: StartedAttempt): void {
	if (run.attemptsLeft > 0) return;
	run.stopListening();
	run.endUndelivered();
	process.journal.end(run);
}

function endingOf(attempt: Attempt, items: INodeExecutionData[] | undefined): Ending {
	const { signal, run, options } = attempt;
	if (signal.aborted) return 'stopped';
	const hasAttempts = run.attemptsLeft > 0;
	const isOutput = items !== undefined && !(hasAttempts && countsAsFailure(items));
	if (isOutput) return options.dryRun ? 'not delivered' : 'delivered';
	return hasAttempts ? 'continued' : 'not delivered';
}

/** Whether n8n takes output for a failure: if its first item has `json.error`, even one copied from the input. */
function countsAsFailure([first]: INodeExecutionData[]): boolean {
	return first?.json.error !== undefined;
}
