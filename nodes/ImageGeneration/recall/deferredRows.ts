import { settle } from '../failures/failures';
import type { PurchaseRow, PurchaseTable, TableStep } from './purchaseTable';

/**
 * Rows that a table did not take: a workflow timeout ends the calls of its tables as well (2.40.3), and a
 * database may be away. The next run that uses the table writes them before it reads.
 */
export class DeferredRows {
	readonly #rows = new Map<string, PurchaseRow>();

	/** Steps that concern many rows. */
	readonly #steps = new Set<TableStep>();

	/** Entries to remove. */
	readonly #removed = new Set<string>();

	#last: Promise<unknown> = Promise.resolve();

	/** @param rows A run's own. */
	add(rows: Iterable<PurchaseRow>): void {
		for (const row of rows) this.#rows.set(row.entry, { ...row });
	}

	drop(entries: Iterable<string>): void {
		for (const entry of entries) this.#rows.delete(entry);
	}

	addRemoved(entries: Iterable<string>): void {
		for (const entry of entries) this.#removed.add(entry);
	}

	addStep(step: TableStep): void {
		this.#steps.add(step);
	}

	/** Waits for what is being written. */
	async idle(): Promise<void> {
		await this.#last;
	}

	/** @throws if the table does not take them */
	async write(table: PurchaseTable): Promise<void> {
		const written = this.#last.then(async () => {
			const rows = [...this.#rows.values()];
			for (const step of this.#steps) {
				await table.change([step]);
				this.#steps.delete(step);
			}
			for (const entry of this.#removed) {
				await table.remove(entry);
				this.#removed.delete(entry);
			}
			await Promise.all(
				rows.map(async (row) => {
					await putRow(table, row);
					// Unless it has changed meanwhile.
					if (this.#rows.get(row.entry) === row) this.#rows.delete(row.entry);
				}),
			);
		});
		// Two runs that begin together would insert a missing row twice.
		this.#last = settle(written);
		await written;
	}
}

/**
 * Writes what a row has become, or adds it if it is missing. A row that another run has taken stays.
 * @param isNews Whether its result has just come, so that what people were told of it is out of date.
 * @throws if the table does not answer
 */
export async function putRow(
	table: PurchaseTable,
	row: PurchaseRow,
	{ isNews = false } = {},
): Promise<void> {
	if (await table.save(row, isNews)) return;
	const found = await table.find('entry', [row.entry]);
	if (found.length === 0) await table.insert(row);
}
