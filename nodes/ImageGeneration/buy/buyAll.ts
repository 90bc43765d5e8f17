import { DownloadFailure } from '../failures/failures';
import { settle, unwrap, type Outcome } from '../failures/outcome';
import type { Known } from '../recall/recall';
import type { Run } from '../run';
import type { Delivery, Job, PlannedJob } from '../types';
import { buyJob, deliver } from './buyJob';
import { runCapped } from './runCapped';

/**
 * Delivers all valid jobs with limited concurrency, and buys those that are not known.
 * @returns their outcomes, in order.
 */
export async function buyAll(
	run: Run,
	jobs: readonly PlannedJob[],
	known: ReadonlyMap<PlannedJob, Known>,
): Promise<Array<Outcome<Delivery>>> {
	return await runCapped(
		jobs,
		async (job, _index, signal) => {
			if ('failure' in job) return unwrap<Delivery>(job);
			const before = known.get(job);
			return before === undefined
				? await buyJob(run, job, signal)
				: await deliverKnown(run, job, before, signal);
		},
		{ ...run, stopOnFailure: !run.continuesOnFail },
	);
}

async function deliverKnown(
	run: Run,
	job: Job,
	{ outcome, from }: Known,
	signal: AbortSignal,
): Promise<Delivery> {
	const delivery = await settle(deliver(run, job, unwrap(outcome)));
	if (from !== 'earlier run' || !('failure' in delivery)) return unwrap(delivery);
	if (!isGone(delivery.failure)) return unwrap(delivery);
	const renewed = await buyJob(run, job, signal);
	run.tally.renewed++;
	return renewed;
}

/** Whether the service no longer has the image. */
function isGone(failure: unknown): boolean {
	return failure instanceof DownloadFailure && [404, 410].includes(failure.details.status ?? 0);
}
