import { LEASE } from '../../nodes/ImageGeneration/recall/process/lease';
import {
	processOf,
	type PurchaseTable,
	type StoredRow,
	type TableStep,
	type Which,
} from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { readRow, toCells } from '../../nodes/ImageGeneration/recall/table/readRow';
import type { Schedule } from './logSchedule';
import type { Process, SimulatedRun } from './simulatedRuns';

/** What the table needs of the world. */
interface World {
	readonly time: number;
	readonly schedule: Schedule;
	readonly runs: readonly SimulatedRun[];
	/** A call of the table, with the changes that it makes one after the other. */
	request<T>(run: SimulatedRun, ...changes: Array<() => T>): Promise<T>;
}

/** An n8n data table, which people edit. */
export class SimulatedTable {
	/** As n8n has it. */
	cells: Array<Record<string, unknown>> = [];

	/** Which run took which row of another one. */
	readonly taken: Array<{ row: StoredRow; by: SimulatedRun; isFair: boolean }> = [];

	/** What somebody did to it. */
	readonly edits: string[] = [];

	/** Links, and requests without one, of rows that nobody could read any more. */
	readonly spoilt = new Set<string>();

	/** Links, entries and labels of all rows that somebody has edited. */
	readonly edited = new Set<string>();

	#nextId = 1;

	/** When processes renewed their leases last, by their names. */
	readonly #renewedAt = new Map<string, number>();

	/** When processes were late with that for the last time, because the table had not answered them. */
	readonly #lateAt = new Map<string, number>();

	constructor(private readonly world: World) {}

	/** The rows that can be read. */
	get rows(): StoredRow[] {
		return this.cells.flatMap((cells) => readRow(cells) ?? []);
	}

	/** Somebody edits a row in n8n, or exports the table and imports it again. */
	edit({ row: index, column, how }: Schedule['edits'][number]): void {
		const requests = this.cells.filter(({ state }) => state !== 'running');
		const cells = requests[index % Math.max(1, requests.length)];
		if (cells === undefined) return;
		const row = readRow(cells);
		// Without its execution and its caller, n8n can't be asked, and nobody can tell what is repeated.
		const isEssential = [
			'link',
			'state',
			'request',
			'node',
			'result',
			'execution',
			'parent',
		].includes(column);
		this.edits.push(`${how} ${column} of ${String(cells.id)}`);
		if (row !== undefined) {
			this.edited.add(row.link);
			this.edited.add(row.entry);
			this.edited.add(row.image);
		}
		if (row !== undefined && (how === 'delete' || isEssential)) {
			this.spoilt.add(row.link);
			this.spoilt.add(row.entry);
		}
		if (how === 'delete') this.cells.splice(this.cells.indexOf(cells), 1);
		else if (how === 'clear') cells[column] = null;
		else cells[column] = how === 'number' ? 12 : '={{ nonsense }}';
	}

