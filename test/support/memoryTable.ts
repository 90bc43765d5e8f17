import { matcher } from '../../nodes/ImageGeneration/recall/table/localTable';
import type {
	PurchaseRow,
	PurchaseTable,
	StoredRow,
} from '../../nodes/ImageGeneration/recall/table/purchaseTable';

/** A purchase in a table, of a run of the process `there` that has ended. */
export function storedRow(more: Partial<StoredRow> = {}): StoredRow {
	const time = new Date().toISOString();
	return {
		time,
		image: 'Item 1, "Owl"',
		link: 'https://example.com/owl',
		state: 'delivered',
		operation: 'generate',
		quality: '',
		size: '',
		workflow: 'A workflow',
		execution: '7',
		parent: '',
		node: 'a node',
		request: 'a request',
		run: 'there.1',
		entry: `entry ${more.id ?? 0}`,
		result: JSON.stringify({ id: 'owl', output_url: 'https://example.com/owl' }),
		id: 0,
		createdAt: time,
		updatedAt: time,
		...more,
	};
}

/** A table of many processes, in memory. */
export function memoryTable(given: readonly StoredRow[] = []) {
	let rows = given.map((row) => ({ ...row }));
	let lastId = Math.max(0, ...rows.map(({ id }) => id));
	let lastChange = Math.max(0, ...rows.map(({ updatedAt }) => Date.parse(updatedAt) || 0));
	const calls: string[] = [];
	const outages: Array<'before' | 'after'> = [];

	/**
	 * Makes a change, unless the table is away before it. The caller learns nothing if it is away after it.
	 * Like n8n's tables it is not called for nothing.
	 */
	async function call<T>(name: string, change: () => T, isNeeded = true): Promise<T> {
		if (!isNeeded) return change();
		calls.push(name);
		const outage = outages.shift();
		await Promise.resolve();
		if (outage === 'before') throw new Error('The table is away.');
		const result = change();
		if (outage === 'after') throw new Error('The table is away.');
		return result;
	}

	/** Now, but later than at the last change, because others see by it that a process lives. */
	const changeTime = () => {
		lastChange = Math.max(Date.now(), lastChange + 1);
		return new Date(lastChange).toISOString();
	};
	const copies = (found: readonly StoredRow[]) => found.map((row) => ({ ...row }));
	const table: PurchaseTable = {
		isShared: true,
		name: 'a table',
		id: 'first',
		mostRows: Infinity,
		insert: async (row: PurchaseRow) =>
			await call('insert', () => {
				const now = changeTime();
				const inserted = { ...row, id: ++lastId, createdAt: now, updatedAt: now };
				rows.push(inserted);
				return { ...inserted };
			}),
		read: async (which) => await call('read', () => copies(rows.filter(matcher(which)))),
		find: async (column, values) =>
			await call(
				'find',
				() => copies(rows.filter((row) => values.includes(row[column]))).reverse(),
				values.length > 0,
			),
		change: async (steps) =>
			await call(
				'change',
				() =>
					steps.flatMap(({ which, set }) => {
						const updatedAt = changeTime();
						const found = rows.filter(matcher(which));
						return copies(found.map((row) => Object.assign(row, set, { updatedAt })));
					}),
				steps.length > 0,
			),
		remove: async (ids) =>
			await call(
				'remove',
				() => {
					rows = rows.filter(({ id }) => !ids.includes(id));
				},
				ids.length > 0,
			),
	};
	return {
		table,
		/** The names of its calls. */
		calls,
		/** As they are now. */
		get rows(): readonly StoredRow[] {
			return rows;
		},
		/** Changes a row by hand. */
		edit: (id: number, set: Partial<StoredRow>) => {
			rows = rows.map((row) => (row.id === id ? { ...row, ...set } : row));
		},
		/** The next calls are not answered, each before or after its change was made. */
		fail: (...when: typeof outages) => outages.push(...when),
	};
}
