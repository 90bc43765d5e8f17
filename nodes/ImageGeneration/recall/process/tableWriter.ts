import { settle, unwrap, waitForAll } from '../../failures/failures';
import { Turns } from '../../wait';
import type { PurchaseRow, PurchaseTable, TableStep } from '../table/purchaseTable';

/**
 * A purchase of this process, as a table should have it. What becomes of it while its run goes on is a new row,
 * and the old one goes: n8n inserts and removes many rows at once, but updates one after the other, and measures all
 * of its data tables before each (2.41.1).
 */
export class OwnRow {
	/** The row of the table that says this; undefined if there is none, or if the table has not told its id. */
	id: number | undefined;

	/** The rows of the table that say what it was before. */
	outdated: number[] = [];

	/** The id of the table that these are in; undefined if that has to be found out. */
	tableId: string | undefined;

	/** Whether the table should not have it, because the request was definitely not charged. */
	isGone = false;

	constructor(readonly row: PurchaseRow) {}

	/** Says something else from now on. */
	become(more: Partial<PurchaseRow>): void {
		Object.assign(this.row, more);
		if (this.id !== undefined) this.outdated.push(this.id);
		this.id = undefined;
	}

	/** Should not be there any more. */
	vanish(): void {
		this.become({});
		this.isGone = true;
	}
}

/**
 * Writes what a table should say of this process's purchases and does not say yet: with a run's next call,
 * at its end, or before the next run reads. A table may not answer: a workflow timeout ends the calls of
 * its tables as well (2.41.1), and a database may be away or full.
 */
export class TableWriter {
	readonly #rows = new Set<OwnRow>();

	/** Changes of many rows, in order. They come after the rows. */
	#steps: TableStep[] = [];

	/** Those whose old rows are still there. */
	readonly #outdated = new Set<OwnRow>();

	readonly #writing = new Turns();

	readonly #sweeping = new Turns();

	put(row: OwnRow): void {
		this.#rows.add(row);
	}

	add(...steps: TableStep[]): void {
		this.#steps.push(...steps);
	}

	/**
	 * Writes everything, after what is being written.
	 * @throws if the table does not take it; the next call tries again.
	 */
	async flush(table: PurchaseTable): Promise<void> {
		await this.#writing.take(async () => await this.#write(table));
		// Not in the same turn, because the next result is to be there as soon as possible.
		await this.#sweep(table);
	}

	async #write(table: PurchaseTable): Promise<void> {
		// Together, because a step may concern a row that is put before it. One that changes meanwhile is put again.
		const rows = [...this.#rows];
		const steps = this.#steps;
		this.#rows.clear();
		this.#steps = [];
		const written = await settle(writeRows(table, rows));
		for (const row of rows) {
			if ('failure' in written) this.#rows.add(row);
			else if (row.outdated.length > 0) this.#outdated.add(row);
		}
		const taken = 'failure' in written ? written : await settle(this.#takeSteps(table, steps));
		if ('failure' in taken) this.#steps = [...steps, ...this.#steps];
		unwrap(taken);
	}

	async #takeSteps(table: PurchaseTable, steps: readonly TableStep[]): Promise<void> {
		if (steps.length === 0) return;
		// They do not concern old rows.
		await this.#sweep(table);
		await table.change(steps);
	}

	/** Removes old rows, after those that are being removed. @throws if the table does not; the next call tries again. */
	async #sweep(table: PurchaseTable): Promise<void> {
		await this.#sweeping.take(async () => await this.#remove(table));
	}

	async #remove(table: PurchaseTable): Promise<void> {
		const rows = [...this.#outdated].filter(({ tableId }) => tableId === table.id);
		for (const own of rows) this.#outdated.delete(own);
		const outdated = rows.flatMap((own) => own.outdated.splice(0).map((id) => ({ own, id })));
		const removed = await settle(table.remove(outdated.map(({ id }) => id)));
		if ('value' in removed) return;
		for (const { own, id } of outdated) {
			own.outdated.push(id);
			this.#rows.add(own);
		}
		unwrap(removed);
	}
}

/** @throws if the table does not take all of them */
async function writeRows(table: PurchaseTable, rows: readonly OwnRow[]): Promise<void> {
	await reconcile(
		table,
		rows.filter(({ tableId }) => tableId === undefined || tableId !== table.id),
	);
	const missing = rows.filter(({ id, isGone }) => id === undefined && !isGone);
	// First the new rows: if this process dies in between, readers see which ones they replace.
	await waitForAll(missing.map(async (own) => await insertRow(table, own)));
}

/**
 * Finds out what a table has of purchases: it may have been deleted and made again since they were written, or it
 * has not told an id.
 */
async function reconcile(table: PurchaseTable, rows: readonly OwnRow[]): Promise<void> {
	const found = await table.find(
		'entry',
		rows.map(({ row }) => row.entry),
	);
	for (const own of rows) {
		const same = found.filter(({ entry }) => entry === own.row.entry);
		const current = own.isGone ? undefined : same.find(({ link }) => link === own.row.link);
		own.id = current?.id;
		own.outdated = same.flatMap((row) => (row === current ? [] : row.id));
		own.tableId = table.id;
	}
}

/** @throws if the table may not have the row; its writer then finds out. */
export async function insertRow(table: PurchaseTable, own: OwnRow): Promise<void> {
	own.tableId = undefined;
	const { id } = await table.insert(own.row);
	own.id = id;
	own.tableId = table.id;
}
