import type { Job } from '../types';
import { LEASE, noteSightings } from './leases';
import { requestKeys, storedResult, type Entry } from './purchases';
import { SETTLED, type PurchaseState, type StoredRow } from './purchaseTable';
import type { Recording } from './recordingRun';

/** Milliseconds between two looks at the rows of a run that may be dead. */
const LOOK = 1000;

const CLOSED: readonly PurchaseState[] = [...SETTLED, 'unclear'];
const HELD: readonly PurchaseState[] = ['sent', 'bought'];

/**
 * Reads what other executions of the node left, and what this one left in a process that is gone.
 * @param all Whether what other runs hold counts as well, and what was delivered, the latest run first.
 */
export async function findRequests(
	recording: Recording,
	jobs: readonly Job[],
	all: boolean,
): Promise<Entry[]> {
	const { table, process, run: searching, place, repeats } = recording;
	const { node, execution } = place;
	searching.isUnsure = true;
	// First, because it may wait, and what is over meanwhile must be found as well.
	const open = await readOpen(recording, jobs);
	const live = process.liveRuns();
	const [own, closed] = await Promise.all([
		repeats ? table.read({ node, execution }) : [],
		all ? readClosed(recording, jobs) : [],
	]);
	// What an earlier attempt took over, and may not know of, is free.
	const isFree = ({ run, link }: StoredRow) =>
		!live.has(run) || (run === searching.name && link !== '');
	// It is known by its job, even if an expression gives another request now.
	const lost = own
		.filter((row) => belongsTo(row, execution) && isFree(row))
		.map((row) => toEntry(row, !CLOSED.includes(row.state), row.job.split(' ')));
	// A run may have ended, or taken a row over, between these reads.
	const read = [...lost, ...open, ...closed];
	const counting = new Map<string, Entry>();
	for (const each of read) {
		const { entry } = each.row;
		if (counting.get(entry)?.result === undefined) counting.set(entry, each);
	}
	const superseded = read.filter(({ row: { entry, id } }) => {
		const other = counting.get(entry);
		return other?.isAbandoned === true && other.row.id !== id;
	});
	await Promise.all(superseded.map(async ({ row: { id } }) => await table.remove({ id })));
	searching.isUnsure = false;
	const counts = ({ isAbandoned, row }: Entry) => isAbandoned || belongsTo(row, execution);
	return [...counting.values()].filter((each) => all || counts(each));
}

/** Whether an execution paid for an image, or asked for it, and no other one has taken it over. */
function belongsTo(row: StoredRow, execution: string): boolean {
	return row.execution === execution && row.run.endsWith(`.${execution}`);
}

/** Reads what was delivered, or is in the data of an execution that failed, the latest run first. */
async function readClosed({ table, place }: Recording, jobs: readonly Job[]): Promise<Entry[]> {
	const { node, execution } = place;
	// Files are read only if something may be found.
	if (!table.isShared && (await table.read({ node })).length === 0) return [];
	const rows = await table.find('request', [...(await requestKeys(node, jobs))]);
	const latest = new Map(rows.map(({ run, id }) => [run, id]));
	return rows
		.filter((row) => SETTLED.includes(row.state) && !belongsTo(row, execution))
		.sort((a, b) => (latest.get(b.run) ?? 0) - (latest.get(a.run) ?? 0))
		.map((row) => toEntry(row, false));
}

/**
 * Reads what is not over. If a run of another process that may be dead has bought, or asked for, what this
 * run wants, waits until that run gives a sign of life or its lease is over.
 */
async function readOpen(recording: Recording, jobs: readonly Job[]): Promise<Entry[]> {
	const { table, process, signal, run: searching } = recording;
	const { node, execution } = recording.place;
	const isOfProcess = ({ run }: StoredRow) => run.startsWith(`${process.name}.`);
	/** When the first look ended. A run that has been seen anew since lives. */
	let firstLook = Infinity;
	let wanted: ReadonlySet<string> | undefined;
	for (;;) {
		const readFrom = process.now();
		const live = process.liveRuns();
		const read = await table.read({ node, notIn: CLOSED });
		const rows = read.filter((row) => !belongsTo(row, execution));
		const isElsewhere = (row: StoredRow) => HELD.includes(row.state) && !isOfProcess(row);
		const readTo = process.now();
		firstLook = Math.min(firstLook, readTo);
		// All rows, so that another run of this process sees nothing new in them.
		const seenAt = noteSightings(process, read.filter(isElsewhere), readTo);
		const isDead = ({ run }: StoredRow) => readFrom - seenAt(run) >= LEASE;
		const doubtful = rows.filter(
			(row) => isElsewhere(row) && !isDead(row) && seenAt(row.run) <= firstLook,
		);
		if (doubtful.length > 0) wanted ??= await requestKeys(node, jobs);
		if (doubtful.some(({ request }) => wanted?.has(request)) && !signal.aborted) {
			await process.wait(LOOK, signal);
			continue;
		}
		// A run of this process may have begun or ended while the rows were read.
		const isAlive = ({ run }: StoredRow) => live.has(run) || process.live.has(run);
		const isHeld = (row: StoredRow) =>
			HELD.includes(row.state) &&
			row.run !== searching.name &&
			(isOfProcess(row) ? isAlive(row) : !isDead(row));
		return rows.map((row) => toEntry(row, !isHeld(row)));
	}
}

function toEntry(row: StoredRow, isAbandoned: boolean, keys = [row.request]): Entry {
	return { row, keys, result: storedResult(row), isAbandoned };
}
