import { notStarted, NotStarted } from '../buy/runCapped';
import type { Outcome } from '../failures/outcome';
import type { Recalled } from '../recall/recall';
import type { Delivery, JobOutcome, PlannedJob } from '../types';

/** The outcome of each job as an earlier attempt of this execution left it. */
export function earlierOutcomes(
	jobs: readonly PlannedJob[],
	known: Recalled['known'],
): JobOutcome[] {
	return jobs.map((job) => {
		const before = known.get(job);
		return { job, outcome: before?.from === 'attempt' ? before.outcome : notStarted };
	});
}

/** The outcome of each job after this attempt, or what recall found if it was not started. */
export function jobOutcomes(
	jobs: readonly PlannedJob[],
	known: Recalled['known'],
	outcomes: ReadonlyArray<Outcome<Delivery>>,
): JobOutcome[] {
	return jobs.map((job, index) => {
		const outcome = outcomes[index] ?? notStarted;
		if ('value' in outcome) return { job, outcome: { value: outcome.value.result } };
		const isStarted = !(outcome.failure instanceof NotStarted);
		return { job, outcome: isStarted ? outcome : (known.get(job)?.outcome ?? outcome) };
	});
}
