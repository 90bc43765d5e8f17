import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { settle } from '../failures/failures';
import { DeferredRows } from './deferredRows';
import { processOf, type PurchaseRow, type PurchaseTable, type StoredRow } from './purchaseTable';
import { Sightings } from './sightings';

/** Milliseconds after which a process renews its row. */
const RENEWAL = 3000;
/**
 * Milliseconds without a renewal after which a process counts as dead. Longer than a renewal and the pause
 * between two attempts of Retry On Fail, which n8n limits to five seconds and in which nothing is renewed.
 */
export const LEASE = 10_000;

/** One n8n process, and what it knows of the runs that record purchases. */
export class PurchasingProcess {
	/** Its runs that have not ended, and what is aborted when they are stopped. */
	readonly live = new Map<string, AbortSignal>();

	/** By the table's name. */
	readonly #leases = new Map<string, Lease>();

	/** By the table's name. */
	readonly #deferredRows = new Map<string, DeferredRows>();

	/** By the table's name. */
	readonly #sightings = new Map<string, Sightings>();

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

	/** Whether one of its own runs goes on. After Stop a run is over, even if it still winds up. */
	isLive(run: string): boolean {
		return this.live.get(run)?.aborted === false;
	}

	/** Its own row in a table. */
	leaseOf(table: PurchaseTable): Lease {
		const lease = this.#leases.get(table.name) ?? new Lease(this);
		this.#leases.set(table.name, lease);
		return lease;
	}

	/** What a table has not taken. */
	deferredRows(table: PurchaseTable): DeferredRows {
		const rows = this.#deferredRows.get(table.name) ?? new DeferredRows();
		this.#deferredRows.set(table.name, rows);
		return rows;
	}

	/** What it has seen of other processes in a table. */
	sightingsIn(table: PurchaseTable): Sightings {
		const sightings = this.#sightings.get(table.name) ?? new Sightings();
		this.#sightings.set(table.name, sightings);
		return sightings;
	}

	/** A run is over. */
	end(run: string): void {
		this.live.delete(run);
		for (const lease of this.#leases.values()) lease.forget(run);
	}

	/**
	 * Whether a process may have ended before this one began: it is another one, and was never seen alive.
	 * In queue mode, a worker that was idle all the time cannot be told from one that is gone.
	 */
	mayBeGone(name: string): boolean {
		const all = [...this.#sightings.values()];
		return name !== this.name && !all.some((sightings) => sightings.hasChanged(name));
	}
}

/** The process that this code runs in. */
export const thisProcess = new PurchasingProcess();

/**
 * The row of a process in a table. As long as it changes, other processes know that this one lives and
 * take nothing from its runs. It is there before any row of a run, and goes with the last run.
 */
export class Lease {
	#entry: string | undefined;

	#renewedAt = -Infinity;

	readonly #runs = new Set<string>();

	#last: Promise<unknown> = Promise.resolve();

	constructor(private readonly process: PurchasingProcess) {}

	/** Call before a run writes a row. @throws if the table does not answer */
	async ensure(table: PurchaseTable, run: string): Promise<void> {
		this.#runs.add(run);
		if (!table.isShared) return;
		// After a pause of the whole process, others may have removed the row.
		const isOverdue = () => this.process.now() - this.#renewedAt >= LEASE;
		if (this.#entry !== undefined && !isOverdue()) return;
		await this.#inTurn(async () => {
			if (this.#entry === undefined || isOverdue()) await this.#write(table);
		});
	}

	/** Renews the row unless it is new, or another run has just done so. */
	async renew(table: PurchaseTable): Promise<void> {
		await this.#inTurn(async () => {
			const isDue = this.process.now() - this.#renewedAt >= RENEWAL / 2;
			if (this.#entry !== undefined && isDue) await this.#write(table);
		});
	}

	/** A run writes no more rows. */
	forget(run: string): void {
		this.#runs.delete(run);
	}

	/** Removes the row if no run needs it any more. */
	async release(table: PurchaseTable): Promise<void> {
		await this.#inTurn(async () => {
			const entry = this.#entry;
			if (entry === undefined || this.#runs.size > 0) return;
			// Before the call, so that a run that begins meanwhile writes another row.
			this.#entry = undefined;
			await table.remove(entry);
		});
	}

	async #write(table: PurchaseTable): Promise<void> {
		const { name } = this.process;
		const at = this.process.now();
		const entry = this.#entry;
		const renewed =
			entry === undefined
				? []
				: await table.change([{ which: { entry }, set: { state: 'running' } }]);
		if (renewed.length === 0) {
			const row = processRow(name);
			await table.insert(row);
			this.#entry = row.entry;
		}
		this.#renewedAt = at;
	}

	async #inTurn(step: () => Promise<void>): Promise<void> {
		const taken = this.#last.then(step);
		this.#last = settle(taken);
		await taken;
	}
}

/** Renews a process's row as long as a run goes on. */
export async function keepAlive(
	process: PurchasingProcess,
	table: PurchaseTable,
	ended: AbortSignal,
): Promise<void> {
	while (table.isShared && !ended.aborted) {
		await settle(process.leaseOf(table).renew(table));
		await process.wait(RENEWAL, ended);
	}
}

function processRow(name: string): PurchaseRow {
	return {
		image: 'An n8n process',
		link: '',
		state: 'running',
		operation: '',
		workflow: '',
		execution: '',
		parent: '',
		node: '',
		request: '',
		job: '',
		run: name,
		entry: randomUUID(),
		result: '',
		told: 'no',
	};
}

/** What the rows of processes say of other processes, at one time. */
export class ProcessView {
	readonly #present: ReadonlySet<string>;

	/**
	 * @param rows Those in state `running`, read after the rows that it judges: a process writes its own row
	 *   before any other.
	 * @param readFrom When reading them began.
	 */
	constructor(
		private readonly process: PurchasingProcess,
		private readonly sightings: Sightings,
		rows: readonly StoredRow[],
		private readonly readFrom: number,
	) {
		this.#present = new Set(rows.map(({ run }) => run));
	}

	/** Whether the process that a run belongs to is dead. */
	isDead(run: string): boolean {
		const name = processOf(run);
		if (name === this.process.name) return false;
		if (!this.#present.has(name)) return true;
		return this.readFrom - this.sightings.lastSign(name) >= LEASE;
	}
}
