import { settle } from '../failures/failures';
import { toldBy, type PurchaseRow, type PurchaseTable } from './purchaseTable';

/**
 * Rows that a table did not take: a workflow timeout ends the calls of its tables as well (2.40.3), and a
 * database may be away. The next run that uses the table writes them before it reads.
 */
export class DeferredRows {
	readonly #rows = new Map<string, PurchaseRow>();

	/** Runs of which n8n shows nothing, although the table may say that they have told. */
	readonly #notTold = new Set<string>();

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

	/** n8n drops what the run tells. */
	addNotTold(run: string): void {
		this.#notTold.add(run);
	}

	/** @throws if the table does not take them */
	async write(table: PurchaseTable): Promise<void> {
		const written = this.#last.then(async () => {
			const rows = [...this.#rows.values()];
			for (const run of this.#notTold) {
				await table.change([
					{ which: { told: toldBy(run) }, set: { told: 'no', state: 'stopped' } },
				]);
				this.#notTold.delete(run);
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
