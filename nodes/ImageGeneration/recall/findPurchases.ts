import { storedResult, type Entry, type Standing } from './entry';
import { ProcessView } from './leases';
import {
	SETTLED,
	isOpen,
	isTold,
	processOf,
	tellerOf,
	type StoredRow,
	type Which,
} from './purchaseTable';
import type { Recording } from './runRecord';

/** Milliseconds between two looks at a process that may be dead. */
const LOOK = 1000;

/** Requests in state `sent`, `bought` or `stopped`. */
const OPEN_OR_STOPPED: Which = { notIn: [...SETTLED, 'running'] };

/** What a run finds in the table before it buys. */
export interface Found {
	/** Of other runs; those that are over, the latest run first. */
	entries: Entry[];
	/** The rows of processes that are dead. */
	deadProcesses: StoredRow[];
}

/**
 * Writes what the table did not take before, then reads what other runs of the node left. If a process that
 * may be dead has what this run wants, it waits until that process gives a sign of life or its lease is over.
 * @param requests What this run wants, to find what is over as well.
 */
export async function findPurchases(
	recording: Recording,
	requests: ReadonlySet<string>,
): Promise<Found> {
	const { table, process, record, place } = recording;
	record.isInDoubt = true;
	await process.deferredRows(table).write(table);
	const seen = await lookUntilSure(recording, requests);
	const { processes } = seen;
	const rows = new Map(seen.rows.map((row) => [row.entry, row]));
	// A process that died during one of an execution's runs did not end the execution either.
	const lost = seen.rows.filter((row) => isOfDeadRun(row, seen));
	const cutOff = new Set(lost.map(originOf));
	for (const execution of new Set(lost.map((row) => row.execution))) {
		const delivered = await table.read({ node: place.node, execution, state: 'delivered' });
		for (const row of delivered.filter((each) => cutOff.has(originOf(each)))) {
			rows.set(row.entry, row);
		}
	}
	record.isInDoubt = false;
	const ordered = latestRunFirst([...rows.values()]);
	/** The latest execution of a process that may be gone, by request. */
	const lastOrigin = new Map<string, string>();
	for (const row of ordered) {
		const isFirst = !lastOrigin.has(row.request);
		if (isFirst && row.state === 'delivered' && mayBeGone(row)) {
			lastOrigin.set(row.request, originOf(row));
		}
	}

	/** Whether nobody can know if the execution of a row ended. */
	function mayBeGone({ run: owner }: StoredRow): boolean {
		return processes.isDead(owner) && process.mayBeGone(processOf(owner));
	}

	/** Decides what a row is to this run. */
	function standingOf(row: StoredRow): Standing | undefined {
		if (isRepeated(row, seen)) return 'repeated';
		switch (row.state) {
			case 'sent':
			case 'bought':
				return isCutOff(row, seen) ? 'left over' : 'held';
			case 'stopped':
				return 'left over';
			case 'kept':
				return 'kept';
			case 'delivered': {
				const origin = originOf(row);
				if (cutOff.has(origin)) return 'left over';
				const isLast = lastOrigin.get(row.request) === origin;
				return isLast && mayBeGone(row) ? 'lost track' : 'delivered';
			}
			case 'unclear':
			case 'running':
				return undefined;
		}
	}

	/** Whether people know of a row. What a run was about to tell as it was cut off, nobody knows. */
	function isSpokenFor(row: StoredRow): boolean {
		const teller = tellerOf(row);
		if (teller === undefined) return isTold(row);
		// An earlier attempt of this run claimed it, of which n8n shows nothing.
		if (teller === record.name) return false;
		return isOfProcess(recording, teller) ? process.isLive(teller) : !processes.isDead(teller);
	}

	const entries = ordered.flatMap((row): Entry[] => {
		const standing = standingOf(row);
		if (standing === undefined) return [];
		// It is known by its job, even if an expression gives another request now.
		const isSameJob = standing === 'repeated' && isOfSameExecution(row, recording);
		const keys = isSameJob ? row.job.split(' ') : [row.request];
		return [{ row, keys, result: storedResult(row), standing, isSpokenFor: isSpokenFor(row) }];
	});
	return {
		entries,
		deadProcesses: seen.processRows.filter((row) => processes.isDead(row.run)),
	};
}

/** What one look at the table shows. */
interface Look {
	recording: Recording;
	rows: StoredRow[];
	/** The rows of processes. */
	processRows: StoredRow[];
	processes: ProcessView;
	/** Ids of the rows that were still open when the rows of processes had been read. */
	stillOpen: ReadonlySet<number>;
	/** The runs of this process that were live before the rows were read. */
	live: ReadonlySet<string>;
}

