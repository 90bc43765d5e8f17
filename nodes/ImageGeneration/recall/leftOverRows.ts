import { settle } from '../failures/failures';
import type { PurchaseRow, PurchaseTable, TableStep } from './purchaseTable';

/**
 * Rows that a table did not take: a workflow timeout ends the calls of its tables as well (2.40.3), and a
 * database may be away. The next run that uses the table writes them before it reads.
 */
export class LeftOverRows {
	readonly #rows = new Map<string, PurchaseRow>();

	/** Entries of other runs that people have not been told of after all. */
	readonly #notTold = new Set<string>();

	#last: Promise<unknown> = Promise.resolve();

	/** @param rows A run's own. */
	add(rows: Iterable<PurchaseRow>): void {
		for (const row of rows) this.#rows.set(row.entry, { ...row });
	}

	drop(entries: Iterable<string>): void {
		for (const entry of entries) this.#rows.delete(entry);
	}

	addNotTold(rows: Iterable<PurchaseRow>): void {
		for (const { entry } of rows) this.#notTold.add(entry);
	}

	/** @throws if the table does not take them */
	async write(table: PurchaseTable): Promise<void> {
		const written = this.#last.then(async () => {
			const rows = [...this.#rows.values()];
			const notTold = [...this.#notTold].map(
				(entry): TableStep => ({
					which: { entry, told: 'yes' },
					set: { told: 'no', state: 'stopped' },
				}),
			);
			await table.change(notTold);
			this.#notTold.clear();
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
 * @throws if the table does not answer
 */
export async function putRow(table: PurchaseTable, row: PurchaseRow): Promise<void> {
	if (await table.save(row)) return;
	const found = await table.find('entry', [row.entry]);
	if (found.length === 0) await table.insert(row);
}
