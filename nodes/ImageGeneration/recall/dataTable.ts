import type { IDataObject } from 'n8n-workflow';

import { Failed, settle, unwrap, type Outcome } from '../failures/failures';
import { runTableNode, type CallingContext } from './inlineWorkflow';
import { COLUMNS, type Cells, type Column } from './logRow';
import { unusable } from './unusableTable';

/** A row or a table as n8n returns it. */
export type Answer = Record<string, unknown>;

/** A column, how to compare it, and with what. */
export type Condition = readonly [column: Column | 'id', how: 'eq' | 'gte', value: string | number];

const MOST_CONDITIONS = 100;

const MOST_REREADS = 10;

/** The ids of an n8n process's tables, or the search for them, by workflow and name: calls that meet would each make a table. */
export type TableIds = Map<string, Promise<string>>;

/** Whether a table is made if there is none of that name. */
export interface Making {
	/** Whether it is made. Otherwise all reads find nothing, as in a Dry Run. */
	isAllowed: boolean;
	/** Called with its name if this run makes it. */
	onMade: (name: string) => void;
}

/** A data table of n8n, known by its name or id. It is looked for, or made, with the first call. */
export class DataTable {
	/** Another workflow may have another table of that name. */
	readonly #key: string;

	/** From the first answer on: a table that is made anew meanwhile has other rows under the same ids. */
	#id: string | undefined;

	constructor(
		private readonly context: CallingContext,
		private readonly ids: TableIds,
		private readonly wanted: string,
		private readonly making: Making,
	) {
		this.#key = JSON.stringify([context.getWorkflow().id ?? '', wanted]);
	}

	/** n8n's id of the table; undefined until n8n has answered. */
	get id(): string | undefined {
		return this.#id;
	}

	/** @returns the rows with n8n's ids */
	async insert(rows: readonly Cells[]): Promise<Answer[]> {
		const columns = { mappingMode: 'autoMapInputData', value: {} };
		return await this.#run({ operation: 'insert', columns }, rows);
	}

	/**
	 * Reads rows, the latest first.
	 * @param most How many at most; undefined for all.
	 */
	async get(
		match: 'allConditions' | 'anyCondition',
		conditions: readonly Condition[],
		most?: number,
	): Promise<Answer[]> {
		const operation = {
			operation: 'get',
			matchType: match,
			filters: filtersOf(conditions),
			orderBy: true,
			orderByColumn: 'id',
			orderByDirection: 'DESC',
			returnAll: most === undefined,
			limit: most ?? 0,
		};
		return await this.#run(operation, [{ values: valuesOf(conditions) }]);
	}

	/**
	 * Removes the rows that meet one of the conditions.
	 * @param waits Whether for n8n's answer.
	 */
	async remove(conditions: readonly Condition[], waits = true): Promise<void> {
		for (const part of partsOf(conditions)) {
			const operation = {
				operation: 'deleteRows',
				matchType: 'anyCondition',
				filters: filtersOf(part),
			};
			await this.#run(operation, [{ values: valuesOf(part) }], waits);
		}
	}

	/**
	 * Changes rows of the same entry in place, without waiting for n8n's answer: only an answer tells the ids of rows, which
	 * it takes to replace them.
	 * @param holder The execution whose rows they are. What another one has taken over meanwhile stays as it is.
	 */
	async startToUpdate(rows: readonly Cells[], holder: string): Promise<void> {
		if (rows.length === 0) return;
		const operation = {
			operation: 'update',
			matchType: 'allConditions',
			filters: {
				conditions: [
					{ keyName: 'entry', condition: 'eq', keyValue: '={{ $json.entry }}' },
					{ keyName: 'holder', condition: 'eq', keyValue: '={{ $json.holder }}' },
				],
			},
			columns: { mappingMode: 'defineBelow', value: '={{ $json.cells }}' },
		};
		const items = rows.map((cells) => ({ entry: cells.entry, holder, cells }));
		await this.#run(operation, items, false);
	}

