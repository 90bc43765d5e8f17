import { settle, unwrap } from '../failures/failures';
import { Turns } from '../wait';
import { batched } from './batched';
import { toCells, toPurchase, type Column, type LoggedPurchase } from './cells';
import {
	MOST_CONDITIONS,
	type Answer,
	type Condition,
	type DataTable,
	type TableStep,
} from './dataTable';
import type { Journal } from './journal';
import { REMEMBERED_FOR } from './journal';
import type { Purchase } from './purchase';

/** What a table should say of a purchase. */
interface Write {
	purchase: Purchase;
	/** Whether it should have a row: a request that was definitely not charged has none. */
	isWanted: boolean;
	/** The state in which it was read, if another process may have written since. */
	readAs?: Purchase['state'];
}

/** What one table does not say yet of this process's purchases. */
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

/** The latest rows to read for each request, besides those that the run needs itself. */
export const LATEST = 20;
/** Rows to read of what did not end well. */
const MOST_OPEN = 1000;

/** Milliseconds between two tries to write what became of a stopped run, and how often it is tried. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const MOST_TRIES = 10;

/** The columns that the node itself reads. People may edit the others. */
const OWN: readonly Column[] = [
	'link',
	'state',
	'execution',
	'parent',
	'request',
	'file',
	'run',
	'told',
	'taken',
	'result',
];

/**
 * The journal's mirror in an n8n data table, for people and for other n8n processes. Only the row of a request has to be
 * there before it goes out. Everything else is written from the journal as soon as the table takes it, and never over
 * what another run has made its own.
 */
