import { findDead, liveRuns } from './leases';
import { storedResult, type Entry } from './purchases';
import type { Condition, PurchaseState, StoredRow } from './purchaseTable';
import type { RecordingRun } from './recordingRun';

/** Milliseconds between two looks at the rows of a run that may be dead. */
const LOOK = 1000;

const CLOSED: readonly PurchaseState[] = ['delivered', 'undelivered', 'unclear'];
const HELD: readonly PurchaseState[] = ['sent', 'bought'];

/** Where a run looks, and for what. */
export interface Search extends Omit<RecordingRun, 'rows' | 'onMissing'> {
	/** The requests of the run, hashed. Called only if they decide. */
	requests: () => Promise<ReadonlySet<string>>;
	/** Whether what was delivered counts as well. */
	all: boolean;
}

/** Reads what other executions of the node left, and what this one left in a process that is gone. */
export async function findRequests(search: Search): Promise<Entry[]> {
	const { table, process, place, repeats, all } = search;
	const { node, execution, run: searching } = place;
	const ofNode: Condition = ['node', 'eq', node];
	// First, because it may wait, and what is over meanwhile must be found as well.
	const open = await readOpen(search);
	const live = liveRuns(process);
	const [own, closed] = await Promise.all([
		repeats ? table.read([ofNode, ['execution', 'eq', execution]]) : [],
		all ? readClosed(search) : [],
	]);
	// What an earlier attempt took over, and may not know of, is free.
	const isFree = ({ run, link }: StoredRow) => !live.has(run) || (run === searching && link !== '');
	const lost = own
		.filter((row) => belongsTo(row, execution) && isFree(row))
		.map((row) => toEntry(row, { isAbandoned: !CLOSED.includes(row.state), isOwn: true }));
	// A run may have ended, or taken a row over, between these reads.
	const read = [...lost, ...open, ...closed];
	const counting = new Map<string, Entry>();
	for (const each of read) {
		const { entry } = each.row;
		if (counting.get(entry)?.result === undefined) counting.set(entry, each);
	}
	const superseded = read.flatMap(({ row: { entry, id } }) => {
		const other = counting.get(entry);
		return other?.isAbandoned === true && other.row.id !== id ? [id] : [];
	});
	await Promise.all(superseded.map(async (id) => await table.remove(['id', 'eq', id])));
	return [...counting.values()];
}

/** Whether an execution paid for an image, or asked for it, and no other one has taken it over. */
function belongsTo(row: StoredRow, execution: string): boolean {
	return row.execution === execution && row.run.endsWith(`.${execution}`);
}

/** Reads what was delivered, or is in the data of an execution that failed, the latest run first. */
async function readClosed({ table, place, requests }: Search): Promise<Entry[]> {
	const { node, execution } = place;
	const isEmpty = async () => (await table.read([['node', 'eq', node]])).length === 0;
	// Files are read only if something may be found.
	if (!table.isShared && (await isEmpty())) return [];
	const rows = await table.find('request', [...(await requests())]);
	const latest = new Map(rows.map(({ run, id }) => [run, id]));
	return rows
		.filter((row) => ['delivered', 'undelivered'].includes(row.state) && !belongsTo(row, execution))
		.sort((a, b) => (latest.get(b.run) ?? 0) - (latest.get(a.run) ?? 0))
		.map((row) => toEntry(row, { isAbandoned: false }));
}

/**
 * Reads what is not over. If a run of another process that may be dead has bought, or asked for, what this
 * run wants, waits until that run gives a sign of life or its lease is over.
 */
async function readOpen(search: Search): Promise<Entry[]> {
	const { table, process, clock, signal, requests } = search;
	const { node, execution, run: searching } = search.place;
	const open: Condition[] = [
		['node', 'eq', node],
		...CLOSED.map((state) => ['state', 'neq', state] as const),
	];
	const isOfProcess = ({ run }: StoredRow) => run.startsWith(`${process.name}.`);
	/** When the first look ended. A run that has been seen anew since lives. */
	let firstLook = Infinity;
	for (;;) {
		const readFrom = clock.now();
		const live = liveRuns(process);
		const read = await table.read(open);
		const rows = read.filter((row) => !belongsTo(row, execution));
		const isElsewhere = (row: StoredRow) => HELD.includes(row.state) && !isOfProcess(row);
		const readTo = clock.now();
		firstLook = Math.min(firstLook, readTo);
		// All rows, so that another run of this process sees nothing new in them.
		const dead = findDead(process, read.filter(isElsewhere), readFrom, readTo);
		const seenAt = ({ run }: StoredRow) => process.sightings.get(run)?.at ?? Infinity;
		const doubtful = rows.filter(
			(row) => isElsewhere(row) && !dead.has(row.run) && seenAt(row) <= firstLook,
		);
		const wanted = doubtful.length === 0 ? new Set() : await requests();
		if (doubtful.some(({ request }) => wanted.has(request)) && !signal.aborted) {
			await clock.wait(LOOK, signal);
			continue;
		}
		// A run of this process may have begun or ended while the rows were read.
		const isAlive = ({ run }: StoredRow) => live.has(run) || process.live.has(run);
		const isHeld = (row: StoredRow) =>
			HELD.includes(row.state) &&
			row.run !== searching &&
			(isOfProcess(row) ? isAlive(row) : !dead.has(row.run));
		return rows.map((row) => toEntry(row, { isAbandoned: !isHeld(row) }));
	}
}

function toEntry(
	row: StoredRow,
	{ isAbandoned, isOwn = false }: { isAbandoned: boolean; isOwn?: boolean },
): Entry {
	// What this execution sent is known by its job, even if an expression gives another request now.
	const keys = isOwn ? row.job.split(' ') : [row.request];
	return { row, keys, result: storedResult(row), isAbandoned, isOwn };
}
