import {
	asRead,
	ofRun,
	type Condition,
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
	read: async (all) => await Promise.resolve(find(all).map((row) => ({ ...row }))),
	find: async (column, values) => {
		const wanted = new Set(values);
		const found = find([]).filter((row) => wanted.has(row[column]));
		return await Promise.resolve(found.map((row) => ({ ...row })));
	},
	update: async (all, change) => await Promise.resolve(update(all, change)),
	pass: async (all, change) =>
		await Promise.resolve(all.filter((row) => update(asRead(row), change(row)).length > 0)),
	remove: async (condition) => {
		remove([condition]);
		await Promise.resolve();
	},
	close: async (run, state) => {
		remove(ofRun(run, 'sent'));
		await Promise.resolve(update(ofRun(run, 'bought'), { state }));
	},
};

function find(all: readonly Condition[]): StoredRow[] {
	const oldest = new Date(Date.now() - LONGEST_AGE).toISOString();
	for (const [entry, { createdAt }] of rows) if (createdAt < oldest) rows.delete(entry);
	return [...rows.values()].filter(matcher(all));
}

function update(all: readonly Condition[], change: Partial<PurchaseRow>): StoredRow[] {
	return find(all).map((row) => ({ ...Object.assign(row, change) }));
}

function remove(all: readonly Condition[]): void {
	for (const { entry } of find(all)) rows.delete(entry);
}

/** Returns whether a row meets all conditions. */
export function matcher(all: readonly Condition[]): (row: StoredRow) => boolean {
	return (row) => all.every(([column, how, value]) => (row[column] === value) === (how === 'eq'));
}
