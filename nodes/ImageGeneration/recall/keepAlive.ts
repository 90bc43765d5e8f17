import { settle } from '../failures/outcome';
import { RENEWAL } from './leases';
import type { Condition } from './purchaseTable';
import type { RecordingRun } from './recordingRun';

/**
 * Renews a row of a run until it ends.
 * @param rowOf finds a row that the run has now
 */
export async function keepAlive(
	{ table, clock, place: { run } }: RecordingRun,
	ended: AbortSignal,
	rowOf: () => Condition | undefined,
): Promise<void> {
	while (table.isShared && !ended.aborted) {
		const row = rowOf();
		if (row !== undefined) await settle(table.update({ all: [row, ['run', 'eq', run]] }, { run }));
		await clock.wait(RENEWAL, ended);
	}
}
