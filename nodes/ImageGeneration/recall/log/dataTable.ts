import type { IDataObject } from 'n8n-workflow';

import { Failed, settle, unwrap } from '../../failures/failures';
import { asRecord } from '../../values/asRecord';
import { COLUMNS, type Cells } from './cells';
import { runTableNode, startTableNode, type CallingContext } from './inlineWorkflow';
import { groupsOf, literal, updateOf, type Condition, type TableStep } from './tableSteps';
import { NO_SUCH_ID, unusable } from './unusableTable';

/** A row or a table as n8n returns it. */
export type Answer = Record<string, unknown>;

/** Conditions in one call; SQLite allows 1,000, but each makes it slower. */
export const MOST_CONDITIONS = 100;

/** n8n refuses to return rows if their number changes while it reads them (2.41.1). */
const CHANGED_MEANWHILE = /changed during pagination/;
const MOST_REREADS = 10;

/** The id of no table. */
const NONE = '';

/** The form of a table's id. n8n draws each of its characters at random (2.41.1). */
const IS_ID = /^[A-Za-z0-9]{16}$/;

/**
 * A name made of words, such as `ImagePurchaseLog`, which may also have 16 letters. Of 100,000 random ids
 * 0.5 % look like that; such an id of another project's table makes a table of that name.
 */
const IS_WORDS = /^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})+\d{0,4}$/;

/** A table that the node has made. */
export interface MadeTable {
	name: string;
	/** The name of the project that has it; undefined if n8n does not tell. */
	project: string | undefined;
}

/** The tables of an n8n process. */
export class Tables {
	/** Their ids, or the search for them, by workflow and name: calls that meet would each make a table. */
	readonly ids = new Map<string, Promise<string>>();
}

/** Whether a table is made if there is none of that name. */
interface Making {
	/** Whether it is made. Otherwise all reads find nothing. */
	isAllowed: boolean;
	/** Called if this run makes it. */
	onMade: (table: MadeTable) => void;
}

/** A data table of n8n, known by its name or id. It is looked for, or made, with the first call. */
export class DataTable {
	/** Identifies it in this process: another workflow may have another table of that name. */
	readonly key: string;

	/** From the first answer on: a table that is made anew meanwhile has other rows under the same ids. */
	#id: string | undefined;

	constructor(
		private readonly context: CallingContext,
		private readonly tables: Tables,
		private readonly wanted: string,
		private readonly making: Making = { isAllowed: true, onMade: () => {} },
	) {
		this.key = JSON.stringify([context.getWorkflow().id ?? '', wanted]);
	}

	/** n8n's id of the table; empty until n8n has answered. */
	get id(): string {
		return this.#id ?? '';
	}

	/** @returns the rows with n8n's ids */
	async insert(rows: readonly Cells[]): Promise<Answer[]> {
		const columns = { mappingMode: 'autoMapInputData', value: {} };
		return await this.#run({ operation: 'insert', columns }, rows);
	}

	/**
	 * Reads rows, the latest first.
	 * @param most How many at most.
	 */
	async get(
		match: 'allConditions' | 'anyCondition',
		conditions: readonly Condition[],
		most: number,
	): Promise<Answer[]> {
		const operation = {
			operation: 'get',
			matchType: match,
			filters: { conditions: conditions.map(literal) },
			orderBy: true,
			orderByColumn: 'id',
			orderByDirection: 'DESC',
			limit: most,
		};
		return await this.#run(operation, [{ values: conditions.map(([, , value]) => value) }]);
	}

