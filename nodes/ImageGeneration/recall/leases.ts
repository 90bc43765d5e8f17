import type { StoredRow } from './logTable';

/** Milliseconds after which a run renews its rows, if it has written nothing else. */
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

/** What one n8n process knows of the runs that use Purchase Logs. */
export interface LogProcess {
	/** Unique. */
	name: string;
	/** Counts this process's runs, to name them. */
	runs: number;
	/** This process's runs that have not ended. */
	live: Set<string>;
	/** When it saw the rows of other processes' runs change last. */
	sightings: Map<string, Sighting>;
}

interface Sighting {
	/** When the row with this id was renewed, as its process says. */
	renewals: Map<number, string>;
	/** Milliseconds of this process's clock. */
	at: number;
}

/** What rows say about the run that they belong to. */
export type Life = 'own process' | 'over' | 'dead' | 'unknown';

/**
 * Tells which runs are over. The clocks of processes differ, so a run is dead only after this process
 * has seen no renewal for the length of a lease.
 * @param readFrom When reading began, and @param readTo when it ended.
 */
export function judgeRuns(
	{ name, live, sightings }: LogProcess,
	rows: readonly StoredRow[],
	readFrom: number,
	readTo: number,
): Map<string, Life> {
	const rowsOf = new Map<string, StoredRow[]>();
	for (const row of rows) rowsOf.set(row.run, [...(rowsOf.get(row.run) ?? []), row]);
	if (sightings.size > MOST_SIGHTINGS) sightings.clear();
	const judge = (run: string, itsRows: readonly StoredRow[]): Life => {
		if (run === '') return 'over';
		if (run.startsWith(`${name}.`)) return live.has(run) ? 'own process' : 'over';
		const seen = sightings.get(run);
		const isRenewed = itsRows.some(({ id, updatedAt }) => seen?.renewals.get(id) !== updatedAt);
		if (!isRenewed) return seen !== undefined && readFrom - seen.at >= LEASE ? 'dead' : 'unknown';
		const renewals = new Map(itsRows.map(({ id, updatedAt }) => [id, updatedAt]));
		sightings.set(run, { renewals, at: readTo });
		return 'unknown';
	};
	return new Map([...rowsOf].map(([run, itsRows]) => [run, judge(run, itsRows)]));
}
