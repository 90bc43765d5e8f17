import { notStarted, type Outcome } from '../failures/outcome';
import type { ExecutionMemory } from '../recall/executionMemory';
import type { Delivery, JobOutcome, PlannedJob } from '../types';

/**
 * The outcome of each job: of this attempt, or as the execution remembers it if it was not started or
 * Stop ended its download.
 * @param outcomes Outcomes of this attempt; empty if no job has started.
 */
export function jobOutcomes(
	jobs: readonly PlannedJob[],
	memory: Pick<ExecutionMemory, 'outcomeOf'>,
	outcomes: ReadonlyArray<Outcome<Delivery>> = [],
): JobOutcome[] {
	return jobs.map((job, index) => {
		const outcome = outcomes[index] ?? notStarted;
		if ('value' in outcome) return { job, outcome: { value: outcome.value.result } };
		const isStarted = outcome.failure.kind !== 'not started';
		return { job, outcome: isStarted ? outcome : (memory.outcomeOf(job) ?? outcome) };
	});
}
