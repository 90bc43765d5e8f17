import type { StoredRow } from './purchaseTable';

const MOST_SIGHTINGS = 1000;

/** What a process has seen of another one. */
interface Sighting {
	/** Its rows in the table, and when each was changed. */
	sign: string;
	/** When it was first seen so, by the clock of the one that looks. */
	at: number;
	/** Whether it was seen to change, so that both lived at the same time. */
	hasChanged: boolean;
}

/** What a process has seen of others in one table. One for each table, because a process has a row in each. */
export class Sightings {
	/** By the process's name, those seen last at the end. */
	readonly #all = new Map<string, Sighting>();

	/**
	 * Notes the rows of processes. Times only tell a change, because clocks differ: the database dates new
	 * rows, and a process what it changes (2.40.3).
	 * @param rows Those in state `running`.
	 * @param at When they had been read.
	 */
	note(rows: readonly StoredRow[], at: number): void {
		const signs = new Map<string, string>();
		for (const { run, id, updatedAt } of rows) {
			signs.set(run, `${signs.get(run) ?? ''} ${id} ${updatedAt}`);
		}
		for (const [name, sign] of signs) {
			const before = this.#all.get(name);
			const isSame = before?.sign === sign;
			this.#all.delete(name);
			this.#all.set(name, {
				sign,
				at: isSame ? before.at : at,
				hasChanged: before !== undefined && (before.hasChanged || !isSame),
			});
		}
		const mostKept = Math.max(MOST_SIGHTINGS, signs.size);
		for (const name of [...this.#all.keys()].slice(0, -mostKept)) this.#all.delete(name);
	}

	/** When a process gave its last sign of life here, by the clock of the one that looks; Infinity if unseen. */
	lastSign(name: string): number {
		return this.#all.get(name)?.at ?? Infinity;
	}

	/** Whether a process was seen alive. */
	hasChanged(name: string): boolean {
		return this.#all.get(name)?.hasChanged === true;
	}
}
