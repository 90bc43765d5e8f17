import { safeFileName, uniqueNames } from '../images/fileName';
import type { Run } from '../run';
import type { PlannedJob } from '../types';
import { planItem, type ItemPlan } from './planItem';

/** Most of a check is waiting for n8n's storage, which may be on another machine. */
const AT_ONCE = 10;

/**
 * Plans every item, a few at a time: all checks before the first paid call.
 * @returns the jobs in the order of items, then images, then copies.
 */
export async function planAll(run: Run): Promise<ItemPlan> {
	const plans: ItemPlan[] = run.input.map(() => ({ jobs: [], skipped: [] }));
	const queue = run.input.keys();
	async function worker(): Promise<void> {
		for (const itemIndex of queue) {
			// What an earlier attempt paid for is found by its plan, so a stop must not end this then.
			if (run.signal?.aborted === true && run.ledger.isEmpty()) return;
			plans[itemIndex] = await planItem(run, itemIndex);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return {
		jobs: withDistinctNames(plans.flatMap(({ jobs }) => jobs)),
		skipped: plans.flatMap(({ skipped }) => skipped),
	};
}

/** Once all are planned, so that numbers follow the order of the items. */
function withDistinctNames(jobs: PlannedJob[]): PlannedJob[] {
	const distinct = uniqueNames();
	return jobs.map((job) =>
		'failure' in job ? job : { ...job, fileName: distinct(safeFileName(job.fileName)) },
	);
}
