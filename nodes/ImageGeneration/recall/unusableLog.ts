import { endSentence } from '../failures/text';
import { BadInput, Failed, type Failure } from '../failures/failures';
import type { PurchaseRow } from './purchaseTable';

/** The table's columns, all of them text. n8n adds its own `id`, `createdAt` and `updatedAt`. */
export const COLUMNS: ReadonlyArray<keyof PurchaseRow> = [
	...(['image', 'link', 'state', 'operation', 'workflow', 'execution'] as const),
	...(['node', 'request', 'job', 'run', 'entry', 'result'] as const),
];

/** Says why a table can't be used, and what to do. */
export function unusableLog(wanted: string, failure: Failure, isVersion2: boolean): BadInput {
	const { message } = new Failed(failure);
	const advice = isVersion2
		? "Nothing was sent. In 'Purchase Log', enter a new name, and the node creates the table."
		: "Nothing was sent. In 'Purchase Log', enter the ID of a data table, because n8n 1 does not know it by name.";
	return new BadInput(
		`The purchase log "${wanted}" can't be used: ${endSentence(message)}`,
		`${advice} It needs these text columns: ${COLUMNS.join(', ')}.`,
	);
}
