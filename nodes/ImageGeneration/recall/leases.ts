import { settle } from '../failures/outcome';
import type { Condition, StoredRow } from './purchaseTable';
import type { RecordingRun } from './recordingRun';

/** Milliseconds after which a run renews its rows. */
export const RENEWAL = 3000;
/** Milliseconds without a renewal after which a run's process counts as dead. */
export const LEASE = 10_000;

const MOST_SIGHTINGS = 1000;

/** Time, so that tests can simulate it. */
export interface Clock {
	/** Milliseconds. */
	now(): number;
	/** Resolves early if the signal is aborted. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What one n8n process knows of the runs that record purchases. */
export interface NodeProcess {
	/** Unique. Begins the names of its runs. */
	name: string;
	/** Counts its runs and entries, to name them. */
	names: number;
	/** Its runs that have not ended, and what is aborted when they are stopped. */
	live: Map<string, AbortSignal>;
	/** When runs of other processes renewed a row last, by its clock, and their rows with the last changes. */
	sightings: Map<string, { at: number; rows: ReadonlySet<string> }>;
}

/** @returns the runs of a process that are not over. After Stop a run is, even if it still winds up. */
export function liveRuns({ live }: NodeProcess): Set<string> {
	for (const [run, signal] of live) if (signal.aborted) live.delete(run);
	return new Set(live.keys());
}

/**
 * Finds the runs whose process is dead: this process has seen no new row of theirs, and no change of one,
 * for the length of a lease. Others remove rows, so that is no sign of life. Times only tell a change,
 * because clocks differ: the database dates new rows, and a process what it changes (2.40.3).
 * @param rows What these runs hold.
 * @param readFrom When reading began, and @param readTo when it ended.
 */
export function findDead(
	{ sightings }: NodeProcess,
	rows: readonly StoredRow[],
	readFrom: number,
	readTo: number,
): Set<string> {
	const read = new Map<string, Set<string>>();
	for (const { run, id, updatedAt } of rows) {
		read.set(run, (read.get(run) ?? new Set()).add(`${id} ${updatedAt}`));
	}
	const dead = new Set<string>();
	for (const [run, ofRun] of read) {
		const seen = sightings.get(run);
		if (seen === undefined || [...ofRun].some((row) => !seen.rows.has(row))) {
			sightings.delete(run);
			sightings.set(run, { rows: ofRun, at: readTo });
		} else if (readFrom - seen.at >= LEASE) dead.add(run);
	}
	for (const run of [...sightings.keys()].slice(0, -MOST_SIGHTINGS)) {
		if (!read.has(run)) sightings.delete(run);
	}
	return dead;
}

/** Renews one of the run's rows until it ends, unless it adds some that stay. */
export async function keepAlive(
	{ table, clock, rows, place: { run } }: RecordingRun,
	ended: AbortSignal,
): Promise<void> {
	const renews = async (row: Condition | undefined): Promise<boolean> => {
		if (row === undefined) return false;
		const renewed = await settle(table.update([row, ['run', 'eq', run]], { run }));
		return 'value' in renewed && renewed.value.length > 0;
	};
	while (table.isShared && !ended.aborted) {
		const rest = rows.renewedAt + RENEWAL - clock.now();
		const [sent] = rows.unsettled.keys();
		// If a `sent` row goes, its renewal is seen by nobody.
		if (rest <= 0 && !(await renews(rows.lasting)) && sent !== undefined) {
			await renews(['entry', 'eq', sent]);
		}
		await clock.wait(rest > 0 ? rest : RENEWAL, ended);
	}
}
