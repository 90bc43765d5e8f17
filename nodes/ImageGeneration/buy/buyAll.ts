import { Failed, type Failure } from '../failures/failures';
import { settle, unwrap, type Outcome } from '../failures/outcome';
import type { Known } from '../recall/recall';
import type { FinishedJob, Job, PlannedJob } from '../types';
import { buyJob, deliver, type Buying } from './buyJob';
import { runCapped, type Caps } from './runCapped';

/**
 * Delivers all valid jobs with limited concurrency, and buys those that are not known.
 * @returns their outcomes, in order.
 */
export async function buyAll(
	run: Buying,
	jobs: readonly PlannedJob[],
	known: ReadonlyMap<PlannedJob, Known>,
	caps: Omit<Caps, 'signal'>,
): Promise<Array<Outcome<FinishedJob>>> {
	return await runCapped(
		jobs,
		async (job, _index, signal) => {
			if ('problem' in job) throw new Failed(job.problem);
			const before = known.get(job);
			return before === undefined
				? await buyJob(run, job, signal)
				: await deliverKnown(run, job, before, signal);
		},
		{ ...caps, signal: run.signal },
	);
}

/** Buys the job again if the service no longer has the image of an earlier run. */
async function deliverKnown(
	run: Buying,
	job: Job,
	{ outcome, from, entry }: Known,
	signal: AbortSignal,
): Promise<FinishedJob> {
	const delivery = await settle(deliver(run, job, unwrap(outcome)));
	const isReused = from === 'earlier run';
	if (!isReused || !('failure' in delivery) || !isGone(delivery.failure)) return unwrap(delivery);
	await entry?.forget();
	const renewed = await buyJob(run, job, signal);
	run.log.tally.renewed++;
	return renewed;
}

/** Whether the service no longer has the image. A link that may lack the key does not tell. */
function isGone(failure: Failure): boolean {
	if ('mayLackKey' in failure && failure.mayLackKey) return false;
	return [404, 410].includes(failure.status ?? 0);
}
