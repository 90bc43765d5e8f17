import { parseResult, type Purchase } from './purchase';

/** The table's columns and their types, those for people first. n8n adds its own `id`, `createdAt` and `updatedAt`. */
export const COLUMNS = {
	image: 'string',
	link: 'string',
	operation: 'string',
	quality: 'string',
	size: 'string',
	workflow: 'string',
	execution: 'string',
	time: 'date',
	entry: 'string',
	request: 'string',
	file: 'string',
	node: 'string',
	round: 'string',
	manual: 'string',
	holder: 'string',
	result: 'string',
} as const satisfies Record<string, 'date' | 'string'>;

export type Column = keyof typeof COLUMNS;

/** The cells of a row. An empty one is null, because people may have made a column of another type that takes no empty text. */
export type Cells = Record<Column, string | null>;

const YES = 'yes';

/** The row of a purchase. */
export function toCells(purchase: Purchase): Cells {
	const { result, shown } = purchase;
	return {
		image: toCell(shown.image),
		link: toCell(result?.output_url ?? ''),
		operation: toCell(shown.operation),
		quality: toCell(shown.quality),
		size: toCell(shown.size),
		workflow: toCell(shown.workflow),
		execution: toCell(purchase.execution),
		time: new Date(purchase.time).toISOString(),
		entry: toCell(purchase.entry),
		request: toCell(purchase.request),
		file: toCell(purchase.file),
		node: toCell(purchase.node),
		round: String(purchase.round),
		manual: purchase.isManual ? YES : null,
		holder: toCell(purchase.holder),
		result: result === undefined ? null : toCell(JSON.stringify(result)),
	};
}

/** PostgreSQL has no place for a null character. */
function toCell(text: string): string | null {
	return text.replaceAll('\0', '') || null;
}

/**
 * Reads a row as n8n returns it, as far as it can be read: people may clear or edit cells, and n8n's export and import turns
 * texts into numbers and empty ones into null (2.41.1).
 * @param table n8n's id of the table.
 * @returns undefined if n8n gave the row no id
 */
export function toPurchase(
	row: Readonly<Record<string, unknown>>,
	table: string,
): Purchase | undefined {
	const { id } = row;
	if (typeof id !== 'number') return undefined;
	const textIn = (column: Column) => textOf(row[column]);
	const round = Number(textIn('round'));
	return {
		entry: textIn('entry') || `row ${id}`,
		request: textIn('request'),
		file: textIn('file'),
		node: textIn('node'),
		round: Number.isSafeInteger(round) ? round : 0,
		isManual: textIn('manual') === YES,
		execution: textIn('execution'),
		holder: textIn('holder'),
		time: firstTime(row.time, row.createdAt),
		accounts: [],
		instruction: '',
		generation: 1,
		result: resultIn(textIn('result'), textIn('link')),
		shown: {
			image: textIn('image'),
			operation: textIn('operation'),
			quality: textIn('quality'),
			size: textIn('size'),
			workflow: textIn('workflow'),
		},
		logged: { table, rowIds: [id] },
	};
}

function resultIn(result: string, link: string): Purchase['result'] {
	return parseResult(result) ?? parseResult(JSON.stringify({ output_url: link }));
}

/** The first of the cells that is a time, in milliseconds since 1970; 0 if none is. */
function firstTime(...cells: readonly unknown[]): number {
	const times = cells.map((cell) => Date.parse(textOf(cell)));
	return times.find((time) => !Number.isNaN(time)) ?? 0;
}

/** n8n reads rows with dates as texts in ISO 8601 (2.41.1). */
function textOf(cell: unknown): string {
	if (typeof cell === 'string') return cell;
	return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : '';
}
