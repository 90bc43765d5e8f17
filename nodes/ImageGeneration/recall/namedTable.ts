import type { IDataObject } from 'n8n-workflow';

import { BadInput, Failed, type Failure } from '../failures/failures';
import { settle } from '../failures/outcome';
import { endSentence } from '../failures/text';
import { isVersion2, runInline, type CallingContext } from './inlineWorkflow';
import { COLUMNS, type StoredRow } from './purchaseTable';

/** Ids of tables by workflow and name. */
const knownIds = new Map<string, string>();

/**
 * Runs row operations of the Data Table node, one after the other.
 * @param items The input of the first one, which runs for each.
 * @returns the rows of the last one.
 * @throws BadInput if the table can't be used.
 */
type RowCall = (steps: IDataObject[], items?: IDataObject[]) => Promise<StoredRow[]>;

/**
 * Finds a data table, or makes it if there is none, with the first call.
 * @param wanted Its name, or its id. n8n 1 knows tables by their id only.
 */
export function namedTable(context: CallingContext, wanted: string): RowCall {
	const isOn2 = isVersion2(context);
	const key = JSON.stringify([context.getWorkflow().id, wanted]);
	let tableId: Promise<string> | undefined;
	let wasReached = false;

	async function findId(): Promise<string> {
		const known = isOn2 ? knownIds.get(key) : wanted;
		if (known !== undefined) return known;
		// n8n's own filter knows no ids and, with SQLite, no capitals but English ones (2.40.3).
		const list = { resource: 'table', operation: 'list', returnAll: true } as const;
		const all = await runInline(context, [list]);
		const columns = { column: COLUMNS.map((name) => ({ name, type: 'string' })) };
		const create = { resource: 'table', operation: 'create', tableName: wanted, columns } as const;
		const found = all.find((table) => [table.id, table.name].includes(wanted));
		const id = (found ?? (await runInline(context, [create]))[0])?.id as string;
		knownIds.set(key, id);
		return id;
	}

	const call: RowCall = async (steps, items) => {
		const dataTableId = { __rl: true, mode: 'id', value: await (tableId ??= findId()) };
		const complete = steps.map((step) => ({ ...step, resource: 'row' as const, dataTableId }));
		const rows = await runInline(context, complete, items);
		// n8n 1 returns dates as objects.
		return JSON.parse(JSON.stringify(rows)) as StoredRow[];
	};

	return async (steps, items) => {
		let outcome = await settle(call(steps, items));
		if ('failure' in outcome && !wasReached && isOn2) {
			// It may have been deleted since an earlier run, or another run may have been faster to make it.
			knownIds.delete(key);
			tableId = undefined;
			outcome = await settle(call(steps, items));
		}
		if ('failure' in outcome) throw unusable(wanted, outcome.failure, isOn2);
		wasReached = true;
		return outcome.value;
	};
}

function unusable(wanted: string, failure: Failure, isOn2: boolean): BadInput {
	const { message } = new Failed(failure);
	const advice = isOn2
		? "Nothing was sent. In 'Purchase Log', enter a new name, and the node creates the table."
		: "Nothing was sent. In 'Purchase Log', enter the ID of a data table, because n8n 1 does not know it by name.";
	return new BadInput(
		`The purchase log "${wanted}" can't be used: ${endSentence(message)}`,
		`${advice} It needs these text columns: ${COLUMNS.join(', ')}.`,
	);
}
