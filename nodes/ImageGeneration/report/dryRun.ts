import type { NodeExecutionHint } from 'n8n-workflow';

import type { LimitReached } from '../failures/failures';
import { counted } from '../failures/text';
import type { Recalled } from '../recall/recall';
import type { JobOutcome, PlannedJob } from '../types';
import { keptImages, toHint } from './hints';

/**
 * What a Dry Run shows of each job: what would be sent, and the link of an image that is bought
 * already.
 */
export function dryRunOutcomes(
	jobs: readonly PlannedJob[],
	known: Recalled['known'],
): JobOutcome[] {
	return jobs.map((job) => {
		if ('problem' in job) return { job, outcome: { failure: job.problem } };
		const bought = known.get(job)?.outcome;
		if (bought !== undefined && 'failure' in bought) return { job, outcome: bought };
		const { model: tool, fields, file } = job.request;
		const request = { ...(file !== undefined && { image: file.name }), ...fields };
		const output_url = bought?.value.output_url;
		const result = { tool, request, ...(bought && { alreadyBought: true, output_url }) };
		return { job, outcome: { value: { result, image: undefined } } };
	});
}

/** The hint above the output of a Dry Run. @param tooMany Why not all images can be bought. */
export function dryRunHint(
	jobs: readonly PlannedJob[],
	known: Recalled['known'],
	tooMany: LimitReached | undefined,
): NodeExecutionHint {
	const invalid = jobs.filter((job) => 'problem' in job);
	const invalidItems = new Set(invalid.map(({ itemIndex }) => itemIndex)).size;
	const bought = jobs.length - invalid.length - known.size;
	const unclear = [...known.values()].filter(({ outcome }) => 'failure' in outcome).length;
	const parts = [
		`${counted(bought, 'image')} would be bought`,
		...keptImages(known).map(([count, what]) => `${counted(count, 'image')} ${what}`),
		...(tooMany ? [`'Max Images' allows only ${Math.max(0, tooMany.max - tooMany.bought)}`] : []),
		...(unclear > 0 ? [`${counted(unclear, 'image')} may have been charged already`] : []),
		...(invalidItems === 1 ? ['1 item is invalid'] : []),
		...(invalidItems > 1 ? [`${invalidItems} items are invalid`] : []),
	];
	return toHint(`${parts.join('; ')}.`);
}
