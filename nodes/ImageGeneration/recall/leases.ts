import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { settle } from '../failures/failures';
import type { StoredRow } from './purchaseTable';
import type { Recording } from './recordingRun';

/** Milliseconds after which a run renews its rows. */
const RENEWAL = 3000;
/** Milliseconds without a renewal after which a run's process counts as dead. */
export const LEASE = 10_000;

const MOST_SIGHTINGS = 1000;

/** One n8n process, and what it knows of the runs that record purchases. */
export class NodeProcess {
	/** Its runs that have not ended, and what is aborted when they are stopped. */
	readonly live = new Map<string, AbortSignal>();
	/** Of runs of other processes: when it saw a row change last, by its clock, and the last change of each. */
	readonly sightings = new Map<string, { at: number; rows: Map<number, string> }>();

	/** @param name Unique. Begins the names of its runs. */
	constructor(readonly name = randomUUID().slice(0, 8)) {}

	/** Milliseconds. Unlike the time of day, it is never set back. */
	now(): number {
		return performance.now();
	}

	/** Resolves early if the signal is aborted, but not on n8n 1.123, whose `sleep` ignores it. */
	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		await settle(sleep(ms, signal));
	}

	/** @returns the runs that are not over. After Stop a run is, even if it still winds up. */
	liveRuns(): Set<string> {
		for (const [run, signal] of this.live) if (signal.aborted) this.live.delete(run);
		return new Set(this.live.keys());
	}
}

/** The process that this code runs in. */
export const thisProcess = new NodeProcess();

/**
 * Records rows of other processes' runs. A process is dead if this one has seen no new row of its run, and
 * no change of one, for the length of a lease. Others remove rows, so that is no sign of life. Times only
 * tell a change, because clocks differ: the database dates new rows, and a process what it changes (2.40.3).
 * @param rows What these runs hold.
 * @param readTo When reading ended.
 * @returns When a run gave its last sign of life, by this process's clock.
 */
export function noteSightings(
	{ sightings }: NodeProcess,
	rows: readonly StoredRow[],
	readTo: number,
): (run: string) => number {
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
	return (run) => sightings.get(run)?.at ?? Infinity;
}

/** Renews one of the run's rows while it adds none, so that other processes see that this one lives. */
export async function keepAlive(
	{ table, process, run }: Recording,
	ended: AbortSignal,
): Promise<void> {
	const renews = async (entry: string | undefined): Promise<boolean> => {
		if (entry === undefined) return false;
		const renewed = await settle(table.update({ entry, run: run.name }, { run: run.name }));
		return 'value' in renewed && renewed.value.length > 0;
	};
	while (table.isShared && !ended.aborted) {
		const [sent] = run.unsettled.values();
		// A new row is a sign of life as well. A `sent` one is renewed only if there is no other, because it
		// may go before anybody sees that.
		if (!run.hasWritten && !(await renews(run.lasting))) await renews(sent?.entry);
		run.hasWritten = false;
		await process.wait(RENEWAL, ended);
	}
}
