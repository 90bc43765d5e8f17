import { processOf, type StoredRow } from '../table/purchaseTable';
import { LEASE } from './lease';

const MOST_SIGHTINGS = 1000;

/** What a process has seen of another one. */
interface Sighting {
	/** Its rows in the table, and when each was changed. */
	sign: string;
	/** When it was first seen so, by the clock of the one that looks. */
	at: number;
}

/** What a process has seen of others in one table. One for each table, because a process has a row in each. */
export class Sightings {
	/** By the process's name, those seen last at the end. */
	readonly #all = new Map<string, Sighting>();

	/** The processes that had a row at the last look. */
	#present: ReadonlySet<string> = new Set();

	/** When the last look began. */
	#lookedAt = -Infinity;

	/**
	 * Notes the rows of processes. Times only tell a change, because clocks differ: the database dates new
	 * rows, and a process what it changes (2.41.1).
	 * @param rows Those in state `running`, read after the rows that they judge: a process writes its own row
	 *   before any other.
	 * @param from When reading them began.
	 * @param at When they had been read.
	 */
	note(rows: readonly StoredRow[], from: number, at: number): void {
		// Another run's look, which began later, has already returned.
		if (from < this.#lookedAt) return;
		const signs = new Map<string, string>();
		for (const { run, id, updatedAt } of rows) {
			signs.set(run, `${signs.get(run) ?? ''} ${id} ${updatedAt}`);
		}
		for (const [name, sign] of signs) {
			const before = this.#all.get(name);
			this.#all.delete(name);
			this.#all.set(name, { sign, at: before?.sign === sign ? before.at : at });
		}
		const mostKept = Math.max(MOST_SIGHTINGS, signs.size);
		for (const name of [...this.#all.keys()].slice(0, -mostKept)) this.#all.delete(name);
		this.#present = new Set(signs.keys());
		this.#lookedAt = from;
	}

	/** When a process gave its last sign of life here, by the clock of the one that looks; Infinity if unseen, because there is nothing to wait for. */
	lastSign(name: string): number {
		return this.#all.get(name)?.at ?? Infinity;
	}

	/** Whether the process that a run of another process belongs to was dead at the last look. */
	isDead(run: string): boolean {
		const name = processOf(run);
		return !this.#present.has(name) || this.#lookedAt - this.lastSign(name) >= LEASE;
	}
}
