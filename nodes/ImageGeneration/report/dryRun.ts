import type { NodeExecutionHint } from 'n8n-workflow';

import type { LimitReached } from '../failures/failures';
import type { Recalled } from '../recall/known';
import type { JobOutcome, PlannedJob } from '../types';
import { counted } from '../values/text';
import { keptImages, toHint, type ImageCount } from './hints';
import { inputHints, skippedFiles } from './inputHints';
import { limitName } from './messages';

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
		const bought = known.get(job.sameAs ?? job)?.outcome;
		if (bought !== undefined && 'failure' in bought) return { job, outcome: bought };
		const { model: tool, textParts, file } = job.request;
		const request = { ...(file !== undefined && { image: file.name }), ...textParts };
		// In all items, because n8n's schema view shows fields that the first item lacks with another one's value.
		const alreadyBought = bought !== undefined;
		const output_url = bought?.value.output_url ?? null;
		const result = { alreadyBought, tool, request, output_url };
		return { job, outcome: { value: { result } } };
	});
}

/**
 * The hints above the output of a Dry Run.
 * @param tooMany Why not all images can be bought.
 */
export function dryRunHints(
	jobs: readonly PlannedJob[],
	{ known, awaited }: Pick<Recalled, 'known' | 'awaited'>,
	tooMany: LimitReached | undefined,
): NodeExecutionHint[] {
	const needed = jobs.filter(
		(job) => !('problem' in job) && job.sameAs === undefined && !known.has(job),
	).length;
	const invalid = new Set(jobs.flatMap((job) => ('problem' in job ? [job.itemIndex] : []))).size;
	const unclear = [...known.values()].filter(({ outcome }) => 'failure' in outcome).length;
	const reused = [...known.values()].filter(({ from }) => from === 'earlier run').length;
	const others: ImageCount[] = [
		...keptImages(known),
		{ count: reused, source: 'reused from an earlier run' },
	];
	const parts = [
		`${counted(needed, 'image')} would be bought`,
		...others.map(({ count, source }) => count > 0 && `${counted(count, 'image')} ${source}`),
		tooMany && `'${limitName(tooMany)}' allows only ${Math.max(0, tooMany.max - tooMany.bought)}`,
		awaited.size > 0 &&
			`the answers to ${counted(awaited.size, 'request')} of a stopped run are awaited`,
		unclear > 0 && `${counted(unclear, 'image')} may have been charged already`,
		invalid > 0 && (invalid === 1 ? '1 item is invalid' : `${invalid} items are invalid`),
	];
	const counts = `Dry Run, nothing was sent: ${parts.filter(Boolean).join('; ')}.`;
	const lines = [`${counts} ${skippedFiles(jobs)}`.trim(), ...inputHints(jobs)];
	return lines.map((line) => toHint(line));
}

/** Says in a published workflow why it delivers no images. Who tries it out in the editor knows. */
export function nothingBoughtHint(isManual: boolean): NodeExecutionHint[] {
	if (isManual) return [];
	return [
		toHint(
			"Nothing was bought, because the option 'Dry Run' is on. Turn it off to get images.",
			'warning',
		),
	];
}
