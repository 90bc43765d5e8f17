import type { IDataObject } from 'n8n-workflow';

import { settle, unwrap } from '../failures/outcome';
import { runInline, type CallingContext, type Step } from './inlineWorkflow';
import { COLUMNS } from './purchaseTable';

/** Ids of tables by workflow and name. */
const knownIds = new Map<string, string>();

/** A data table that a run uses. */
export interface NamedTable {
	/** Finds it, or makes it if there is none. */
	id(): Promise<string>;
	/** Finds it anew the next time. */
	forget(): void;
}

/** @param wanted Its name, or its id. n8n 1 knows tables by their id only. */
export function namedTable(
	context: CallingContext,
	wanted: string,
	isVersion2: boolean,
): NamedTable {
	const key = JSON.stringify([context.getWorkflow().id, wanted]);
	let id: Promise<string> | undefined;

	const call = async (operation: string, parameters: IDataObject): Promise<IDataObject[]> => {
		const step: Step = { resource: 'table', operation, ...parameters };
		return await runInline(context, [step], { isVersion2, items: [] });
	};

	/** n8n's own filter knows no ids and, with SQLite, no capitals but English ones (2.40.3). */
	async function listed(): Promise<IDataObject | undefined> {
		const all = await call('list', { returnAll: true });
		return all.find((table) => [table.id, table.name].includes(wanted));
	}

	async function find(): Promise<string> {
		const known = isVersion2 ? knownIds.get(key) : wanted;
		if (known !== undefined) return known;
		const columns = { column: COLUMNS.map((name) => ({ name, type: 'string' })) };
		const named = await listed();
		// Another run may be faster.
		const made =
			named === undefined
				? await settle(call('create', { tableName: wanted, columns }))
				: { value: [named] };
		const found = 'value' in made ? made.value[0] : await listed();
		const tableId = (found ?? unwrap(made)[0])?.id as string;
		knownIds.set(key, tableId);
		return tableId;
	}

	return {
		id: async () => await (id ??= find()),
		forget: () => {
			knownIds.delete(key);
			id = undefined;
		},
	};
}
