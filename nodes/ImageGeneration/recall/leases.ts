import type { StoredRow } from './purchaseTable';

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
	live: Map<string, AbortSignal | undefined>;
	/** When it saw runs of other processes renew their rows last. */
	sightings: Map<string, Sighting>;
}

interface Sighting {
	/** The latest renewal, as its process says. */
	renewal: string;
	/** Milliseconds of this process's clock. */
	at: number;
}

/** @returns the runs of a process that are not over. After Stop a run is, even if it still winds up. */
export function liveRuns({ live }: NodeProcess): Set<string> {
	for (const [run, signal] of live) if (signal?.aborted === true) live.delete(run);
	return new Set(live.keys());
}

/**
 * Finds the runs whose process is dead. The clocks of processes differ, so this process must have seen
 * no renewal for the length of a lease.
 * @param rows What these runs hold.
 * @param readFrom When reading began, and @param readTo when it ended.
 */
export function findDead(
	{ sightings }: NodeProcess,
	rows: readonly StoredRow[],
	readFrom: number,
	readTo: number,
): Set<string> {
	const renewals = new Map<string, string>();
	for (const { run, updatedAt } of rows) {
		if (updatedAt > (renewals.get(run) ?? '')) renewals.set(run, updatedAt);
	}
	if (sightings.size > MOST_SIGHTINGS) sightings.clear();
	const dead = new Set<string>();
	for (const [run, renewal] of renewals) {
		const seen = sightings.get(run);
		if (seen === undefined || renewal > seen.renewal) sightings.set(run, { renewal, at: readTo });
		else if (readFrom - seen.at >= LEASE) dead.add(run);
	}
	return dead;
}
