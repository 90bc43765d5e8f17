import type { NodeExecutionHint } from 'n8n-workflow';

import type { Batch } from '../buy/batch';
import { roomUnder, type LimitReached } from '../failures/failures';
import type { JobResult, RowOutcome } from '../types';
import { counted } from '../values/text';
import { toHint } from './hints';
import { lookAt } from './lookAt';
import { limitName } from './messages';
import { skippedFiles } from './skippedFiles';

/** What a Dry Run shows of each row: what would be sent, and the link of an image that is there already. */
export function dryRunOutcomes(batch: Batch): RowOutcome[] {
	return batch.outcomes.map((each) => {
		const { row, job, outcome } = each;
		if (job === undefined || ('failure' in outcome && outcome.failure.kind !== 'not started')) {
			return each;
		}
		const found: JobResult | undefined =
			batch.known.get(job)?.result ?? batch.found.get(job)?.purchase.result;
		const { model: tool, textParts, file } = job.request;
		const request = { ...(file !== undefined && { image: file.name }), ...textParts };
		const result = {
			alreadyBought: found !== undefined,
			tool,
			request,
			// In all items, because n8n's schema view shows fields that the first item lacks with another one's value.
			output_url: found?.output_url ?? null,
		};
		return { row, job, outcome: { value: { result } } };
	});
}

/**
 * The hints above the output of a Dry Run.
 * @param tooMany Why not all images can be bought.
 */
export function dryRunHints(
	isManual: boolean,
	batch: Batch,
	tooMany: LimitReached | undefined,
): NodeExecutionHint[] {
	const { known, found, waits, toBuy, outcomes } = batch;
	const kept = known.size;
	const invalid = new Set(outcomes.flatMap(({ row }) => ('problem' in row ? row.itemIndex : [])));
	const parts = [
		`${counted(toBuy.length, 'image')} would be bought`,
		kept > 0 && `${counted(kept, 'image')} kept from an earlier attempt`,
		found.size > 0 && `${counted(found.size, 'image')} used again`,
		waits.size > 0 && `${counted(waits.size, 'image')} in progress in another run`,
		tooMany && `'${limitName(tooMany)}' allows only ${roomUnder(tooMany)}`,
		invalid.size > 0 &&
			(invalid.size === 1 ? '1 item is invalid' : `${invalid.size} items are invalid`),
	];
	const counts = `Dry Run, nothing was sent: ${parts.filter(Boolean).join('; ')}.`;
	const lines = [`${counts} ${skippedFiles(outcomes)}`.trim(), lookAt(batch)];
	const hints = lines.flatMap((line) => (line === '' ? [] : toHint(line)));
	if (isManual) return hints;
	// Who tries it out in the editor knows.
	const note = "Nothing was bought, because the option 'Dry Run' is on. Turn it off to get images.";
	return [toHint(note, 'warning'), ...hints];
}