	/** The table, as the processes of a run use it. */
	of(run: SimulatedRun): PurchaseTable {
		const { process } = run;
		const now = () => new Date(process.facts.timeOfDay()).toISOString();
		const select = (which: Which) => this.cells.filter((cells) => isOneOf(cells, which));
		const takeStep = ({ which, set }: TableStep): StoredRow[] =>
			select(which).flatMap((cells) => {
				const before = readRow(cells);
				if (before !== undefined && set.run === run.name && set.state !== 'told') {
					this.#noteTaking(before, run);
				}
				if (set.state === 'running') this.#noteRenewal(run);
				Object.assign(cells, toCells(set), { updatedAt: now() });
				return readRow(cells) ?? [];
			});
		return {
			isShared: true,
			name: 'the table',
			id: 'its id',
			mostRows: Infinity,
			insert: async (row) => {
				// As it is now: the node changes its own copy later.
				const inserted = toCells(row);
				return await this.world.request(run, () => {
					if (row.state === 'running') this.#noteRenewal(run);
					// n8n lets the database date new rows, and its processes the changes (2.41.1).
					const at = new Date(1e12 + this.world.time).toISOString();
					const cells = { ...inserted, id: this.#nextId++, createdAt: at, updatedAt: at };
					this.cells.push(cells);
					return { ...row, id: cells.id, createdAt: at, updatedAt: at };
				});
			},
			read: async (which) =>
				await this.world.request(run, () => select(which).flatMap((cells) => readRow(cells) ?? [])),
			find: async (column, values) => {
				if (values.length === 0) return [];
				const wanted = new Set(values.map(String));
				return await this.world.request(run, () =>
					this.cells
						.filter((cells) => wanted.has(textOf(cells[column])))
						.flatMap((cells) => readRow(cells) ?? [])
						.reverse(),
				);
			},
			change: async (steps) => {
				if (steps.length === 0) return [];
				const written = steps.map(({ which, set }) => ({ which, set: { ...set } }));
				const ids = written.flatMap(({ which, set }) =>
					set.run === run.name ? (which.id ?? []) : [],
				);
				for (const id of ids) run.unknown.add(id);
				const changed = await this.world.request(run, () => written.flatMap(takeStep));
				for (const id of ids) run.unknown.delete(id);
				return changed;
			},
			remove: async (ids) => {
				if (ids.length === 0) return;
				await this.world.request(run, () => {
					this.cells = this.cells.filter(({ id }) => !ids.includes(Number(id)));
				});
			},
		};
	}

	#noteTaking(row: StoredRow, by: SimulatedRun): void {
		const owner = this.world.runs.find(({ name }) => name === row.run);
		const isFair =
			['stopped', 'told'].includes(row.state) ||
			by.execution === row.execution ||
			by.of.before?.id === row.execution ||
			// Retry has it in its data in any case, although another run may have taken it meanwhile.
			(row.state === 'failed' && by.of.before !== undefined) ||
			owner === undefined ||
			this.#seemedDead(owner) ||
			mayBeTaken(owner, row);
		this.taken.push({ row, by, isFair });
	}

	#noteRenewal({ process }: SimulatedRun): void {
		this.#noteDelay(process);
		this.#renewedAt.set(process.facts.name, this.world.time);
	}

	/** Notes it if a process is late with its lease because the table did not answer it. */
	#noteDelay({ facts, unansweredAt }: Process): void {
		const { time, schedule } = this.world;
		const renewedAt = this.#renewedAt.get(facts.name) ?? Infinity;
		const fastest = Math.max(...schedule.clocks.map(({ speed }) => speed));
		const isLate = time - renewedAt >= LEASE / fastest;
		if (isLate && unansweredAt > renewedAt) this.#lateAt.set(facts.name, time);
	}

	/** Whether nobody could tell a process from a dead one when what arrives now was decided. */
	#seemedDead({ process }: SimulatedRun): boolean {
		this.#noteDelay(process);
		const lateAt = this.#lateAt.get(process.facts.name) ?? -Infinity;
		// Between the last look at a lease and a row that is taken lie up to five calls of the table.
		return this.world.time - lateAt <= 10 * (this.world.schedule.latency + 1);
	}
}

/** Whether another run may have what a run bought. */
function mayBeTaken(owner: SimulatedRun, { id, state }: StoredRow): boolean {
	// Nobody can tell a process that stands still from a dead one.
	if (owner.process.frozenUntil > 0 || owner.unknown.has(id)) return true;
	// The table does not show how it ended, and n8n may not know.
	if (owner.unmarked) return true;
	// Once its run has ended, Retry of a killed execution looks as if it had been killed itself (2.41.1).
	if (owner.end !== undefined && owner.of.before?.end === 'crashed') return true;
	// Its execution had failed before n8n was killed.
	if (state === 'failed' && owner.of.end === 'crashed') return true;
	// n8n has nothing of it, and never will.
	return (owner.end !== undefined || owner.signal.aborted) && !owner.isKept;
}

/** Whether a row of the table is one of these, as n8n compares cells. */
function isOneOf(
	cells: Record<string, unknown>,
	{ notIn = [], process, ...which }: Which,
): boolean {
	if (notIn.some((each) => each === cells.state)) return false;
	if (process !== undefined && processOf(textOf(cells.run)) !== process) return false;
	return Object.entries(which).every(([column, value]) => textOf(cells[column]) === String(value));
}

/** What a condition compares. An empty one stands for an empty cell. */
function textOf(cell: unknown): string {
	return String((cell ?? '') as string | number);
}
