import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { LimitReached } from '../failures/failures';
import type { Known } from '../recall/recall';
import type { Job, PlannedJob } from '../types';
import { toOutputItem } from './outputItems';

/** What a run would do, known before it buys anything. */
export interface DryRun {
	node: INode;
	input: readonly INodeExecutionData[];
	jobs: readonly PlannedJob[];
	known: ReadonlyMap<PlannedJob, Known>;
	/** Why not all of them can be bought. */
	limit: LimitReached | undefined;
}

/** The output items of a dry run: one for each image that would be bought, and invalid ones as usual. */
export function dryRunItems({ node, input, jobs, known }: DryRun): INodeExecutionData[] {
	return jobs
		.filter((job) => !known.has(job))
		.map((job) => {
			const outcome =
				'problem' in job
					? { failure: job.problem }
					: { value: { result: requestOf(job), image: undefined } };
			return toOutputItem(node, job, outcome, input[job.itemIndex]);
		});
}

function requestOf({ request: { model, fields, file } }: Job): Record<string, unknown> {
	return { tool: model, request: { ...(file !== undefined && { image: file.name }), ...fields } };
}

/** The hint above them. */
export function dryRunHint({ jobs, known, limit }: DryRun): string {
	const invalid = jobs.filter((job) => 'problem' in job).map(({ itemIndex }) => itemIndex);
	const invalidItems = new Set(invalid).size;
	const bought = jobs.length - invalid.length - known.size;
	const parts = [
		`${images(bought)} would be bought`,
		...(known.size > 0 ? [`${images(known.size)} taken over or reused`] : []),
		...(limit ? [`'Max Images' allows only ${Math.max(0, limit.max - limit.bought)}`] : []),
		...(invalidItems === 1 ? ['1 item is invalid'] : []),
		...(invalidItems > 1 ? [`${invalidItems} items are invalid`] : []),
	];
	return `${parts.join('; ')}.`;
}

function images(count: number): string {
	return count === 1 ? '1 image' : `${count} images`;
}
