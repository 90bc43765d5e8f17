import { judgeRuns, type Clock, type Life, type LogProcess } from './leases';
import type { Condition, LogState, LogTable, StoredRow } from './logTable';

/** Milliseconds between two looks at the rows of a run that may be dead. */
const LOOK = 1000;

const OVER: readonly LogState[] = ['delivered', 'undelivered', 'unclear'];

/** A paid request as its rows tell it. */
export interface LoggedRequest {
	/** The row that counts. */
	row: StoredRow;
	/** Whether its run was stopped or killed before it could output the image. */
	isAbandoned: boolean;
}

/** Where to look, and for what. */
export interface Search {
	table: Pick<LogTable, 'read' | 'remove'>;
	process: LogProcess;
	clock: Clock;
	signal: AbortSignal | undefined;
	/** Hash of account, workflow and node. */
	node: string;
	execution: string;
	/** Whether this n8n gives the execution of a dead process to another one. */
	repeats: boolean;
	/** The requests of the run, hashed. Called only if they decide. */
	requests: () => Promise<ReadonlySet<string>>;
	/** Whether what was delivered counts as well. */
	all: boolean;
}

/** Reads what other executions of the node left, and what this one left in a process that is gone. */
export async function findRequests(search: Search): Promise<LoggedRequest[]> {
	const { table, process, execution, node, repeats } = search;
	const [others, own, delivered] = await Promise.all([
		readOpen(search),
		repeats
			? table.read({
					all: [
						['node', 'eq', node],
						['execution', 'eq', execution],
					],
				})
			: [],
		search.all ? readRequested(search) : [],
	]);
	const { rows, lives } = others;
	const isAbandoned = ({ run }: StoredRow): boolean =>
		lives.get(run) === 'over' || lives.get(run) === 'dead';
	const open = grouped(rows).map((same) => ({ ...same, isAbandoned: isAbandoned(same.row) }));
	const isLive = ({ run }: StoredRow) => process.live.has(run);
	const lost = grouped(own.filter((row) => !isLive(row))).map((same) => ({
		...same,
		isAbandoned: !OVER.includes(same.row.state),
	}));
	const superseded = [...open, ...lost].flatMap((same) =>
		same.isAbandoned ? same.superseded : [],
	);
	if (superseded.length > 0) {
		await table.remove({ any: superseded.map(({ id }) => ['id', 'eq', id] as const) });
	}
	const known = new Set(rows.map(({ id }) => id));
	const closed = delivered.filter(({ id, link }) => link !== '' && !known.has(id));
	return [...lost, ...open, ...closed.map((row) => ({ row, isAbandoned: false }))];
}

async function readRequested({ table, execution, requests }: Search): Promise<StoredRow[]> {
	const any = [...(await requests())].map((request) => ['request', 'eq', request] as const);
	const rows = any.length === 0 ? [] : await table.read({ any });
	return rows.filter((row) => row.execution !== execution);
}

/**
 * Reads what is not over. If another run that may be dead has bought, or asked for, what this run wants,
 * waits until that run gives a sign of life or its lease is over.
 */
async function readOpen(search: Search): Promise<{ rows: StoredRow[]; lives: Map<string, Life> }> {
	const { table, process, clock, signal, node, execution, requests } = search;
	const open: Condition[] = [
		['node', 'eq', node],
		['execution', 'neq', execution],
		...OVER.map((state) => ['state', 'neq', state] as const),
	];
	/** Runs that decide and may be dead, as of the first look. One that has been seen anew since lives. */
	let doubtful: ReadonlyMap<string, unknown> | undefined;
	for (;;) {
		const readFrom = clock.now();
		const rows = await table.read({ all: open });
		const lives = judgeRuns(process, rows, readFrom, clock.now());
		const isDoubtful = ({ run }: StoredRow): boolean =>
			lives.get(run) === 'unknown' &&
			(doubtful === undefined || doubtful.get(run) === process.sightings.get(run));
		const candidates = rows.filter(isDoubtful);
		const wanted = candidates.length === 0 ? new Set() : await requests();
		const decisive = candidates.filter(({ request }) => wanted.has(request));
		doubtful = new Map(decisive.map(({ run }) => [run, process.sightings.get(run)]));
		if (doubtful.size === 0 || signal?.aborted === true) return { rows, lives };
		await clock.wait(LOOK, signal);
	}
}

/** The rows of each request: the one that counts, and those that it superseded. */
function grouped(
	rows: readonly StoredRow[],
): Array<{ row: StoredRow; superseded: readonly StoredRow[] }> {
	const byEntry = new Map<string, StoredRow[]>();
	for (const row of rows) byEntry.set(row.entry, [...(byEntry.get(row.entry) ?? []), row]);
	return [...byEntry.values()].flatMap((same) => {
		const row = same.find(({ state }) => state !== 'sent') ?? same[0];
		return row === undefined ? [] : [{ row, superseded: same.filter((each) => each !== row) }];
	});
}
