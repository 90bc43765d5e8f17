import { COLUMNS, STATES, type PurchaseRow, type StoredRow } from './purchaseTable';

/**
 * Reads a row as n8n returns it. People may clear or edit cells, and n8n's export and import turns texts
 * into numbers and empty ones into null (2.41.1), so behind this function every cell is a text.
 * @returns undefined if it is no row of the purchases
 */
export function readRow(cells: Record<string, unknown>): StoredRow | undefined {
	const { id, createdAt, updatedAt } = cells;
	const state = STATES.find((each) => each === cells.state);
	if (typeof id !== 'number' || state === undefined) return undefined;
	const texts = Object.keys(COLUMNS).map((column) => [column, textOf(cells[column])]);
	return {
		...(Object.fromEntries(texts) as PurchaseRow),
		id,
		createdAt: textOf(createdAt),
		updatedAt: textOf(updatedAt),
		state,
	};
}

/** PostgreSQL has no place for a null character. */
function toCell(text: string): string | null {
	return text.replaceAll('\0', '') || null;
}

/** A row without the columns that n8n adds. */
export function purchaseIn(row: StoredRow): PurchaseRow {
	const purchase: Partial<StoredRow> = { ...row };
	delete purchase.id;
	delete purchase.createdAt;
	delete purchase.updatedAt;
	return purchase as PurchaseRow;
}

/** The cells of a row to write. An empty text fits only in a column of texts, and null in any. */
export function toCells(row: Partial<PurchaseRow>): Record<string, string | null> {
	return Object.fromEntries(
		Object.entries(row).map(([column, value]) => [column, toCell(String(value))]),
	);
}

function textOf(cell: unknown): string {
	if (cell === null || cell === undefined) return '';
	return cell instanceof Date ? cell.toISOString() : String(cell as string | number | boolean);
}
