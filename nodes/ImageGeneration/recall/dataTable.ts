import type { IDataObject } from 'n8n-workflow';

import { asRecord } from '../failures/asRecord';
import { BadInput, Failed, settle, unwrap } from '../failures/failures';
import { endSentence } from '../failures/text';
import { COLUMNS, type Cells, type Column } from './cells';
import { runTableNode, startTableNode, type CallingContext } from './inlineWorkflow';

/** A column, how to compare it, and with what. An empty text stands for an empty cell. */
export type Condition = readonly [
	column: Column | 'id',
	how: 'eq' | 'neq' | 'gte',
	value: string | number,
];

/** Changes the rows that meet all conditions. */
export interface TableStep {
	which: readonly Condition[];
	set: Cells;
}

/** A row or a table as n8n returns it. */
export type Answer = Record<string, unknown>;

/** Conditions in one call; SQLite allows 1,000, but each makes it slower. */
export const MOST_CONDITIONS = 100;

/** n8n refuses to return rows if their number changes while it reads them (2.41.1). */
const CHANGED_MEANWHILE = /changed during pagination/;
const MOST_REREADS = 10;

/** n8n limits all data tables together, and then also refuses to update a row (2.41.1). */
const IS_FULL = /size limit exceeded/i;

/** What n8n says if its Data Table node can't list and make tables, as before 2.10 (1.123.81, 2.0.0). */
const IS_TOO_OLD = /could not get parameter|the value "(?:table|list|create)" is not supported/i;

/** What looks like a table's id. */
const IS_ID = /^[A-Za-z0-9]{16}$/;

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

/** A data table of n8n, known by its name or id. It is looked for, or made, with the first call. */
export class DataTable {
	/** Identifies it in this process: another workflow may have another table of that name. */
	readonly key: string;

	/** From the first answer on: a table that is made anew meanwhile has other rows under the same ids. */
	#id: string | undefined;

	/** @param onMade Called if this run makes the table. */
	constructor(
		private readonly context: CallingContext,
		private readonly tables: Tables,
		private readonly wanted: string,
		private readonly onMade: (table: MadeTable) => void = () => {},
	) {
		this.key = JSON.stringify([context.getWorkflow().id ?? '', wanted]);
	}

	/** What n8n calls it; empty until it has answered. */
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
			// It may have been deleted since an earlier run, or another process was faster to make it. A call
			// that did not succeed either may have begun the next search already.
			if (this.tables.ids.get(this.key) === search) this.tables.ids.delete(this.key);
			outcome = await settle(this.#runOnce(operation, items));
		}
		if ('value' in outcome) return outcome.value;
		throw unusable(this.wanted, new Failed(outcome.failure).message);
	}

	async #runOnce(operation: IDataObject, items: readonly IDataObject[]): Promise<Answer[]> {
		const id = this.#id ?? (await this.#find());
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
		if (known !== undefined) return await known;
		const search = this.#findOrMake();
		ids.set(this.key, search);
		const found = await settle(search);
		// The next call begins another one: another process may have been faster to make the table.
		if ('failure' in found && ids.get(this.key) === search) ids.delete(this.key);
		return unwrap(found);
	}

	async #findOrMake(): Promise<string> {
		// n8n's own filter knows no ids and, with SQLite, no capitals but English ones (2.41.1).
		const list = { resource: 'table', operation: 'list', returnAll: true };
		const all = await runTableNode(this.context, list, [{}]);
		const found = all.find((table) => [table.id, table.name].includes(this.wanted));
		if (found !== undefined) return found.id as string;
		if (IS_ID.test(this.wanted)) throw new Failed({ kind: 'unexpected', message: NO_SUCH_ID });
		const columns = Object.entries(COLUMNS).map(([column, type]) => ({ name: column, type }));
		const create = {
			resource: 'table',
			operation: 'create',
			// From the item: a name that begins with = would be an expression.
			tableName: '={{ $json.tableName }}',
			columns: { column: columns },
		};
		const [made] = await runTableNode(this.context, create, [{ tableName: this.wanted }]);
		this.onMade({ name: this.wanted, project: projectOf(made) });
		return made?.id as string;
	}
}

