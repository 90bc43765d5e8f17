import { settle, unwrap } from '../failures/failures';
import { batched } from './batched';
import { partsOf, type Answer, type Condition, type DataTable, type Tables } from './dataTable';
import { toCells, toPurchase, type LoggedPurchase } from './logRow';
import type { Purchase } from './purchase';

export type { LoggedPurchase } from './logRow';

/** The newest rows to read of each request, and of one call at least. */
const NEWEST_OF_REQUEST = 50;
const NEWEST_OF_CALL = 200;

/** Purchases whose rows an n8n process remembers; a run has at most some tens of thousands. */
const MOST_REMEMBERED = 100_000;

/** A purchase as the table should have it, or not have it. */
interface Change {
	purchase: Purchase;
	isRemoved: boolean;
}

/**
 * A table of purchases for people and for other n8n processes. The last one who writes a purchase wins. A new row replaces
 * the old one, because n8n inserts and removes many rows at once, but updates one after the other (2.41.1). Of several rows
 * of a purchase the newest counts, so nothing is lost between the two steps.
 */
export class PurchaseLog {
	/** Inserts what meets in one call. */
	readonly #insertSoon = batched(
		async (purchases: readonly Purchase[]) => await this.#insert(purchases),
	);

	/** Makes the changes that meet together. */
	readonly #changeSoon = batched(
		async (changes: ReadonlyArray<readonly Change[]>) => await this.#change(changes.flat()),
	);

	/** The latest changes. */
	#changing: Promise<void> = Promise.resolve();

	constructor(
		private readonly table: DataTable,
		private readonly tables: Tables,
	) {}

	/** Whether the table had a purchase when this process last read or wrote it, and took its latest change. */
	has({ entry }: Purchase): boolean {
		return this.#rowsOf(entry).length > 0 && !this.tables.outdated.has(this.#keyOf(entry));
	}

	/**
	 * Finds the purchases of these requests, the latest first.
	 * @param since Milliseconds since 1970; 0 for any age.
	 * @param signal Aborted when the run is stopped, which then reads no more.
	 * @throws BadInput if the table can't be used
	 */
	async find(
		requests: readonly string[],
		since: number,
		signal?: AbortSignal,
	): Promise<LoggedPurchase[]> {
		const answers: Answer[] = [];
		for (const part of partsOf(requests)) {
			if (signal?.aborted === true) break;
			answers.push(...(await this.#newestOf(part)));
		}
		return this.#read(answers).filter(({ time }) => time >= since);
	}

	/**
	 * Finds the purchases of a node, the latest first.
	 * @param since Milliseconds since 1970.
	 * @throws BadInput if the table can't be used
	 */
	async ofNode(node: string, since: number): Promise<LoggedPurchase[]> {
		const conditions: Condition[] = [
			['node', 'eq', node],
			['time', 'gte', new Date(since).toISOString()],
		];
		return this.#read(await this.table.get('allConditions', conditions));
	}

	/**
	 * Adds the row of a purchase before its request goes out.
	 * @throws BadInput if it can't: then nothing may be sent
	 */
	async add(purchase: Purchase): Promise<void> {
		const added = await settle(this.#insertSoon(purchase));
		// The table may have it all the same.
		if ('failure' in added) void settle(this.remove([purchase]));
		unwrap(added);
	}

	/** Writes purchases as they are. @throws if the table may not have them */
	async write(purchases: readonly Purchase[]): Promise<void> {
		await this.#changeAll(purchases, false);
	}

	/** Removes purchases that are none. @throws if the table may still have them */
	async remove(purchases: readonly Purchase[]): Promise<void> {
		await this.#changeAll(purchases, true);
	}

	/**
	 * Writes purchases that the table has, without waiting for n8n: for after Stop or a time limit.
	 * @param holder The execution that was stopped.
	 */
	writeWithoutWaiting(purchases: readonly Purchase[], holder: string): void {
		this.#startSoon(async () => await this.table.startToUpdate(purchases.map(toCells), holder));
	}

	/** Removes purchases that are none, without waiting for n8n: for after Stop or a time limit. */
	removeWithoutWaiting(purchases: readonly Purchase[]): void {
		this.#startSoon(async () => {
			await this.table.remove(purchases.map(withEntry), false);
			for (const { entry } of purchases) this.#remember(entry, []);
		});
	}

	/** Starts something after the changes that are under way, so that they don't undo it. */
	#startSoon(start: () => Promise<void>): void {
		const changing = settle(this.#changing);
		void settle(changing.then(start));
	}

	async #changeAll(purchases: readonly Purchase[], isRemoved: boolean): Promise<void> {
		if (purchases.length === 0) return;
		this.#changing = this.#changeSoon(purchases.map((purchase) => ({ purchase, isRemoved })));
		await this.#changing;
	}

	/** Inserts the new rows before it removes the old ones. */
	async #change(changes: readonly Change[]): Promise<void> {
		const byEntry = new Map(changes.map((change) => [change.purchase.entry, change]));
		const last = [...byEntry.values()];
		const written = last.flatMap(({ purchase, isRemoved }) => (isRemoved ? [] : purchase));
		const removed = last.flatMap(({ purchase, isRemoved }) => (isRemoved ? purchase : []));
		const inserted = await settle(this.#insert(written));
		const { outdated } = this.tables;
		for (const { entry } of written) {
			if ('failure' in inserted) outdated.add(this.#keyOf(entry));
			else outdated.delete(this.#keyOf(entry));
		}
		const added = unwrap(inserted);
		const replaced = [...added].flatMap(([entry, own]) =>
			this.#rowsOf(entry).filter((id) => id < own),
		);
		await this.table.remove([...replaced.map(withId), ...removed.map(withEntry)]);
		for (const [entry, own] of added) {
			this.#remember(
				entry,
				this.#rowsOf(entry).filter((id) => id >= own),
			);
		}
		for (const { entry } of removed) this.#remember(entry, []);
	}

	/** @returns the id of each new row, by entry. @throws if the table may not have all rows */
	async #insert(purchases: readonly Purchase[]): Promise<Map<string, number>> {
		if (purchases.length === 0) return new Map();
		const answers = await this.table.insert(purchases.map(toCells));
		const added = new Map<string, number>();
		for (const { entry, rowIds } of purchasesIn(answers)) {
			for (const id of rowIds) added.set(entry, id);
			this.#remember(entry, [...rowIds, ...this.#rowsOf(entry)]);
		}
		if (purchases.some(({ entry }) => !added.has(entry))) {
			throw new Error('n8n did not return the row that it added.');
		}
		return added;
	}

	/** The newest rows of each request. */
	async #newestOf(requests: readonly string[]): Promise<Answer[]> {
		const conditions = requests.map((request): Condition => ['request', 'eq', request]);
		const most = Math.max(NEWEST_OF_CALL, NEWEST_OF_REQUEST * requests.length);
		const answers = await this.table.get('anyCondition', conditions, most);
		if (answers.length < most) return answers;
		// The rows of some requests may have left no room for those of others.
		const counts = new Map<unknown, number>();
		for (const { request } of answers) counts.set(request, (counts.get(request) ?? 0) + 1);
		const rest = requests.filter((request) => (counts.get(request) ?? 0) < NEWEST_OF_REQUEST);
		// Cells of another type are equal for n8n and not here.
		if (rest.length === 0 || rest.length === requests.length) return answers;
		return [...answers, ...(await this.#newestOf(rest))];
	}

	/** The purchases in what n8n returned, the latest first. */
	#read(answers: readonly Answer[]): LoggedPurchase[] {
		const found = purchasesIn(answers);
		for (const { entry, rowIds } of found) {
			// Another run of this process may have replaced a row since it was read.
			this.#remember(entry, [...this.#rowsOf(entry), ...rowIds]);
		}
		return found.sort((one, other) => other.time - one.time);
	}

	#rowsOf(entry: string): readonly number[] {
		return this.tables.rows.get(this.#keyOf(entry)) ?? [];
	}

	#remember(entry: string, rowIds: readonly number[]): void {
		const { rows } = this.tables;
		const key = this.#keyOf(entry);
		rows.delete(key);
		if (rowIds.length > 0) rows.set(key, newestFirst(rowIds));
		const [oldest] = rows.keys();
		if (rows.size > MOST_REMEMBERED && oldest !== undefined) rows.delete(oldest);
	}

	#keyOf(entry: string): string {
		return JSON.stringify([this.table.id ?? '', entry]);
	}
}

/** The purchases in rows. Of several rows of one, the newest counts. */
function purchasesIn(answers: readonly Answer[]): LoggedPurchase[] {
	const rows = answers.flatMap((answer) => toPurchase(answer) ?? []);
	const newest = new Map<string, LoggedPurchase>();
	for (const row of rows.sort((one, other) => (other.rowIds[0] ?? 0) - (one.rowIds[0] ?? 0))) {
		const known = newest.get(row.entry) ?? row;
		newest.set(row.entry, { ...known, rowIds: newestFirst([...known.rowIds, ...row.rowIds]) });
	}
	return [...newest.values()];
}

function newestFirst(ids: readonly number[]): number[] {
	return [...new Set(ids)].sort((one, other) => other - one);
}

function withId(id: number): Condition {
	return ['id', 'eq', id];
}

/** All rows of a purchase, also one whose id n8n has not told. */
function withEntry({ entry }: Purchase): Condition {
	return ['entry', 'eq', entry];
}
