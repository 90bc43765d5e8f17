import {
	outcomeColumns,
	type PurchaseRow,
	type PurchaseTable,
	type StoredRow,
	type TableStep,
	type Which,
} from './purchaseTable';

/** Milliseconds. */
const LONGEST_AGE = 24 * 60 * 60 * 1000;
const MOST_ROWS = 1000;

/** Of all nodes in this n8n process, oldest first, by entry. */
const rows = new Map<string, StoredRow>();
let lastId = 0;

/**
 * Remembers purchases in this n8n process, for a day and up to 1,000. n8n itself keeps nothing that
 * happens after Stop is pressed, neither the node's output nor the workflow's static data (2.41.1,
 * 1.123.81).
 */
export const processTable: PurchaseTable = {
	isShared: false,
	name: '',
	mostRows: MOST_ROWS,
	insert: async (row) => {
		const now = new Date(Date.now()).toISOString();
		rows.delete(row.entry);
		rows.set(row.entry, {
			...row,
			id: ++lastId,
			createdAt: now,
			updatedAt: now,
		});
		if (rows.size > MOST_ROWS) rows.delete(rows.keys().next().value ?? '');
		await Promise.resolve();
	},
	save: async (row, isNews) => {
		const { entry, run } = row;
		return await Promise.resolve(update({ entry, run }, outcomeColumns(row, isNews)).length > 0);
	},
	read: async (which) => await Promise.resolve(find(which).map((row) => ({ ...row }))),
	find: async (column, values) => {
		const wanted = new Set(values);
		const found = find({}).filter((row) => wanted.has(row[column]));
		return await Promise.resolve(found.map((row) => ({ ...row })));
	},
	change: async (steps) => await Promise.resolve(steps.map(takeStep).at(-1) ?? []),
	changeEach: async (all, which, change) =>
		await Promise.resolve(all.flatMap((row) => update(which(row), change(row)))),
	remove: async (entry) => {
		rows.delete(entry);
		await Promise.resolve();
	},
};

function find(which: Which): StoredRow[] {
	const oldest = new Date(Date.now() - LONGEST_AGE).toISOString();
	for (const [entry, { createdAt }] of rows) if (createdAt < oldest) rows.delete(entry);
	return [...rows.values()].filter(matcher(which));
}

function update(which: Which, change: Partial<PurchaseRow>): StoredRow[] {
	return find(which).map((row) => ({ ...Object.assign(row, change) }));
}

function takeStep(step: TableStep): StoredRow[] {
	if ('set' in step) return update(step.which, step.set);
	for (const { entry } of find(step.which)) rows.delete(entry);
	return [];
}

/** Returns whether a row is one of these. */
export function matcher({ notIn = [], ...values }: Which): (row: StoredRow) => boolean {
	const wanted = Object.entries(values) as Array<[keyof StoredRow, unknown]>;
	return (row) =>
		!notIn.includes(row.state) && wanted.every(([column, value]) => row[column] === value);
}
