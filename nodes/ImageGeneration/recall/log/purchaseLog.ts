import { settle, unwrap } from '../../failures/failures';
import { Turns } from '../../wait';
import { batched } from '../batched';
import type { Journal } from '../journal';
import type { Purchase } from '../purchase';
import { toCells, type LoggedPurchase } from './cells';
import type { DataTable } from './dataTable';
import { LogRows } from './logRows';
import { changeOf, deliveredBy, stepFor, stepsFor, type Change, type Write } from './logSteps';

/** The parts of an n8n process that a log needs. */
interface LoggingProcess {
	readonly journal: Journal;
	wait(ms: number): Promise<void>;
}

/** The writes that one table still needs, so that it shows this process's purchases. */
export class PendingWrites {
	/** By entry. */
	readonly writes = new Map<string, Write>();

	/**
	 * Rows that a newer one of the same purchase has replaced, and the table's id: one that is made anew has other rows under
	 * the same ids.
	 */
	readonly outdated = new Map<number, string>();

	readonly turns = new Turns();
}

/** Milliseconds between two tries to write how a run ended, and how often it is tried. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const MOST_TRIES = 10;

/**
 * The journal's mirror in an n8n data table, for people and for other n8n processes. Only the row of a request has to be
 * there before it goes out. Everything else is written from the journal as soon as the table takes it, and never over
 * what another run has made its own.
 */
