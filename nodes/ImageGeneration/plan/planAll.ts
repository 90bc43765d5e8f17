import { safeFileName, uniqueNames } from '../images/fileName';
import type { PlannedJob } from '../types';
import { planItem, type ItemPlan } from './planItem';
import type { Planning } from './planning';

/** Planning mostly waits for n8n's storage, which may be remote. */
const AT_ONCE = 10;

/**
 * Plans every item, a few at a time. All checks happen here, before the first paid request.
 * @param stop No further item is planned after it is aborted.
 * @returns the jobs, ordered by item, then image, then copy.
 */
export async function planAll(run: Planning, stop?: AbortSignal): Promise<ItemPlan> {
	const input = run.context.getInputData();
	const plans: ItemPlan[] = input.map(() => ({ jobs: [], skipped: [] }));
	const queue = input.keys();
	async function worker(): Promise<void> {
		for (const itemIndex of queue) {
			if (stop?.aborted === true) return;
			plans[itemIndex] = await planItem(run, itemIndex);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return {
		jobs: withDistinctNames(plans.flatMap(({ jobs }) => jobs)),
		skipped: plans.flatMap(({ skipped }) => skipped),
	};
}

/** Called when all jobs are planned, so that the numbers follow the order of the items. */
function withDistinctNames(jobs: PlannedJob[]): PlannedJob[] {
	const distinct = uniqueNames();
	return jobs.map((job) =>
		'problem' in job ? job : { ...job, fileName: distinct(safeFileName(job.fileName)) },
	);
}
