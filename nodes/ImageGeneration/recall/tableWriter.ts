import { randomUUID } from 'crypto';

import { settle, unwrap, waitForAll } from '../failures/failures';
import type { PurchaseRow, PurchaseTable, StoredRow, TableStep } from './purchaseTable';

/** A row of this process, as the table should have it. */
export class OwnRow {
	/** Undefined until the table has told it. */
	id: number | undefined;

	/** Whether the table may have it, although it has not told the id. */
	mayExist = false;

	/** Whether the table should not have it, because the request was definitely not charged. */
	isGone = false;

	constructor(readonly row: PurchaseRow) {}
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

	#last: Promise<unknown> = Promise.resolve();

	put(row: OwnRow): void {
		this.#rows.add(row);
	}

	add(...steps: TableStep[]): void {
		this.#steps.push(...steps);
	}

	/** The rows of a run that the table lacks. */
	rowsOf(run: string): OwnRow[] {
		return [...this.#rows].filter(({ row, isGone }) => row.run === run && !isGone);
	}

	/**
	 * Writes everything, after what is being written.
	 * @throws if the table does not take it; the next call tries again.
	 */
	async flush(table: PurchaseTable): Promise<void> {
		const turn = this.#last.then(async () => await this.#write(table));
		this.#last = settle(turn);
		await turn;
	}

	async #write(table: PurchaseTable): Promise<void> {
		// Together, because a step may concern a row that is put before it. One that changes meanwhile is put again.
		const rows = [...this.#rows];
		const steps = this.#steps;
		this.#rows.clear();
		this.#steps = [];
		const written = await settle(writeRows(table, rows));
		if ('failure' in written) for (const row of rows) this.#rows.add(row);
		const taken = 'failure' in written ? written : await settle(takeSteps(table, steps));
		if ('failure' in taken) this.#steps = [...steps, ...this.#steps];
		unwrap(taken);
	}
}

async function takeSteps(table: PurchaseTable, steps: readonly TableStep[]): Promise<void> {
	if (steps.length > 0) await table.change(steps);
}

/** @throws if the table does not take all of them */
async function writeRows(table: PurchaseTable, rows: readonly OwnRow[]): Promise<void> {
	await findIds(
		table,
		rows.filter(({ id, mayExist }) => id === undefined && mayExist),
	);
	const wanted = rows.filter(({ isGone }) => !isGone);
	const known = wanted.filter(({ id }) => id !== undefined);
	const changed = await table.change(known.map(toStep));
	const ids = new Set(changed.map(({ id }) => id));
	const missing = known.filter(({ id }) => id !== undefined && !ids.has(id));
	// Another run may have taken it since this process stood still, or somebody has deleted it.
	const now = await table.find('id', missing.flatMap(idOf));
	const taken = new Map(now.map((row) => [row.id, row]));
	const deleted = missing.filter((own) => isMissing(own, taken.get(own.id ?? 0)));
	const added = wanted.filter(({ id }) => id === undefined);
	await waitForAll([...added, ...deleted].map(async (row) => await insertRow(table, row)));
	await table.remove(rows.filter(({ isGone }) => isGone).flatMap(idOf));
}

/**
 * Whether the table lacks a row, or what it says: another run may have told of it before its result came.
 * @param now The row with its id, which is another one if somebody has deleted the table meanwhile.
 */
function isMissing({ row }: OwnRow, now: StoredRow | undefined): boolean {
	if (now?.entry !== row.entry) return true;
	if (row.link === '' || now.link !== '') return false;
	row.entry = randomUUID();
	return true;
}

/** @throws if the table may not have the row; its writer then finds out. */
export async function insertRow(table: PurchaseTable, row: OwnRow): Promise<void> {
	row.mayExist = true;
	row.id = undefined;
	const { id } = await table.insert(row.row);
	row.id = id;
}

/** Finds rows that the table may have, by their entries. */
async function findIds(table: PurchaseTable, rows: readonly OwnRow[]): Promise<void> {
	const entries = rows.map(({ row }) => row.entry);
	const found = await table.find('entry', entries);
	const ids = new Map(found.map(({ entry, id }) => [entry, id]));
	for (const row of rows) row.id = ids.get(row.row.entry);
}

function idOf({ id }: OwnRow): number[] {
	return id === undefined ? [] : [id];
}

/** Says what has become of a request, unless another run has taken its row. */
function toStep({ id, row }: OwnRow): TableStep {
	const { run, entry, state, link, request, result } = row;
	const set = { state, link, request, result };
	return { which: id === undefined ? { run, entry } : { id, run, entry }, set };
}
