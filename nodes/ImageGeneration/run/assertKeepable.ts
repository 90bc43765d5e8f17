import { BadInput } from '../failures/failures';
import type { RunOptions } from '../fields/options';
import type { Execution } from '../n8n/execution';

/** Messages about options that need an execution, or a saved workflow, where an agent runs each call by itself. */
const UNKEEPABLE = {
	maxImages: [
		'Max Images',
		"'Max Images' can't count across the calls of an agent here, because n8n runs each call by itself.",
	],
	maxImagesPerDay: [
		'Max Images per Day',
		"'Max Images per Day' can't count across the calls of an agent here, because n8n runs each call by itself.",
	],
	purchaseLog: [
		'Purchase Log',
		"'Purchase Log' can't be used by an agent here, because n8n runs each call without a workflow.",
	],
} as const;

/**
 * Refuses options that need an execution or a saved workflow. n8n's Agents run each call of a tool by itself: with no
 * id, no data that outlives it, and no project for a data table (2.41.1).
 * @throws BadInput in words that a model can pass on
 */
export function assertKeepable(
	{ id }: Pick<Execution, 'id'>,
	options: Pick<RunOptions, 'maxImages' | 'maxImagesPerDay' | 'purchaseLog'>,
): void {
	if (id !== '') return;
	const { maxImages, maxImagesPerDay, purchaseLog } = options;
	if (maxImages < Infinity) throw unkeepable('maxImages');
	if (maxImagesPerDay < Infinity) throw unkeepable('maxImagesPerDay');
	if (purchaseLog !== '') throw unkeepable('purchaseLog');
}

function unkeepable(option: keyof typeof UNKEEPABLE): BadInput {
	const [name, message] = UNKEEPABLE[option];
	return new BadInput(
		message,
		`Nothing was sent. Remove the option '${name}' from this tool, or use the tool in a workflow's agent.`,
	);
}
