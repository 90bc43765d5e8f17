import { REMEMBERED_FOR } from '../journal';
import type { Purchase } from '../purchase';
import { toPurchase, type LoggedPurchase } from './cells';
import { MOST_CONDITIONS, type Answer, type DataTable } from './dataTable';
import type { Condition } from './tableSteps';

/** The latest rows to read for each request, besides those that the run needs itself. */
export const LATEST = 20;
/** Rows of a node to read at most. */
const MOST_OF_NODE = 1000;

/** Reads purchases from a table. */
export class LogRows {
	/** @param outdated Where it notes the rows that newer ones have replaced, each with the id of its table. */
	constructor(
		private readonly table: DataTable,
		private readonly outdated: Map<number, string>,
	) {}

	/** Whether the table had a purchase when it was last read or written. */
	hasHad({ row }: Purchase): boolean {
		return row?.table === this.table.id;
	}

	isLogged(purchase: Purchase): purchase is LoggedPurchase {
		return this.hasHad(purchase);
	}

	/**
	 * Finds the purchases of these requests: the latest of each and, if one has more than that, also the node's own of the
	 * last 80 hours.
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
		const most = LATEST + needed;
		const { rows, isAll } = await this.#latestOf(requests, most);
		const full = requests.filter(
			(request) => rows.filter((row) => row.request === request).length >= most,
		);
		const since = new Date(now - REMEMBERED_FOR).toISOString();
		// A request that has many rows may hide an older one that an unfinished execution left.
		const mayHide = !isAll || full.length > 0;
		const own = mayHide
			? [...(await this.#ofNode(node, 'neq', since)), ...(await this.#ofNode(node, 'eq', since))]
			: [];
		const asked = own.filter(({ request }) => requests.includes(request));
		return this.#latest([...rows, ...asked]);
	}

	/**
	 * The latest rows of each request.
	 * @returns whether these are all, and the rows
	 */
	async #latestOf(
		requests: readonly string[],
		most: number,
	): Promise<{ rows: LoggedPurchase[]; isAll: boolean }> {
		const rows: LoggedPurchase[] = [];
		let open = [...requests];
		let isAll = true;
		while (open.length > 0) {
			const part = open.slice(0, MOST_CONDITIONS);
			const limit = most * part.length;
			const found = await this.#get(
				'anyCondition',
				part.map((request): Condition => ['request', 'eq', request]),
				limit,
			);
			rows.push(...found);
			const isFull = found.length >= limit;
			if (isFull) isAll = false;
			// The rows of some requests may have left no place for those of others.
			const isKnown = (request: string) =>
				!isFull || found.filter((row) => row.request === request).length >= most;
			const rest = part.filter((request) => !isKnown(request));
			// Cells of another type are equal for n8n and not here.
			const isStuck = rest.length === part.length;
			open = [...(isStuck ? [] : rest), ...open.slice(MOST_CONDITIONS)];
		}
		return { rows, isAll };
	}

	/** The node's rows since a time, delivered or not. */
	async #ofNode(node: string, delivered: 'eq' | 'neq', since: string): Promise<LoggedPurchase[]> {
		return await this.#get(
			'allConditions',
			[
				['node', 'eq', node],
				['state', delivered, 'delivered'],
				['time', 'gte', since],
			],
			MOST_OF_NODE,
		);
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
			MOST_OF_NODE,
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

	/** The rows of purchases, by entry: the known one by its id, because n8n finds it at once, otherwise the latest. */
	async current(purchases: readonly Purchase[]): Promise<Map<string, LoggedPurchase>> {
		const known = purchases.filter((purchase) => this.isLogged(purchase));
		const rows = await this.findByIds(known);
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

	/** The rows themselves, even if other rows of their purchases are newer. */
	async findByIds(purchases: readonly LoggedPurchase[]): Promise<LoggedPurchase[]> {
		const rows: LoggedPurchase[] = [];
		for (let first = 0; first < purchases.length; first += MOST_CONDITIONS) {
			const part = purchases.slice(first, first + MOST_CONDITIONS);
			const conditions = part.map(({ row }): Condition => ['id', 'eq', row.id]);
			rows.push(...(await this.#get('anyCondition', conditions, part.length)));
		}
		return rows;
	}

	/** Remembers a row that is to be removed. */
	removeLater({ id, table }: LoggedPurchase['row']): void {
		this.outdated.set(id, table);
	}

	async #get(
		match: 'allConditions' | 'anyCondition',
		conditions: readonly Condition[],
		most: number,
	): Promise<LoggedPurchase[]> {
		return this.toPurchases(await this.table.get(match, conditions, most));
	}

	/** The purchases in what n8n answered. */
	toPurchases(rows: readonly Answer[]): LoggedPurchase[] {
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
				this.removeLater(older.row);
			}
		}
		return [...latest.values()];
	}
}
