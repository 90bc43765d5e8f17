import type { LimitReached } from '../failures/failures';
import { unwrap, type Outcome } from '../failures/outcome';
import type { Run } from '../run';
import type { Delivery, Job, JobResult, PlannedJob, Purchase } from '../types';
import { buyJob } from './buyJob';
import type { Ledger } from './ledger';
import { notStarted, NotStarted, runCapped } from './runCapped';

/** Buys every job that can be bought, a few at a time. @returns how each ended, in order. */
export async function buyAll(
	run: Run,
	jobs: readonly PlannedJob[],
): Promise<Array<Outcome<Delivery>>> {
	return await runCapped(
		jobs,
		async (job, _index, signal) =>
			'failure' in job ? unwrap<Delivery>(job) : await buyJob(run, job, signal),
		{ ...run, stopOnFailure: !run.continuesOnFail },
	);
}

/** What is paid for, whether or not its image has come. */
export function finished(
	{ ledger }: { ledger: Pick<Ledger, 'find'> },
	jobs: readonly PlannedJob[],
): Array<{ job: Job; result: JobResult }> {
	return jobs.flatMap((job) => {
		const known = 'failure' in job ? undefined : ledger.find(job);
		return known === undefined || 'failure' in known || 'failure' in job
			? []
			: [{ job, result: known.value }];
	});
}

/** Why the jobs that are still to be bought go beyond 'Max Images'; undefined if they don't. */
export async function beyondLimit(
	run: Run,
	jobs: readonly PlannedJob[],
): Promise<LimitReached | undefined> {
	const unsettled = jobs.filter((job) => settledBefore(run.ledger, job) === undefined);
	// Asked only if it matters, because the files are read for it.
	if (run.limit.hasRoomFor(unsettled.length)) return undefined;
	const needed = unsettled.length - (await countTakenOver(run, jobs));
	return run.limit.hasRoomFor(needed) ? undefined : run.limit.failure(needed);
}

/** How many unsettled jobs take what an earlier run bought, and so need no paid call. */
async function countTakenOver(run: Run, jobs: readonly PlannedJob[]): Promise<number> {
	let count = 0;
	for (const job of jobs) {
		if ('failure' in job) continue;
		// Asked of every job in order, because equal requests are told apart by their order.
		const before = await run.earlierRuns?.peek(job);
		const isTaken = before !== undefined && (before.wasStopped || run.reuseInManualRuns);
		if (isTaken && run.ledger.find(job) === undefined) count++;
	}
	return count;
}

/** How a job ended without a paid call now: it is invalid, or an earlier attempt settled it. */
function settledBefore(
	ledger: Pick<Ledger, 'find'>,
	job: PlannedJob,
): Outcome<Delivery['result']> | undefined {
	return 'failure' in job ? { failure: job.failure } : ledger.find(job);
}

/**
 * What is known of each job: the result of this attempt, or of an earlier one if it was not started
 * now.
 * @param outcomes How they ended; none has started if this is missing.
 */
export function purchasesOf(
	{ ledger }: { ledger: Pick<Ledger, 'find'> },
	jobs: readonly PlannedJob[],
	outcomes: ReadonlyArray<Outcome<Pick<Delivery, 'result'>>> = [],
): Purchase[] {
	return jobs.map((job, index) => {
		const outcome = outcomes[index] ?? notStarted;
		if ('value' in outcome) return { job, outcome: { value: outcome.value.result } };
		const isUnstarted = outcome.failure instanceof NotStarted;
		const known = isUnstarted ? settledBefore(ledger, job) : undefined;
		return { job, outcome: known ?? outcome };
	});
}