export class PurchaseLog {
	readonly #insertSoon = batched(
		async (purchases: readonly Purchase[]) => await this.#insert(purchases),
	);

	constructor(
		private readonly table: DataTable,
		private readonly pending: PendingWrites,
		private readonly journal: Journal,
	) {}

	/** Whether the table had a purchase when it was last read or written. */
	hasHad({ row }: Purchase): boolean {
		return row?.table === this.table.id;
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

	/** Writes that people have been told of purchases, unless something has become of them since they were read. */
	tellSoon(purchases: readonly Purchase[]): void {
		const { writes } = this.pending;
		for (const purchase of purchases.filter((each) => !this.isPending(each))) {
			writes.set(purchase.entry, { purchase, isWanted: true, readAs: purchase.state });
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
				// What was said of it meanwhile is still to be written.
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
		const logged = [...this.pending.writes.values()].flatMap(({ purchase, isWanted }) =>
			isWanted && this.#isLogged(purchase) ? purchase : [],
		);
		await settle(this.table.startUpdate(logged.map((each) => changeOf(each, each))));
	}

	/** Repeats {@link flushAtStop} after growing waits, in milliseconds, until the table has these purchases. */
	async keepFlushing(
		purchases: readonly Purchase[],
		wait: (ms: number) => Promise<void>,
	): Promise<void> {
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			if (!purchases.some((purchase) => this.isPending(purchase))) return;
			await wait(Math.min(FIRST_WAIT * 2 ** tries, LONGEST_WAIT));
			await this.flushAtStop();
		}
	}

	/**
	 * Finds the purchases of these requests: the latest of each, and all that the node has not delivered in the last 80
	 * hours.
	 * @param needed How many the run needs of each at most.
	 * @param now In milliseconds since 1970.
	 * @throws if the table does not answer
	 */
	async find(
		requests: readonly string[],
		needed: number,
		node: string,
		now: number,
	): Promise<LoggedPurchase[]> {
		const latest = LATEST + needed;
		const rows: LoggedPurchase[] = [];
		let open = [...requests];
		let isAll = true;
		while (open.length > 0) {
			const part = open.slice(0, MOST_CONDITIONS);
			const most = latest * part.length;
			const found = await this.#get('anyCondition', part.map(requestIs), most);
			rows.push(...found);
			const isFull = found.length >= most;
			if (isFull) isAll = false;
			// The rows of some requests may have left no place for those of others.
			const isKnown = (request: string) =>
				!isFull || found.filter((row) => row.request === request).length >= latest;
			const rest = part.filter((request) => !isKnown(request));
			// Cells of another type are equal for n8n and not here.
			const isStuck = rest.length === part.length;
			open = [...(isStuck ? [] : rest), ...open.slice(MOST_CONDITIONS)];
		}
		// A request that has many rows may hide an older one that was left.
		const hasMany = (request: string) =>
			rows.filter((row) => row.request === request).length >= latest;
		if (!isAll || requests.some(hasMany)) {
			const wanted = new Set(requests);
			const since = new Date(now - REMEMBERED_FOR).toISOString();
			const left = await this.#get(
				'allConditions',
				[
					['node', 'eq', node],
					['state', 'neq', 'delivered'],
					['time', 'gte', since],
				],
				MOST_OPEN,
			);
			rows.push(...left.filter(({ request }) => wanted.has(request)));
		}
		return this.#latest(rows);
	}

	/** Finds what people have not been told of: the node's purchases that are not delivered. */
	async findUntold(node: string): Promise<LoggedPurchase[]> {
		const rows = await this.#get(
			'allConditions',
			[
				['node', 'eq', node],
				['told', 'eq', ''],
				['state', 'neq', 'delivered'],
			],
			MOST_OPEN,
		);
		// A request may have a newer row that says what came of it.
		const requests = rows.filter(({ state }) => state === 'sent').map(({ entry }) => entry);
		const latest = this.#latest([...rows, ...(await this.findEntries(requests))]);
		return latest.filter(({ told, state }) => !told && state !== 'delivered');
	}

	/** Finds a node's purchases since a time in milliseconds since 1970, the latest first. */
	async findSince(node: string, since: number, most: number): Promise<LoggedPurchase[]> {
		const rows = await this.#get(
			'allConditions',
			[
				['node', 'eq', node],
				['time', 'gte', new Date(since).toISOString()],
			],
			// A request and what came of it may be two rows for a moment.
			2 * most,
		);
		return this.#latest(rows);
	}

	/** Finds purchases by their names. */
	async findEntries(entries: readonly string[]): Promise<LoggedPurchase[]> {
		const rows: LoggedPurchase[] = [];
		for (let first = 0; first < entries.length; first += MOST_CONDITIONS) {
			const part = entries.slice(first, first + MOST_CONDITIONS);
			const conditions = part.map((entry): Condition => ['entry', 'eq', entry]);
			rows.push(...(await this.#get('anyCondition', conditions, LATEST * part.length)));
		}
		return this.#latest(rows);
	}

	/**
	 * Makes rows a run's own, if they are as they were read.
	 * @param taken What the rows are to say, each with the purchase as it was read.
	 * @returns the entries of those that are the run's own now
	 * @throws if the table does not answer, even when it is asked again
	 */
	async take(
		taken: ReadonlyArray<{ purchase: Purchase; asRead: LoggedPurchase }>,
	): Promise<Set<string>> {
		if (taken.length === 0) return new Set();
		const steps = taken.map(({ purchase, asRead }): TableStep => {
			const { which, set } = changeOf(purchase, asRead);
			return { which: [...which, ['state', 'eq', asRead.state]], set };
		});
		const changed = await settle(this.table.update(steps));
		// n8n reads rows again after it has changed them, and another run may have taken one by then (2.41.1).
		const answers =
			'value' in changed ? changed.value : await this.#getByIds(taken.map(({ asRead }) => asRead));
		const rows = this.#toPurchases(answers);
		const isWon = ({ purchase, asRead }: (typeof taken)[number]) =>
			rows.some(({ row, run }) => row.id === asRead.row.id && run === purchase.run);
		return new Set(taken.filter(isWon).map(({ purchase }) => purchase.entry));
	}

	#isLogged(purchase: Purchase): purchase is LoggedPurchase {
		return this.hasHad(purchase);
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
		for (const row of replaced) this.#removeLater(row);
	}

	#wayOf({ purchase, isWanted }: Write): Way {
		const { row, state, run } = purchase;
		if (!isWanted || row === undefined || !this.hasHad(purchase)) return 'compare';
		// Nobody takes what a run that goes on has just bought, so it need not be changed in place.
		if (state === 'bought' && row.state === 'sent' && this.journal.isLive(run)) return 'replace';
		return state === 'delivered' && row.state === 'bought' ? 'deliver' : 'compare';
	}

	/** Says in one call for each run what it has delivered. @returns what the table did not have as it should be */
	async #deliver(purchases: readonly Purchase[]): Promise<Purchase[]> {
		const changed = new Set<string>();
		for (const run of new Set(purchases.map((purchase) => purchase.run))) {
			// One call says it of all its rows, so there must be no other.
			if (!this.#hasAll(purchases, run, 'bought')) continue;
			const rows = this.#toPurchases(await this.table.update([deliveredBy(run)]));
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
		const rows = await this.#current(writes.map(({ purchase }) => purchase));
		const added: Purchase[] = [];
		const changed: Change[] = [];
		for (const write of writes) {
			const { purchase } = write;
			const row = rows.get(purchase.entry);
			const step = stepFor(write, row, this.journal.isLive(purchase.run));
			if (step === 'lost' && this.journal.get(purchase) === purchase) this.journal.drop(purchase);
			if (step === 'add') added.push(purchase);
			if (step === 'change' && row !== undefined) changed.push({ purchase, row });
			if (step === 'remove' && row !== undefined) this.#removeLater(row.row);
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

	/** Whether these include all that a run has in a state in the table, as far as this process knows. */
	#hasAll(purchases: readonly Purchase[], run: string, state: string | undefined): boolean {
		const entries = new Set(purchases.map(({ entry }) => entry));
		const isOther = (each: Purchase) =>
			each.run === run && each.row?.state === state && !entries.has(each.entry);
		return this.journal.find(isOther).length === 0;
	}

	async #removeOutdated(): Promise<void> {
		const { outdated } = this.pending;
		if (this.table.id === '') return;
		for (const [id, table] of outdated) if (table !== this.table.id) outdated.delete(id);
		const ids = [...outdated.keys()];
		if (ids.length > 0) await this.table.remove(ids);
		for (const id of ids) outdated.delete(id);
	}

	#removeLater({ id, table }: LoggedPurchase['row']): void {
		this.pending.outdated.set(id, table);
	}

	/** @throws if the table may not have all rows */
	async #insert(purchases: readonly Purchase[]): Promise<void> {
		const inserted = this.#toPurchases(await this.table.insert(purchases.map(toCells)));
		for (const purchase of purchases) {
			const own = inserted.find(({ entry }) => entry === purchase.entry);
			if (own === undefined) throw new Error('n8n did not return the row that it added.');
			purchase.row = own.row;
		}
	}

	/** The latest rows of purchases, by entry: by the id where that is known, because n8n finds it at once. */
	async #current(purchases: readonly Purchase[]): Promise<Map<string, LoggedPurchase>> {
		const known = purchases.filter((purchase) => this.#isLogged(purchase));
		const rows = this.#toPurchases(await this.#getByIds(known));
		const found = new Map(
			rows.flatMap((row) => {
				const purchase = known.find((each) => each.row.id === row.row.id);
				// A table that was made anew has other rows under the same ids.
				return purchase?.entry === row.entry ? [[row.entry, row] as const] : [];
			}),
		);
		const missing = purchases.flatMap(({ entry }) => (found.has(entry) ? [] : entry));
		const others = await this.findEntries(missing);
		for (const row of others) found.set(row.entry, row);
		return found;
	}

	async #getByIds(purchases: readonly LoggedPurchase[]): Promise<Answer[]> {
		const rows: Answer[] = [];
		for (let first = 0; first < purchases.length; first += MOST_CONDITIONS) {
			const part = purchases.slice(first, first + MOST_CONDITIONS);
			const conditions = part.map(({ row }): Condition => ['id', 'eq', row.id]);
			rows.push(...(await this.table.get('anyCondition', conditions, part.length)));
		}
		return rows;
	}

	async #get(
		match: 'allConditions' | 'anyCondition',
		conditions: readonly Condition[],
		most: number,
	): Promise<LoggedPurchase[]> {
		return this.#toPurchases(await this.table.get(match, conditions, most));
	}

	#toPurchases(rows: readonly Answer[]): LoggedPurchase[] {
		return rows.flatMap((row) => toPurchase(this.table.id, row) ?? []);
	}

	/** Of several rows of one purchase, the latest counts. */
	#latest(rows: readonly LoggedPurchase[]): LoggedPurchase[] {
		const latest = new Map<string, LoggedPurchase>();
		for (const row of rows) {
			const other = latest.get(row.entry);
			const [newer, older] =
				other === undefined || other.row.id <= row.row.id ? [row, other] : [other, row];
			latest.set(row.entry, newer);
			if (older !== undefined && older.row.id !== newer.row.id) {
				this.#removeLater(older.row);
			}
		}
		return [...latest.values()];
	}
}