	/** @throws BadInput if the table can't be used */
	async #run(
		operation: IDataObject,
		items: readonly IDataObject[],
		waits = true,
	): Promise<Answer[]> {
		const search = this.ids.get(this.#key);
		let outcome = await settle(this.#runOnce(operation, items, waits));
		if ('failure' in outcome && this.#id === undefined) {
			// The table may have been deleted since an earlier run, or another process was faster to make it.
			this.#forget(search);
			outcome = await settle(this.#runOnce(operation, items, waits));
		}
		if ('value' in outcome) return outcome.value;
		throw unusable(this.wanted, new Failed(outcome.failure).message);
	}

	async #runOnce(
		operation: IDataObject,
		items: readonly IDataObject[],
		waits: boolean,
	): Promise<Answer[]> {
		const id = this.#id ?? (await this.#find());
		if (id === undefined) return [];
		const complete = onRows(operation, id);
		let outcome = await settle(runTableNode(this.context, complete, items, waits));
		for (let rereads = 0; rereads < MOST_REREADS && isChangedMeanwhile(outcome); rereads++) {
			outcome = await settle(runTableNode(this.context, complete, items, waits));
		}
		const rows = unwrap(outcome);
		this.#id = id;
		return rows;
	}

	/** @returns undefined if there is none, and none may be made */
	async #find(): Promise<string | undefined> {
		const known = this.ids.get(this.#key);
		if (known !== undefined) return await known;
		if (!this.making.isAllowed) return await this.#look();
		const search = this.#lookOrMake();
		this.ids.set(this.#key, search);
		const found = await settle(search);
		if ('failure' in found) this.#forget(search);
		return unwrap(found);
	}

	/** Lets the next call search, unless another one has begun to. */
	#forget(search: Promise<string> | undefined): void {
		if (this.ids.get(this.#key) === search) this.ids.delete(this.#key);
	}

	async #look(): Promise<string | undefined> {
		// n8n's own filter knows no ids and, with SQLite, no capitals but English ones (2.41.1).
		const list = { resource: 'table', operation: 'list', returnAll: true };
		const all = await runTableNode(this.context, list, [{}]);
		return all.find(({ id, name }) => id === this.wanted || name === this.wanted)?.id as
			| string
			| undefined;
	}

	async #lookOrMake(): Promise<string> {
		const found = await this.#look();
		if (found !== undefined) return found;
		const columns = Object.entries(COLUMNS).map(([column, type]) => ({ name: column, type }));
		const create = {
			resource: 'table',
			operation: 'create',
			// From the item: a name that begins with = would be an expression.
			tableName: '={{ $json.tableName }}',
			columns: { column: columns },
		};
		const [made] = await runTableNode(this.context, create, [{ tableName: this.wanted }]);
		this.making.onMade(this.wanted);
		return made?.id as string;
	}
}

function onRows(operation: IDataObject, id: string): IDataObject {
	return {
		...operation,
		resource: 'row',
		dataTableId: {
			__rl: true,
			mode: 'id',
			value: id,
		},
	};
}

/** n8n refuses to return rows if their number changes while it reads them (2.41.1). */
function isChangedMeanwhile(outcome: Outcome<unknown>): boolean {
	return (
		'failure' in outcome && /changed during pagination/.test(new Failed(outcome.failure).message)
	);
}

/** As many as may be conditions of one call. SQLite allows 1,000, but each makes it slower. */
export function partsOf<T>(all: readonly T[]): T[][] {
	const count = Math.ceil(all.length / MOST_CONDITIONS);
	return Array.from({ length: count }, (_, index) =>
		all.slice(index * MOST_CONDITIONS, (index + 1) * MOST_CONDITIONS),
	);
}

/**
 * n8n evaluates a parameter that begins with `=`, but not what an expression returns (2.41.1), so no cell is ever code. A
 * value itself takes n8n much less time than an expression.
 */
function filtersOf(conditions: readonly Condition[]): IDataObject {
	const filters = conditions.map(([keyName, condition, value], index) => {
		const isCode = typeof value === 'string' && value.startsWith('=');
		const keyValue = isCode ? `={{ $json.values[${index}] }}` : value;
		return { keyName, condition, keyValue };
	});
	return { conditions: filters };
}

function valuesOf(conditions: readonly Condition[]): Array<string | number> {
	return conditions.map(([, , value]) => value);
}