/** Looks at the table until what this run wants belongs to processes that surely live or surely are dead. */
async function lookUntilSure(recording: Recording, requests: ReadonlySet<string>): Promise<Look> {
	const { table, process, signal } = recording;
	let seen = await look(recording, requests);
	const firstLook = process.now();

	/** Whether a row's process may be dead or alive. One that is seen anew since the first look lives. */
	const isDoubtful = (row: StoredRow): boolean => {
		const { run, state, request } = row;
		const name = processOf(run);
		if (!requests.has(request) || isOfProcess(recording, run)) return false;
		if (seen.processes.isDead(run) || isRepeated(row, seen)) return false;
		if (process.sightingsIn(table).lastSign(name) > firstLook) return false;
		return isOpen(row) || (state === 'delivered' && process.mayBeGone(name));
	};

	while (seen.rows.some(isDoubtful) && !signal.aborted) {
		await process.wait(LOOK, signal);
		seen = await look(recording, requests);
	}
	return seen;
}

/**
 * Looks once. The order is the proof that a process is dead: first its requests are read, then the rows of
 * processes, which are there before any request and go after the last one has its last state, then the requests again.
 */
async function look(recording: Recording, requests: ReadonlySet<string>): Promise<Look> {
	const { table, process, place, movesExecutions } = recording;
	const { node, execution } = place;
	const live = new Set([...process.live.keys()].filter((run) => process.isLive(run)));
	const [open, requested, own] = await Promise.all([
		table.read({ ...OPEN_OR_STOPPED, node }),
		table.find('request', [...requests]),
		movesExecutions ? table.read({ node, execution }) : [],
	]);
	// A run may have ended, or taken a row over, between these reads.
	const byId = new Map([...open, ...requested, ...own].map((row) => [row.id, row]));
	const rows = [...byId.values()];
	const readFrom = process.now();
	const isElsewhere = rows.some(
		(row) => !isOfProcess(recording, row.run) || !isOfProcess(recording, tellerOf(row) ?? row.run),
	);
	const processRows = isElsewhere ? await table.read({ state: 'running' }) : [];
	const sightings = process.sightingsIn(table);
	sightings.note(processRows, process.now());
	const processes = new ProcessView(process, sightings, processRows, readFrom);
	// A process that ended between these reads had written the last states of its requests before.
	const isDead = rows.some((row) => isOpen(row) && processes.isDead(row.run));
	const again = isDead ? await table.read({ ...OPEN_OR_STOPPED, node }) : [];
	const stillOpen = new Set<number>();
	for (const row of again) {
		const before = byId.get(row.id);
		if (before === undefined) continue;
		// A claim that came after the rows of processes were read is as good as one of a live process.
		byId.set(row.id, { ...row, told: before.told });
		if (isOpen(before) && isOpen(row) && before.run === row.run) stillOpen.add(row.id);
	}
	return { recording, rows: [...byId.values()], processRows, processes, stillOpen, live };
}

/** Whether a row's run will not go on with it. */
function isCutOff(row: StoredRow, seen: Look): boolean {
	const { recording, live } = seen;
	const { process } = recording;
	if (!isOpen(row)) return false;
	if (row.run === recording.record.name) return isTakenUnknowingly(row, recording);
	if (!isOfProcess(recording, row.run)) return isOfDeadRun(row, seen);
	// It may have begun or ended while the rows were read.
	return !live.has(row.run) && !process.isLive(row.run);
}

/** Whether a row's process died during its run. */
function isOfDeadRun(row: StoredRow, { processes, stillOpen }: Look): boolean {
	return isOpen(row) && stillOpen.has(row.id) && processes.isDead(row.run);
}

/**
 * Whether n8n itself runs the work of a row again: an execution whose process died (n8n 1.123.81), a
 * sub-workflow whose caller repeats it within the same execution, or an attempt of this run that took the
 * row over without knowing.
 */
function isRepeated(row: StoredRow, { recording }: Look): boolean {
	const { parent } = recording.place;
	// A request without a result may not be sent again. A result is left over instead.
	if (isTakenUnknowingly(row, recording)) return row.link === '';
	if (isOfSameExecution(row, recording)) return !isOfProcess(recording, row.run);
	// Of what may have been charged, another run may have told meanwhile.
	const wasLeft = row.state === 'stopped' || (row.state === 'unclear' && isTold(row));
	return parent !== '' && row.parent === parent && wasLeft;
}

/** Whether an earlier attempt took a row over, and the table did not answer. */
function isTakenUnknowingly(row: StoredRow, { table, record }: Recording): boolean {
	const isOwn = record.rows.has(row.entry) || record.strays.has(row.entry);
	return table.isShared && row.run === record.name && isOpen(row) && !isOwn;
}

/** Whether a row belongs to this execution, and n8n may have begun it in another process. */
function isOfSameExecution(
	{ node, execution }: StoredRow,
	{ place, movesExecutions }: Recording,
): boolean {
	return movesExecutions && node === place.node && execution === place.execution;
}

function isOfProcess({ process }: Recording, run: string): boolean {
	return processOf(run) === process.name;
}

/** An execution in one process. n8n 1 may give an execution to a second one. */
function originOf({ run, execution }: StoredRow): string {
	return `${processOf(run)} ${execution}`;
}

function latestRunFirst(rows: readonly StoredRow[]): StoredRow[] {
	const byId = rows.toSorted((a, b) => a.id - b.id);
	const latest = new Map(byId.map(({ run, id }) => [run, id]));
	return byId.sort((a, b) => (latest.get(b.run) ?? 0) - (latest.get(a.run) ?? 0));
}
