import {
	processOf,
	type PurchaseTable,
	type StoredRow,
	type TableStep,
	type Which,
} from './purchaseTable';

/** Milliseconds. */
const LONGEST_AGE = 24 * 60 * 60 * 1000;
const MOST_ROWS = 1000;

/** Of all nodes in this n8n process, oldest first, by id. */
const rows = new Map<number, StoredRow>();
let lastId = 0;

/**
 * Remembers purchases in this n8n process, for a day and up to 1,000. n8n itself keeps nothing that
 * happens after Stop is pressed, neither the node's output nor the workflow's static data (2.41.1,
 * 1.123.81).
 */
export const localTable: PurchaseTable = {
	isShared: false,
	name: '',
	id: '',
	mostRows: MOST_ROWS,
	insert: async (row) => {
		const now = new Date(Date.now()).toISOString();
		const stored: StoredRow = {
			...row,
			id: ++lastId,
			createdAt: now,
			updatedAt: now,
		};
		rows.set(stored.id, stored);
		return await Promise.resolve({ ...stored });
	},
	read: async (which) => await Promise.resolve(select(which)),
	find: async (column, values) => {
		if (values.length === 0) return [];
		const wanted = new Set(values);
		const found = select({}).filter((row) => wanted.has(row[column]));
		return await Promise.resolve(found.reverse());
	},
	change: async (steps) => await Promise.resolve(steps.flatMap(takeStep)),
	remove: async (ids) => {
		for (const id of ids) rows.delete(id);
		await Promise.resolve();
	},
};

function select(which: Which): StoredRow[] {
	const oldest = new Date(Date.now() - LONGEST_AGE).toISOString();
	for (const [id, { createdAt }] of rows) {
		if (createdAt >= oldest && rows.size <= MOST_ROWS) break;
		rows.delete(id);
	}
	const candidates =
		which.id === undefined ? [...rows.values()] : [rows.get(which.id) ?? []].flat();
	return candidates.filter(matcher(which)).map((row) => ({ ...row }));
}

function takeStep({ which, set }: TableStep): StoredRow[] {
	return select(which).map((row): StoredRow => {
		const changed = { ...row, ...set, updatedAt: new Date(Date.now()).toISOString() };
		rows.set(row.id, changed);
		return { ...changed };
	});
}

/** Returns whether a row is one of these. */
export function matcher({ notIn = [], process, ...values }: Which): (row: StoredRow) => boolean {
	const wanted = Object.entries(values) as Array<[keyof StoredRow, unknown]>;
	return (row) =>
		!notIn.includes(row.state) &&
		(process === undefined || processOf(row.run) === process) &&
		wanted.every(([column, value]) => row[column] === value);
}