	/** Takes one step after the other. @returns the rows that matched one of them, changed */
	async update(steps: readonly TableStep[]): Promise<Answer[]> {
		const changed: Answer[] = [];
		for (const alike of groupsOf(steps)) {
			changed.push(...(await this.#run(...updateOf(alike))));
		}
		return changed;
	}

	/** The same without waiting for an answer: all that n8n does after a workflow's time limit. */
	async startUpdate(steps: readonly TableStep[]): Promise<void> {
		const id = this.#id ?? (await this.#find());
		for (const alike of groupsOf(steps)) {
			const [operation, items] = updateOf(alike);
			await startTableNode(this.context, rowOperation(operation, id), items);
		}
	}

	async remove(ids: readonly number[]): Promise<void> {
		for (let first = 0; first < ids.length; first += MOST_CONDITIONS) {
			const values = ids.slice(first, first + MOST_CONDITIONS);
			const conditions = values.map((id): Condition => ['id', 'eq', id]);
			const operation = {
				operation: 'deleteRows',
				matchType: 'anyCondition',
				filters: { conditions: conditions.map(literal) },
			};
			await this.#run(operation, [{ values }]);
		}
	}

	/** @throws BadInput if the table can't be used */
	async #run(operation: IDataObject, items: readonly IDataObject[]): Promise<Answer[]> {
		const search = this.tables.ids.get(this.key);
		let outcome = await settle(this.#runOnce(operation, items));
		if ('failure' in outcome && this.#id === undefined) {
			// The table may have been deleted since an earlier run, or another process was faster to make it. A call
			// that did not succeed either may have begun the next search already.
			if (this.tables.ids.get(this.key) === search) this.tables.ids.delete(this.key);
			outcome = await settle(this.#runOnce(operation, items));
		}
		if ('value' in outcome) return outcome.value;
		throw unusable(this.wanted, new Failed(outcome.failure).message);
	}

	async #runOnce(operation: IDataObject, items: readonly IDataObject[]): Promise<Answer[]> {
		const id = this.#id ?? (await this.#find());
		if (id === NONE) return [];
		const complete = rowOperation(operation, id);
		let outcome = await settle(runTableNode(this.context, complete, items));
		for (let rereads = 0; rereads < MOST_REREADS; rereads++) {
			const isChanged =
				'failure' in outcome && CHANGED_MEANWHILE.test(new Failed(outcome.failure).message);
			if (!isChanged) break;
			outcome = await settle(runTableNode(this.context, complete, items));
		}
		const rows = unwrap(outcome);
		this.#id = id;
		return rows;
	}

	async #find(): Promise<string> {
		const { ids } = this.tables;
		const known = ids.get(this.key);
		if (known !== undefined) {
			const id = await known;
			if (id !== NONE || !this.making.isAllowed) return id;
			// A Dry Run has looked for it, and made none.
			if (ids.get(this.key) === known) ids.delete(this.key);
			return await this.#find();
		}
		const search = this.#findOrMake();
		ids.set(this.key, search);
		const found = await settle(search);
		const isFound = 'value' in found && found.value !== NONE;
		// The next call begins another one: another process may have been faster to make the table.
		if (!isFound && ids.get(this.key) === search) ids.delete(this.key);
		return unwrap(found);
	}

	async #findOrMake(): Promise<string> {
		// n8n's own filter knows no ids and, with SQLite, no capitals but English ones (2.41.1).
		const list = { resource: 'table', operation: 'list', returnAll: true };
		const all = await runTableNode(this.context, list, [{}]);
		const found = all.find((table) => [table.id, table.name].includes(this.wanted));
		if (found !== undefined) return found.id as string;
		if (IS_ID.test(this.wanted) && !IS_WORDS.test(this.wanted)) {
			throw new Failed({ kind: 'unexpected', message: NO_SUCH_ID });
		}
		if (!this.making.isAllowed) return NONE;
		const columns = Object.entries(COLUMNS).map(([column, type]) => ({ name: column, type }));
		const create = {
			resource: 'table',
			operation: 'create',
			// From the item: a name that begins with = would be an expression.
			tableName: '={{ $json.tableName }}',
			columns: { column: columns },
		};
		const [made] = await runTableNode(this.context, create, [{ tableName: this.wanted }]);
		this.making.onMade({ name: this.wanted, project: projectOf(made) });
		return made?.id as string;
	}
}

function projectOf(table: Answer | undefined): string | undefined {
	const { name } = asRecord(table?.project);
	return typeof name === 'string' ? name : undefined;
}

function rowOperation(operation: IDataObject, id: string): IDataObject {
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