function requestIs(request: string): Condition {
	return ['request', 'eq', request];
}

/**
 * How a write is made:
 * - `replace`: a request has its result, so a new row replaces the one that says `sent`. n8n inserts and removes many rows
 *   at once, but updates one after the other (2.41.1).
 * - `deliver`: its run has ended well, which one call says for all of its rows.
 * - `compare`: the row is read first.
 */
type Way = 'replace' | 'deliver' | 'compare';

/**
 * What the table needs:
 * - `add`: it has no row, because somebody deleted it, or the log is new.
 * - `change`: the row says something else.
 * - `lost`: another run has made the purchase its own.
 */
type Step = 'nothing' | 'add' | 'change' | 'remove' | 'lost';

function stepFor(
	{ purchase, isWanted, readAs }: Write,
	row: LoggedPurchase | undefined,
	isLive: boolean,
): Step {
	if (readAs !== undefined && readAs !== row?.state) return 'nothing';
	if (row === undefined) return isWanted ? 'add' : 'nothing';
	// A cell that somebody has cleared belongs to nobody else. A run that goes on may have taken it just now.
	if (row.run !== '' && row.run !== purchase.run) return isLive ? 'nothing' : 'lost';
	if (!isWanted) return 'remove';
	return differences(purchase, row).length === 0 ? 'nothing' : 'change';
}

