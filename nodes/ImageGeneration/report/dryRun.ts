import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { LimitReached } from '../failures/failures';
import { counted } from '../failures/text';
import type { Known } from '../recall/recall';
import type { Job, PlannedJob } from '../types';
import { keptImages } from './hints';
import { toOutputItem } from './outputItems';

/** What a run would do, known before it buys anything. */
export interface DryRun {
	node: INode;
	input: readonly INodeExecutionData[];
	jobs: readonly PlannedJob[];
	known: ReadonlyMap<PlannedJob, Known>;
	/** Why not all of them can be bought. */
	tooMany: LimitReached | undefined;
}

/** The output items of a dry run, in the order of the run's; invalid ones as usual. */
export function dryRunItems({ node, input, jobs, known }: DryRun): INodeExecutionData[] {
	return jobs.map((job) => {
		const outcome =
			'problem' in job ? { failure: job.problem } : outcomeOf(job, known.get(job)?.outcome);
		return toOutputItem(node, job, outcome, input[job.itemIndex]);
	});
}

/** What would be sent, and the link of an image that is bought already. */
function outcomeOf({ request: { model, fields, file } }: Job, known?: Known['outcome']) {
	if (known !== undefined && 'failure' in known) return known;
	const request = { ...(file !== undefined && { image: file.name }), ...fields };
	const output_url = known?.value.output_url;
	const bought = output_url === undefined ? {} : { alreadyBought: true, output_url };
	return { value: { result: { tool: model, request, ...bought }, image: undefined } };
}

/** The hint above them. */
export function dryRunHint({ jobs, known, tooMany }: DryRun): string {
	const invalid = jobs.filter((job) => 'problem' in job).map(({ itemIndex }) => itemIndex);
	const invalidItems = new Set(invalid).size;
	const bought = jobs.length - invalid.length - known.size;
	const unclear = [...known.values()].filter(({ outcome }) => 'failure' in outcome).length;
	const images = (count: number) => counted(count, 'image');
	const parts = [
		`${images(bought)} would be bought`,
		...keptImages(known).map(([count, what]) => `${images(count)} ${what}`),
		...(tooMany ? [`'Max Images' allows only ${Math.max(0, tooMany.max - tooMany.bought)}`] : []),
		...(unclear > 0 ? [`${images(unclear)} may have been charged already`] : []),
		...(invalidItems === 1 ? ['1 item is invalid'] : []),
		...(invalidItems > 1 ? [`${invalidItems} items are invalid`] : []),
	];
	return `${parts.join('; ')}.`;
}
