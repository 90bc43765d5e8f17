import { parseResult, STATES, type Purchase, type PurchaseRow } from '../purchase';

/** The table's columns and their types. People read the first ones. n8n adds its own `id`, `createdAt` and `updatedAt`. */
export const COLUMNS = {
	time: 'date',
	image: 'string',
	link: 'string',
	state: 'string',
	operation: 'string',
	quality: 'string',
	size: 'string',
	workflow: 'string',
	execution: 'string',
	parent: 'string',
	node: 'string',
	request: 'string',
	file: 'string',
	run: 'string',
	entry: 'string',
	told: 'string',
	taken: 'string',
	result: 'string',
} as const satisfies Record<string, 'date' | 'string'>;

export type Column = keyof typeof COLUMNS;

/** The cells of a row. One that does not apply is null: an empty text fits only in a column of texts. */
export type Cells = Partial<Record<Column, string | null>>;

/** A purchase in a table. */
export interface LoggedPurchase extends Purchase {
	row: PurchaseRow;
}

const YES = 'yes';

/** The row of a purchase. */
export function toCells(purchase: Purchase): Record<Column, string | null> {
	const { result, shown, told, taken } = purchase;
	return {
		time: new Date(purchase.time).toISOString(),
		image: toCell(shown.image),
		link: toCell(result?.output_url ?? ''),
		state: purchase.state,
		operation: toCell(shown.operation),
		quality: toCell(shown.quality),
		size: toCell(shown.size),
		workflow: toCell(shown.workflow),
		execution: toCell(purchase.execution),
		parent: toCell(purchase.parent),
		node: toCell(purchase.node),
		request: toCell(purchase.request),
		file: toCell(purchase.file),
		run: toCell(purchase.run),
		entry: toCell(purchase.entry),
		told: told ? YES : null,
		taken: taken > 0 ? String(taken) : null,
		result: result === undefined ? null : toCell(JSON.stringify(result)),
	};
}

/** PostgreSQL has no place for a null character. */
function toCell(text: string): string | null {
	return text.replaceAll('\0', '') || null;
}

/**
 * Reads a row as n8n returns it. People may clear or edit cells, and n8n's export and import turns texts into numbers and
 * empty ones into null (2.41.1).
 * @returns undefined if it is no row of a purchase
 */
export function toPurchase(
	table: string,
	cells: Record<string, unknown>,
): LoggedPurchase | undefined {
	const { id } = cells;
	const textIn = (column: Column) => textOf(cells[column]);
	const state = STATES.find((each) => each === cells.state);
	if (typeof id !== 'number' || state === undefined) return undefined;
	const link = textIn('link');
	return {
		entry: textIn('entry') || `row ${id}`,
		accounts: [],
		node: textIn('node'),
		request: textIn('request'),
		file: textIn('file'),
		execution: textIn('execution'),
		parent: textIn('parent'),
		run: textIn('run'),
		time: firstTime(cells.time, cells.createdAt),
		state,
		told: textIn('told') !== '',
		taken: Number(textIn('taken')) || 0,
		result: parseResult(textIn('result')) ?? parseResult(JSON.stringify({ output_url: link })),
		shown: {
			image: textIn('image'),
			operation: textIn('operation'),
			quality: textIn('quality'),
			size: textIn('size'),
			workflow: textIn('workflow'),
		},
		row: {
			table,
			id,
			state,
			changed: firstTime(cells.updatedAt, cells.time),
		},
	};
}

/** The first of the cells that is a time, in milliseconds since 1970; 0 if none is. */
function firstTime(...cells: readonly unknown[]): number {
	const times = cells.map((cell) => Date.parse(textOf(cell)));
	return times.find((time) => !Number.isNaN(time)) ?? 0;
}

function textOf(cell: unknown): string {
	if (cell === null || cell === undefined) return '';
	return cell instanceof Date ? cell.toISOString() : String(cell as string | number | boolean);
}
