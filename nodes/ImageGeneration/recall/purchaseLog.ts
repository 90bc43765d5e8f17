import { settle, unwrap } from '../failures/failures';
import { batched } from './batched';
import { partsOf, type Answer, type Condition, type DataTable } from './dataTable';
import { toCells, toPurchase } from './logRow';
import { mergeRows, type Purchase } from './purchase';

/** The newest rows to read of each request, and of one call at least. */
const NEWEST_OF_REQUEST = 50;
const NEWEST_OF_CALL = 200;

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

	constructor(private readonly table: DataTable) {}

	/** Whether the table had a purchase when this process last read or wrote it. */
	has({ logged }: Purchase): boolean {
		return logged !== undefined && logged.table === this.table.id;
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
	): Promise<Purchase[]> {
		const answers: Answer[] = [];
		for (const part of partsOf(requests)) {
			if (signal?.aborted === true) break;
			answers.push(...(await this.#newestOf(part)));
		}
		return this.#purchasesIn(answers).filter(({ time }) => time >= since);
	}

	/**
	 * Finds the purchases of a node, the latest first.
	 * @param since Milliseconds since 1970.
	 * @throws BadInput if the table can't be used
	 */
	async ofNode(node: string, since: number): Promise<Purchase[]> {
		const conditions: Condition[] = [
			['node', 'eq', node],
			['time', 'gte', new Date(since).toISOString()],
		];
		return this.#purchasesIn(await this.table.get('allConditions', conditions));
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

	/**
	 * Writes purchases that the table does not have, or without a result. What another process has written stays as it is.
	 * @throws if the table may not have them
	 */
	async complete(purchases: readonly Purchase[]): Promise<void> {
		const found = await this.#learnRows(purchases);
		await this.write(purchases.filter(({ entry }) => found.get(entry)?.result === undefined));
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
		this.#startSoon(async () => await this.table.remove(purchases.map(withEntry), false));
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

	async #change(changes: readonly Change[]): Promise<void> {
		const byEntry = new Map(changes.map((change) => [change.purchase.entry, change]));
		const last = [...byEntry.values()];
		const written = last.flatMap(({ purchase, isRemoved }) => (isRemoved ? [] : purchase));
		const removed = last.flatMap(({ purchase, isRemoved }) => (isRemoved ? purchase : []));
		const changed = await settle(this.#replace(written, removed));
		// Nobody knows what the table has now.
		if ('failure' in changed) for (const purchase of written) purchase.logged = undefined;
		unwrap(changed);
	}

	/** Inserts the new rows before it removes the old ones. */
	async #replace(written: readonly Purchase[], removed: readonly Purchase[]): Promise<void> {
		await this.#learnRows(written.filter((purchase) => !this.has(purchase)));
		await this.#insert(written);
		const old = new Set(written.flatMap(({ logged }) => logged?.rowIds.slice(1) ?? []));
		await this.table.remove([...[...old].map(withId), ...removed.map(withEntry)]);
		for (const { logged } of written) {
			if (logged !== undefined) logged.rowIds = logged.rowIds.filter((id) => !old.has(id));
		}
		for (const purchase of removed) purchase.logged = undefined;
	}

	/** Finds out which rows purchases have already, because another process wrote them, or an answer got lost. */
	async #learnRows(purchases: readonly Purchase[]): Promise<Map<string, Purchase>> {
		const answers: Answer[] = [];
		for (const part of partsOf(purchases)) {
			answers.push(...(await this.table.get('anyCondition', part.map(withEntry))));
		}
		return this.#noteRows(purchases, answers);
	}

	/** @throws if the table may not have all rows */
	async #insert(purchases: readonly Purchase[]): Promise<void> {
		if (purchases.length === 0) return;
		this.#noteRows(purchases, await this.table.insert(purchases.map(toCells)));
		if (purchases.every((purchase) => this.has(purchase))) return;
		throw new Error('n8n did not return the row that it added.');
	}

	/** Notes the rows of purchases in what n8n returned. @returns what the rows say, by entry */
	#noteRows(purchases: readonly Purchase[], answers: readonly Answer[]): Map<string, Purchase> {
		const found = new Map(this.#purchasesIn(answers).map((each) => [each.entry, each]));
		for (const purchase of purchases) {
			purchase.logged = mergeRows(purchase.logged, found.get(purchase.entry)?.logged);
		}
		return found;
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

	/** The purchases in what n8n returned, the latest first. Of several rows of one, the newest counts. */
	#purchasesIn(answers: readonly Answer[]): Purchase[] {
		const rows = answers.flatMap((answer) => toPurchase(answer, this.table.id ?? '') ?? []);
		const found = new Map<string, Purchase>();
		for (const row of rows.sort((one, other) => newestRow(other) - newestRow(one))) {
			const newest = found.get(row.entry) ?? row;
			newest.logged = mergeRows(newest.logged, row.logged);
			found.set(row.entry, newest);
		}
		return [...found.values()].sort((one, other) => other.time - one.time);
	}
}

function newestRow({ logged }: Purchase): number {
	return logged?.rowIds[0] ?? 0;
}

function withId(id: number): Condition {
	return ['id', 'eq', id];
}

/** All rows of a purchase, also one whose id n8n has not told. */
function withEntry({ entry }: Purchase): Condition {
	return ['entry', 'eq', entry];
}