function projectOf(table: Answer | undefined): string | undefined {
	const { name } = asRecord(table?.project);
	return typeof name === 'string' ? name : undefined;
}

const NO_SUCH_ID =
	'it looks like the id of a table, with 16 letters and digits, and this project has no table of that id';

function unusable(wanted: string, reason: string): BadInput {
	if (IS_TOO_OLD.test(reason)) {
		return new BadInput(
			"'Purchase Log' needs n8n 2.10 or newer.",
			"Nothing was sent. Update n8n, or remove the option 'Purchase Log'.",
		);
	}
	if (IS_FULL.test(reason)) {
		return new BadInput(
			`n8n's data tables are full, so the purchase log "${wanted}" takes no more rows: ${endSentence(reason)}`,
			'This request was not sent. Under Data tables, delete tables and rows that you no longer need. In a purchase log, old rows in the state delivered can go. Or ask your n8n administrator to raise N8N_DATA_TABLES_MAX_SIZE_BYTES.',
		);
	}
	const message = `The purchase log "${wanted}" can't be used: ${endSentence(reason)}`;
	if (reason === NO_SUCH_ID) {
		return new BadInput(
			message,
			"This request was not sent. Enter a name in 'Purchase Log', and the node creates the table if there is none of that name, or enter the id of a table in this project. Tables of other projects can't be used.",
		);
	}
	// A new table knows nothing of what was bought, so a database that is away is no reason for one.
	return /column/i.test(reason)
		? new BadInput(
				message,
				`This request was not sent. Enter another name in 'Purchase Log', and the node creates the table. Or add what this one lacks of these columns: ${Object.keys(COLUMNS).join(', ')}.`,
			)
		: new BadInput(
				message,
				'This request was not sent. Try again once n8n can use its data tables.',
			);
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

/**
 * A condition on a value itself, which takes n8n much less time than an expression. n8n evaluates a parameter that begins
 * with `=`, but not what an expression returns (2.41.1), so no cell is ever code.
 */
function literal(condition: Condition, index: number) {
	const [, , value] = condition;
	const isCode = typeof value === 'string' && value.startsWith('=');
	return isCode ? fromItem(condition, index) : comparison(condition, value);
}

/** A condition on the item's value of that number. */
function fromItem(condition: Condition, index: number) {
	return comparison(condition, `={{ $json.values[${index}] }}`);
}

function comparison([keyName, how, value]: Condition, keyValue: string | number) {
	const condition = value === '' ? 'isEmpty' : how;
	return { keyName, condition, keyValue };
}

/** The operation for steps that compare and set the same columns, and an item for each of them. */
function updateOf(alike: [TableStep, ...TableStep[]]): [IDataObject, IDataObject[]] {
	const operation = {
		operation: 'update',
		matchType: 'allConditions',
		filters: { conditions: alike[0].which.map(fromItem) },
		columns: { mappingMode: 'defineBelow', value: '={{ $json.cells }}' },
	};
	const items = alike.map(({ which, set }) => ({
		values: which.map(([, , value]) => value),
		cells: set,
	}));
	return [operation, items];
}

/** Steps in a row that compare and set the same columns go in one call. */
function groupsOf(steps: readonly TableStep[]): Array<[TableStep, ...TableStep[]]> {
	const runs: Array<[TableStep, ...TableStep[]]> = [];
	let last = '';
	for (const step of steps) {
		const shape = shapeOf(step);
		if (shape === last) runs.at(-1)?.push(step);
		else runs.push([step]);
		last = shape;
	}
	return runs;
}

function shapeOf({ which, set }: TableStep): string {
	const compared = which.map(([column, how, value]) => `${column} ${value === '' ? 'empty' : how}`);
	return [...compared, '→', ...Object.keys(set)].join(' ');
}
