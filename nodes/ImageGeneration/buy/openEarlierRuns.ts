import type { Run } from '../run';
import type { EarlierRuns } from './earlierRuns';
import { manualRuns } from './manualRuns';
import type { RunOfNode } from './purchaseKeys';
import { stoppedRuns } from './stoppedRuns';

/**
 * Opens the memory of earlier runs in this n8n process. A manual run finds purchases of manual runs in
 * the last hour. A production run finds only what a stopped run left to it.
 * @returns undefined for an agent's tool, because an agent repeats requests on purpose.
 */
export function openEarlierRuns(run: RunOfNode & Pick<Run, 'isTool'>): EarlierRuns | undefined {
	if (run.isTool) return undefined;
	return run.context.getMode() === 'manual' ? manualRuns(run) : stoppedRuns(run);
}
