import { settle } from '../failures/outcome';
import type { StoredRow } from './purchaseTable';
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
	/** Of runs of other processes: when it saw a row change last, by its clock, and the last change of each. */
	sightings: Map<string, { at: number; rows: Map<number, string> }>;
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
	for (const { run, id, updatedAt } of rows) {
		const seen = sightings.get(run) ?? { at: readTo, rows: new Map<number, string>() };
		if (seen.rows.get(id) !== updatedAt) seen.at = readTo;
		seen.rows.set(id, updatedAt);
		// To the end, so that those read last are kept.
		sightings.delete(run);
		sightings.set(run, seen);
	}
	const mostKept = Math.max(MOST_SIGHTINGS, rows.length);
	for (const run of [...sightings.keys()].slice(0, -mostKept)) sightings.delete(run);
	const isDead = ({ run }: StoredRow) => readFrom - (sightings.get(run)?.at ?? readTo) >= LEASE;
	return new Set(rows.filter(isDead).map(({ run }) => run));
}

/** Renews one of the run's rows until it ends, so that other processes see that this one lives. */
export async function keepAlive(
	{ table, clock, rows, place: { run } }: RecordingRun,
	ended: AbortSignal,
): Promise<void> {
	const renews = async (entry: string | undefined): Promise<boolean> => {
		if (entry === undefined) return false;
		const ofEntry = [['entry', 'eq', entry] as const, ['run', 'eq', run] as const];
		const renewed = await settle(table.update(ofEntry, { run }));
		return 'value' in renewed && renewed.value.length > 0;
	};
	while (table.isShared && !ended.aborted) {
		const [sent] = rows.unsettled.values();
		// Only then, because a `sent` row may go before anybody sees its renewal.
		if (!(await renews(rows.lasting))) await renews(sent?.entry);
		await clock.wait(RENEWAL, ended);
	}
}