/** Says of all purchases of a run that it has delivered them. */
function deliveredBy(run: string): TableStep {
	return {
		which: [
			['run', 'eq', run],
			['state', 'eq', 'bought'],
		],
		set: { state: 'delivered' },
	};
}

interface Change {
	purchase: Purchase;
	row: LoggedPurchase;
}

function differences(purchase: Purchase, row: Purchase): Column[] {
	const wanted = toCells(purchase);
	const found = toCells(row);
	return OWN.filter((column) => wanted[column] !== found[column]);
}

/** Changes one row, unless another run has made it its own. */
function changeOf(purchase: Purchase, { row, run }: LoggedPurchase): TableStep {
	const cells = toCells(purchase);
	return {
		which: [
			['id', 'eq', row.id],
			['run', 'eq', run],
		],
		set: Object.fromEntries(OWN.map((column) => [column, cells[column]])),
	};
}

/**
 * The steps that make the changes: one each, but one for all purchases of a run that end in the same way. If they end in
 * several ways, the most frequent one comes last.
 * @param hasAll Whether the changes include all purchases of a row's run that are in its state.
 */
function stepsFor(
	changes: readonly Change[],
	hasAll: (row: LoggedPurchase) => boolean,
): TableStep[] {
	const single: TableStep[] = [];
	const ends = new Map<string, Map<string, Change[]>>();
	for (const change of changes) {
		const { purchase, row } = change;
		const changed = differences(purchase, row);
		if (!changed.includes('state') || changed.some((column) => !END.includes(column))) {
			single.push(changeOf(purchase, row));
			continue;
		}
		const from = `${row.run} ${row.state}`;
		const to = `${purchase.state} ${purchase.told}`;
		const alike = ends.get(from) ?? new Map<string, Change[]>();
		ends.set(from, alike.set(to, [...(alike.get(to) ?? []), change]));
	}
	const together: TableStep[] = [];
	for (const alike of ends.values()) {
		const ways = [...alike.values()].sort((a, b) => b.length - a.length);
		const first = ways[0]?.[0];
		const isTogether = first !== undefined && hasAll(first.row);
		const apart = isTogether ? ways.slice(1) : ways;
		for (const { purchase, row } of apart.flat()) single.push(changeOf(purchase, row));
		if (isTogether) together.push(endOf(first));
	}
	return [...single, ...together];
}

/** The columns that change as a run ends. */
const END: readonly Column[] = ['state', 'told'];

/** Changes all purchases of a run that are in a state. */
function endOf({ purchase, row }: Change): TableStep {
	const { state, told } = toCells(purchase);
	return {
		which: [
			['run', 'eq', row.run],
			['state', 'eq', row.state],
		],
		set: { state, told },
	};
}
