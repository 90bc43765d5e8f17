import type { LimitReached } from '../failures/failures';
import { unwrap, type Outcome } from '../failures/outcome';
import type { Run } from '../run';
import type { Delivery, Job, JobResult, PlannedJob, Purchase } from '../types';
import { buyJob } from './buyJob';
import type { EarlierRuns } from './earlierRuns';
import type { Ledger } from './ledger';
import { notStarted, NotStarted, runCapped } from './runCapped';

/** Buys all valid jobs with limited concurrency. @returns their outcomes, in order. */
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

/** The jobs that are paid for, delivered or not. */
export function finishedJobs(
	{ ledger }: { ledger: Pick<Ledger, 'find'> },
	jobs: readonly PlannedJob[],
): Array<{ job: Job; result: JobResult }> {
	return jobs.flatMap((job) => {
		if ('failure' in job) return [];
		const known = ledger.find(job);
		return known === undefined || 'failure' in known ? [] : [{ job, result: known.value }];
	});
}

/** What decides whether jobs exceed 'Max Images'. */
export interface LimitedRun extends Pick<Run, 'limit' | 'reuseInManualRuns'> {
	ledger: Pick<Ledger, 'find'>;
	earlierRuns: Pick<EarlierRuns, 'peek'> | undefined;
}

/** The failure if the jobs still to be bought exceed 'Max Images'. */
export async function limitFailure(
	run: LimitedRun,
	jobs: readonly PlannedJob[],
): Promise<LimitReached | undefined> {
	const unsettled = jobs.filter((job) => settledBefore(run.ledger, job) === undefined);
	// Look for earlier purchases only if they decide, because that reads the files.
	if (run.limit.hasRoomFor(unsettled.length)) return undefined;
	const needed = unsettled.length - (await countTakenOver(run, jobs));
	return run.limit.hasRoomFor(needed) ? undefined : run.limit.failure(needed);
}

/** Counts the unsettled jobs that take over or reuse an earlier purchase. */
async function countTakenOver(run: LimitedRun, jobs: readonly PlannedJob[]): Promise<number> {
	let count = 0;
	for (const job of jobs) {
		if ('failure' in job) continue;
		// Ask for every job in order, because only the order tells equal requests apart.
		const before = await run.earlierRuns?.peek(job);
		const isTaken = before !== undefined && (before.wasStopped || run.reuseInManualRuns);
		if (isTaken && run.ledger.find(job) === undefined) count++;
	}
	return count;
}

/** The outcome of a job that needs no paid request: invalid, or settled by an earlier attempt. */
function settledBefore(
	ledger: Pick<Ledger, 'find'>,
	job: PlannedJob,
): Outcome<Delivery['result']> | undefined {
	return 'failure' in job ? { failure: job.failure } : ledger.find(job);
}

/**
 * The outcome of each job: that of this attempt, or of an earlier one if it has not started now.
 * @param outcomes Outcomes of this attempt; empty if no job has started.
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
