import {
	asRead,
	type Condition,
	type Filter,
	type PurchaseRow,
	type PurchaseTable,
	type StoredRow,
} from './purchaseTable';

/** Milliseconds. */
const LONGEST_AGE = 24 * 60 * 60 * 1000;
const MOST_ROWS = 1000;

/** Of all nodes in this n8n process, oldest first, by entry. */
const rows = new Map<string, StoredRow>();
let lastId = 0;

/**
 * Remembers purchases in this n8n process, for a day and up to 1,000. n8n itself keeps nothing that
 * happens after Stop is pressed, neither the node's output nor the workflow's static data (2.40.3,
 * 1.123.81).
 */
export const processTable: PurchaseTable = {
	isShared: false,
	mostRows: MOST_ROWS,
	insert: async (row) => {
		const now = new Date(Date.now()).toISOString();
		rows.delete(row.entry);
		rows.set(row.entry, { ...row, id: ++lastId, createdAt: now, updatedAt: now });
		if (rows.size > MOST_ROWS) rows.delete(rows.keys().next().value ?? '');
		await Promise.resolve();
	},
	read: async (filter) => await Promise.resolve(find(filter).map((row) => ({ ...row }))),
	update: async (filter, change) => await Promise.resolve(update(filter, change)),
	pass: async (row, change) =>
		await Promise.resolve(update({ all: asRead(row) }, change).length > 0),
	remove: async (condition) => {
		remove([condition]);
		await Promise.resolve();
	},
	close: async (run, state) => {
		const own: Condition = ['run', 'eq', run];
		remove([own, ['state', 'eq', 'sent']]);
		await Promise.resolve(update({ all: [own, ['state', 'eq', 'bought']] }, { state }));
	},
};

function find(filter: Filter): StoredRow[] {
	const oldest = new Date(Date.now() - LONGEST_AGE).toISOString();
	for (const [entry, { createdAt }] of rows) if (createdAt < oldest) rows.delete(entry);
	return [...rows.values()].filter(matcher(filter));
}

function update(filter: Filter, change: Partial<PurchaseRow>): StoredRow[] {
	return find(filter).map((row) => ({ ...Object.assign(row, change) }));
}

function remove(all: readonly Condition[]): void {
	for (const { entry } of find({ all })) rows.delete(entry);
}

/** Returns whether a row meets a filter, as in n8n's data tables. */
export function matcher(filter: Filter): (row: StoredRow) => boolean {
	if ('all' in filter) {
		return (row) =>
			filter.all.every(([column, how, value]) => (row[column] === value) === (how === 'eq'));
	}
	// There may be thousands, so they are looked up.
	const [[column = 'id'] = []] = filter.any;
	const wanted = new Set<unknown>(filter.any.map(([, , value]) => value));
	return (row) => wanted.has(row[column]);
}
