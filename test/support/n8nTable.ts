import { validateFieldType } from 'n8n-workflow';

export type ColumnType = 'string' | 'number' | 'boolean' | 'date';

/** A row as the database has it: numbers as numbers, dates as texts in ISO 8601, empty cells as null. */
export type TableRow = Record<string, unknown> & { id: number };

/** A condition of the Data Table node, with its value evaluated. */
export interface TableFilter {
	keyName: string;
	condition: string;
	keyValue: unknown;
}

/** What n8n adds to every table. */
const SYSTEM_COLUMNS: ReadonlyArray<[string, ColumnType]> = [
	['id', 'number'],
	['createdAt', 'date'],
	['updatedAt', 'date'],
];

const FIELD_TYPES = {
	string: 'string',
	number: 'number',
	boolean: 'boolean',
	date: 'dateTime',
} as const satisfies Record<ColumnType, string>;

const COMPARISONS: Record<string, (cell: unknown, value: unknown) => boolean> = {
	eq: (cell, value) => cell === value,
	gte: (cell, value) => (cell as string) >= (value as string),
};

/** A data table in the database of n8n 2.41.1, with the words in which it refuses things. */
export class N8nTable {
	/** By id. People may change them with {@link edit}. */
	rows: TableRow[] = [];

	#lastId = 0;

	readonly #types: ReadonlyMap<string, ColumnType>;

	constructor(
		readonly id: string,
		readonly name: string,
		readonly columns: ReadonlyArray<{ name: string; type: ColumnType }>,
	) {
		this.#types = new Map([
			...columns.map((column): [string, ColumnType] => [column.name, column.type]),
			...SYSTEM_COLUMNS,
		]);
	}

	/**
	 * Gives new rows their ids. Others see them only once they are added: PostgreSQL gives an id before the row is visible.
	 * @param now In ISO 8601.
	 */
	prepare(rows: readonly object[], now: string): TableRow[] {
		const own = this.columns.map(({ name }): [string, unknown] => [name, null]);
		return rows.map((cells) => ({
			...Object.fromEntries(own),
			...this.#toDatabase(cells),
			id: ++this.#lastId,
			createdAt: now,
			updatedAt: now,
		}));
	}

	add(rows: readonly TableRow[]): void {
		this.rows = [...this.rows, ...rows].sort((a, b) => a.id - b.id);
	}

	/** Finds the rows that meet all filters, or any of them. */
	find(filters: readonly TableFilter[], isAny: boolean): TableRow[] {
		const unknown = filters.filter(({ keyName }) => !this.#types.has(keyName));
		if (unknown.length > 0) {
			const names = unknown.map(({ keyName }) => keyName).join(', ');
			throw new Error(
				`Filter validation failed: Column(s) "${names}" do not exist in the selected table. This often happens when switching between tables with different schemas. Please update your filter conditions.`,
			);
		}
		const tests = filters.map((filter) => this.#test(filter));
		return this.rows.filter((row) =>
			isAny ? tests.some((test) => test(row)) : tests.every((test) => test(row)),
		);
	}

	/** Changes rows. @param now In ISO 8601. */
	change(rows: readonly TableRow[], set: object, now: string): void {
		const cells = this.#toDatabase(set);
		if (Object.keys(cells).length === 0) throw refusal('Data columns must not be empty');
		for (const row of rows) Object.assign(row, cells, { updatedAt: now });
	}

	remove(rows: readonly TableRow[]): void {
		this.rows = this.rows.filter((row) => !rows.includes(row));
	}

	/** Somebody changes cells of a row in n8n. A cell that is cleared is null. */
	edit(id: number, cells: object): void {
		this.change(this.#rowsOf(id), cells, new Date().toISOString());
	}

	/** Adds so many rows like one, each of another purchase. */
	multiply(id: number, count: number): void {
		const [row] = this.#rowsOf(id);
		const cells = Object.fromEntries(this.columns.map(({ name }) => [name, row?.[name]]));
		const more = Array.from({ length: count }, (_, index) => ({
			...cells,
			entry: `copy ${index}`,
		}));
		this.add(this.prepare(more, new Date().toISOString()));
	}

	/** As n8n returns rows. @param isRead Whether it reads them: then dates are texts, otherwise objects. */
	toAnswer(rows: readonly TableRow[], isRead: boolean): Array<Record<string, unknown>> {
		if (isRead) return rows.map((row) => ({ ...row }));
		return rows.map((row) =>
			Object.fromEntries(
				Object.entries(row).map(([name, cell]) =>
					typeof cell === 'string' && this.#types.get(name) === 'date'
						? [name, new Date(cell)]
						: [name, cell],
				),
			),
		);
	}

	#rowsOf(id: number): TableRow[] {
		const found = this.rows.filter((row) => row.id === id);
		if (found.length === 0) throw new Error(`There is no row ${id}`);
		return found;
	}

	#toDatabase(cells: object): Record<string, unknown> {
		return Object.fromEntries(
			Object.entries(cells).map(([name, cell]) => {
				if (!this.columns.some((column) => column.name === name)) {
					throw refusal(`unknown column name '${name}'`);
				}
				return [name, this.#cell(name, cell)];
			}),
		);
	}

	#cell(name: string, cell: unknown): unknown {
		if (cell === null || cell === undefined) return null;
		const type = this.#types.get(name) ?? 'string';
		if (typeof cell === 'string' && cell.includes('\0')) {
			throw new Error('invalid byte sequence for encoding "UTF8": 0x00');
		}
		if (type === 'string' && typeof cell === 'string') return cell;
		const checked = validateFieldType(name, cell, FIELD_TYPES[type], {
			strict: false,
			parseStrings: false,
		});
		if (!checked.valid) {
			const reason = `value '${String(cell as string | number | boolean)}' does not match column type '${type}'`;
			throw refusal(`${reason}: ${checked.errorMessage}`);
		}
		if (type !== 'date') return checked.newValue;
		return new Date(
			(checked.newValue as unknown as { toMillis(): number }).toMillis(),
		).toISOString();
	}

	#test({ keyName, condition, keyValue }: TableFilter): (row: TableRow) => boolean {
		const type = this.#types.get(keyName);
		if (keyValue === undefined) throw new Error(`${keyName} is compared with nothing`);
		const compare = COMPARISONS[condition];
		if (compare === undefined) throw new Error(`Unsupported filter condition: ${condition}`);
		const isDate = type === 'date' && typeof keyValue === 'string';
		if (isDate && Number.isNaN(Date.parse(keyValue))) {
			throw new Error(`Invalid date string '${keyValue}' for column '${keyName}'`);
		}
		const value = this.#cell(keyName, keyValue);
		// In SQL, null is neither greater nor equal.
		return (row) => row[keyName] !== null && compare(row[keyName], value);
	}
}

/** How n8n refuses what does not fit a table. */
export function refusal(reason: string): Error {
	return new Error(`Validation error with data table request: ${reason}`);
}
