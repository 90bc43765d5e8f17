import type { Execution } from '../execution';
import { BadInput } from '../failures/failures';
import type { RunOptions } from '../fields/options';

/**
 * Refuses options that need an execution, a saved workflow or n8n 2. n8n's Agents run each call of a tool by
 * itself: with no id, no data that outlives it, and no project for a data table (2.41.1).
 * @throws BadInput in words that a model can pass on
 */
export function assertKeepable(
	{ id, isVersion2 }: Pick<Execution, 'id' | 'isVersion2'>,
	{ maxImages, purchaseLog }: Pick<RunOptions, 'maxImages' | 'purchaseLog'>,
): void {
	// The Data Table node of n8n 1.123.81 neither makes a table nor finds it by its name.
	if (purchaseLog !== '' && !isVersion2) {
		throw new BadInput(
			"'Purchase Log' needs n8n 2.",
			"Nothing was sent. Update n8n, or remove the option 'Purchase Log'.",
		);
	}
	if (id !== undefined) return;
	const advice = (option: string) =>
		`Nothing was sent. Remove the option '${option}' from this tool, or use the tool in a workflow's agent.`;
	if (maxImages < Infinity) {
		throw new BadInput(
			"'Max Images' can't count across the calls of an agent here, because n8n runs each call by itself.",
			advice('Max Images'),
		);
	}
	if (purchaseLog !== '') {
		throw new BadInput(
			"'Purchase Log' can't be used by an agent here, because n8n runs each call without a workflow.",
			advice('Purchase Log'),
		);
	}
}
