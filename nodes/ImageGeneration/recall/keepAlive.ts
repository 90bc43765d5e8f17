import { settle } from '../failures/outcome';
import { RENEWAL } from './leases';
import type { RecordingRun } from './recordingRun';

/** Renews one of the run's rows until it ends. */
export async function keepAlive(
	{ table, clock, rows, place: { run } }: RecordingRun,
	ended: AbortSignal,
): Promise<void> {
	while (table.isShared && !ended.aborted) {
		const [sent] = rows.unsettled.keys();
		const row = sent === undefined ? rows.lasting : (['entry', 'eq', sent] as const);
		if (row !== undefined) await settle(table.update({ all: [row, ['run', 'eq', run]] }, { run }));
		await clock.wait(RENEWAL, ended);
	}
}