export class PurchaseLog {
	readonly #insertSoon = batched(
		async (purchases: readonly Purchase[]) => await this.#insert(purchases),
	);

	/** The table as it is. */
	readonly rows: LogRows;

	readonly #journal: Journal;

	constructor(
		private readonly table: DataTable,
		private readonly pending: PendingWrites,
		private readonly process: LoggingProcess,
	) {
		this.rows = new LogRows(table, pending.outdated);
		this.#journal = process.journal;
	}

	/** Whether the table does not say yet what has become of a purchase. */
	isPending({ entry }: Purchase): boolean {
		return this.pending.writes.has(entry);
	}

	/** Writes the row of a request. @throws if it can't: then nothing may be sent. */
	async reserve(purchase: Purchase): Promise<void> {
		const reserved = await settle(this.#insertSoon(purchase));
		// The table may have it all the same.
		if ('failure' in reserved) this.removeSoon(purchase);
		unwrap(reserved);
	}

	/** Writes what has become of purchases as soon as it can. */
	writeSoon(...purchases: readonly Purchase[]): void {
		if (purchases.length === 0) return;
		for (const purchase of purchases) {
			this.pending.writes.set(purchase.entry, { purchase, isWanted: true });
		}
		void settle(this.flush());
	}

	/**
	 * Writes what this run knows of purchases, its own or those of other runs, unless something has become of them since they
	 * were read.
	 */
	noteSoon(purchases: readonly Purchase[]): void {
		const { writes } = this.pending;
		for (const purchase of purchases) {
			const { entry, state } = purchase;
			const pending = writes.get(entry) ?? { purchase, isWanted: true, readAs: state };
			// A write that is under way is repeated.
			writes.set(entry, { ...pending });
		}
		if (purchases.length > 0) void settle(this.flush());
	}

	/** Removes a purchase that is none as soon as it can. */
	removeSoon(purchase: Purchase): void {
		this.pending.writes.set(purchase.entry, { purchase, isWanted: false });
		void settle(this.flush());
	}

	/** Writes everything that the table does not say yet. @throws if it does not take it; the next call tries again. */
	async flush(): Promise<void> {
		await this.pending.turns.take(async () => {
			const { writes } = this.pending;
			const written = [...writes.values()];
			await this.#write(written);
			for (const write of written) {
				const { entry } = write.purchase;
				// A write that came meanwhile is still pending.
				if (writes.get(entry) === write) writes.delete(entry);
			}
		});
	}

	/**
	 * Writes as {@link flush}, or without an answer if the table does not answer, as after a workflow's time limit. Then
	 * the next call makes sure.
	 */
	async flushAtStop(): Promise<void> {
		const flushed = await settle(this.flush());
		if ('value' in flushed) return;
		const steps = [...this.pending.writes.values()].flatMap(({ purchase, isWanted, readAs }) =>
			isWanted && this.rows.isLogged(purchase) ? changeOf(purchase, purchase, readAs) : [],
		);
		await settle(this.table.startUpdate(steps));
	}

	/**
	 * Repeats {@link flushAtStop} after growing waits, ten times at most, until the table has these purchases. After that,
	 * the next call of any run makes sure.
	 */
	async keepFlushing(purchases: readonly Purchase[]): Promise<void> {
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			if (!purchases.some((purchase) => this.isPending(purchase))) return;
			await this.process.wait(Math.min(FIRST_WAIT * 2 ** tries, LONGEST_WAIT));
			await this.flushAtStop();
		}
	}

	/**
	 * Makes rows a run's own, if they are as they were read.
	 * @param taken What the rows are to say, each with the purchase as it was read.
	 * @returns the entries of those that are the run's own now
	 * @throws if the table does not answer, even when it is asked again, or has not done it
	 */
	async take(
		taken: ReadonlyArray<{ purchase: Purchase; asRead: LoggedPurchase }>,
	): Promise<Set<string>> {
		if (taken.length === 0) return new Set();
		const steps = taken.map(({ purchase, asRead }) => changeOf(purchase, asRead, asRead.state));
		const changed = await settle(this.table.update(steps));
		// n8n reads rows again after it has changed them, and another run may have taken one by then (2.41.1).
		const rows =
			'value' in changed
				? this.rows.toPurchases(changed.value)
				: await this.rows.findByIds(taken.map(({ asRead }) => asRead));
		const rowOf = ({ row }: LoggedPurchase) => rows.find((each) => each.row.id === row.id);
		const isAsRead = ({ asRead }: (typeof taken)[number]) => {
			const row = rowOf(asRead);
			return row?.run === asRead.run && row.state === asRead.state;
		};
		// A table that does not take this would not take a request either.
		if ('failure' in changed && taken.some(isAsRead)) unwrap(changed);
		const won = taken.filter(({ purchase, asRead }) => rowOf(asRead)?.run === purchase.run);
		for (const { purchase, asRead } of won) purchase.row = { ...asRead.row, state: purchase.state };
		return new Set(won.map(({ purchase }) => purchase.entry));
	}

	/** Writes what a run that goes on has bought, then what runs have delivered, then the rest. */
	async #write(writes: readonly Write[]): Promise<void> {
		const ways = new Map(writes.map((write) => [write, this.#wayOf(write)]));
		const those = (way: Way) => writes.filter((write) => ways.get(write) === way);
		const bought = those('replace').map(({ purchase }) => purchase);
		const delivered = those('deliver').map(({ purchase }) => purchase);
		await this.#replace(bought);
		const missed = await this.#deliver(delivered);
		await this.#compare([
			...those('compare'),
			...missed.map((purchase) => ({ purchase, isWanted: true })),
		]);
		await this.#removeOutdated();
	}

	/** First adds the new rows: if this process dies in between, readers see which ones they replace. */
	async #replace(purchases: readonly Purchase[]): Promise<void> {
		if (purchases.length === 0) return;
		const replaced = purchases.flatMap(({ row }) => row ?? []);
		const inserted = await settle(this.#insert(purchases));
		// The table may have the new rows all the same, so they are looked for next time.
		if ('failure' in inserted) for (const purchase of purchases) delete purchase.row;
		unwrap(inserted);
		for (const row of replaced) this.rows.removeLater(row);
	}

	#wayOf({ purchase, isWanted }: Write): Way {
		const { row, state, run } = purchase;
		if (!isWanted || row === undefined || !this.rows.hasHad(purchase)) return 'compare';
		// Nobody takes what a run that goes on has just bought, so it need not be changed in place.
		if (state === 'bought' && row.state === 'sent' && this.#journal.isLive(run)) return 'replace';
		return state === 'delivered' && row.state === 'bought' ? 'deliver' : 'compare';
	}

	/** Says in one call for each run what it has delivered. @returns what the table did not have as it should be */
	async #deliver(purchases: readonly Purchase[]): Promise<Purchase[]> {
		const changed = new Set<string>();
		for (const run of new Set(purchases.map((purchase) => purchase.run))) {
			// One call changes all of the run's rows in that state, so there must be no other.
			if (!this.#hasAll(purchases, run, 'bought')) continue;
			const rows = this.rows.toPurchases(await this.table.update([deliveredBy(run)]));
			for (const { entry } of rows) changed.add(entry);
		}
		for (const { entry, row } of purchases) {
			if (row !== undefined && changed.has(entry)) row.state = 'delivered';
		}
		return purchases.filter(({ entry }) => !changed.has(entry));
	}

	/** Compares the journal with the table, and writes the difference. */
	async #compare(writes: readonly Write[]): Promise<void> {
		if (writes.length === 0) return;
		const rows = await this.rows.current(writes.map(({ purchase }) => purchase));
		const added: Purchase[] = [];
		const changed: Change[] = [];
		for (const write of writes) {
			const { purchase, readAs } = write;
			const row = rows.get(purchase.entry);
			const step = stepFor(write, row, this.#journal.isLive(purchase.run));
			if (step === 'lost' && this.#journal.get(purchase) === purchase) this.#journal.drop(purchase);
			if (step === 'add') added.push(purchase);
			if (step === 'change' && row !== undefined) changed.push({ purchase, row, readAs });
			if (step === 'remove' && row !== undefined) this.rows.removeLater(row.row);
			if (row !== undefined && step !== 'lost') purchase.row = row.row;
		}
		if (added.length > 0) await this.#insert(added);
		const all = changed.map(({ purchase }) => purchase);
		const hasAll = ({ run, row }: LoggedPurchase) => this.#hasAll(all, run, row.state);
		if (changed.length > 0) await this.table.update(stepsFor(changed, hasAll));
		for (const { purchase, row } of changed) {
			purchase.row = { ...row.row, state: purchase.state };
		}
	}

	/**
	 * Whether these include all that a run has in a state in the table, as far as this process knows. What it is just taking
	 * may be in the table already.
	 */
	#hasAll(purchases: readonly Purchase[], run: string, state: string | undefined): boolean {
		const entries = new Set(purchases.map(({ entry }) => entry));
		const isOther = (each: Purchase) =>
			each.run === run &&
			(each.row?.state === state || each.state === state) &&
			!entries.has(each.entry);
		return this.#journal.find(isOther).length === 0;
	}

	/** @throws if the table may not have all rows */
	async #insert(purchases: readonly Purchase[]): Promise<void> {
		const inserted = this.rows.toPurchases(await this.table.insert(purchases.map(toCells)));
		for (const purchase of purchases) {
			const own = inserted.find(({ entry }) => entry === purchase.entry);
			if (own === undefined) throw new Error('n8n did not return the row that it added.');
			purchase.row = own.row;
		}
	}

	async #removeOutdated(): Promise<void> {
		const { outdated } = this.pending;
		if (this.table.id === '') return;
		for (const [id, table] of outdated) if (table !== this.table.id) outdated.delete(id);
		const ids = [...outdated.keys()];
		if (ids.length > 0) await this.table.remove(ids);
		for (const id of ids) outdated.delete(id);
	}
}

/**
 * How a write is made:
 * - `replace`: a request has its result, so a new row replaces the one that says `sent`. n8n inserts and removes many rows
 *   at once, but updates one after the other (2.41.1).
 * - `deliver`: its run has delivered it, which one call says for all of its rows.
 * - `compare`: the row is read first.
 */
type Way = 'replace' | 'deliver' | 'compare';
