import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Batch } from '../buy/batch';
import { counted, endSentence, escapeHtml, quote } from '../values/text';
import type { Tally } from './executionLog';
import { lookAt } from './lookAt';
import { messageFor } from './messages';
import { skippedFiles } from './skippedFiles';
import { whenBought } from './whenBought';

/** What the hints tell of a run. */
interface Report {
	context: Pick<IExecuteFunctions, 'getTimezone'>;
	log: { tally: Tally };
	process: { timeOfDay(): number };
	options: { readonly reuse: string | undefined };
}

/** The hints above the output of a run: what it cost, and what a person must look at. */
export function hintsFor(report: Report, batch: Batch): NodeExecutionHint[] {
	const lines = [costs(report, batch), lookAt(batch)];
	return lines.flatMap((line) => (line === '' ? [] : toHint(line)));
}

/**
 * The hint about what the node remembers: that the Purchase Log lacks something, that it is new, or that the node forgets.
 * @param isForgotten Whether people should hear that the node forgets.
 */
export function memoryHint(
	{ missing, madeTable }: Tally,
	isForgotten: boolean,
): NodeExecutionHint[] {
	const [failure] = missing;
	if (failure !== undefined) {
		const { title } = messageFor(failure);
		const text = `The purchase log does not show everything that this run bought: ${endSentence(title)} Rows missing: ${missing.length}. The next run writes them, unless n8n restarts first.`;
		return [toHint(text, 'warning')];
	}
	if (madeTable !== undefined) {
		return [
			toHint(
				`The purchase log ${quote(madeTable)} is new. You find it under Data tables, in the workflow's project.`,
			),
		];
	}
	return isForgotten ? [toHint(FORGETS)] : [];
}

const FORGETS = 'Without a Purchase Log, the node forgets what it bought when n8n restarts.';

/** Escapes what comes from outside, such as file names and prompts. */
export function toHint(text: string, type: NodeExecutionHint['type'] = 'info'): NodeExecutionHint {
	return { message: escapeHtml(text), type, location: 'outputPane' };
}

function costs(report: Report, batch: Batch): string {
	const { known, gone } = batch;
	const all = [...known.values()];
	const used = all.filter(({ from }) => from === 'another run');
	const kept = all.length - used.length;
	const parts = [
		{ count: report.log.tally.paid, what: 'bought' },
		{ count: kept, what: 'kept from an earlier attempt' },
	];
	const counts = parts
		.filter(({ count }) => count > 0)
		.map(({ count, what }) => `${counted(count, 'image')} ${were(count)} ${what}`);
	const sentences = [
		counts.length > 0 ? `${counts.join(', ')}.` : '',
		used.length > 0
			? usedAgain(
					report,
					used.map(({ purchase }) => purchase.time),
				)
			: '',
		gone.size > 0
			? `${counted(gone.size, 'earlier image')} ${were(gone.size)} no longer there.`
			: '',
		skippedFiles(batch.outcomes),
	];
	return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Tells when the images that a run uses again were bought, and how to get others, or why Never has them. */
function usedAgain({ context, process, options }: Report, times: readonly number[]): string {
	const when = whenBought(times, process.timeOfDay(), context.getTimezone());
	const isOne = times.length === 1;
	const used = `${counted(times.length, 'image')} ${isOne ? 'is' : 'are'} used again (bought ${when}) and cost nothing.`;
	return options.reuse === 'never'
		? `${used} No run has delivered ${isOne ? 'it' : 'them'} before.`
		: `${used} For ${isOne ? 'a new one' : 'new ones'}, set the option 'Reuse Images' to 'Never'.`;
}

function were(count: number): string {
	return count === 1 ? 'was' : 'were';
}
