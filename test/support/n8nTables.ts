import {
	validateFieldType,
	type ExecuteWorkflowData,
	type IDataObject,
	type IExecuteWorkflowInfo,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { COLUMNS } from '../../nodes/ImageGeneration/recall/logRow';

type ColumnType = 'string' | 'number' | 'boolean' | 'date';

/** A row as the database has it: numbers as numbers, dates as texts in ISO 8601, empty cells as null. */
type TableRow = Record<string, unknown> & { id: number };

/** A condition of the Data Table node, with its value evaluated. */
interface TableFilter {
	keyName: string;
	condition: string;
	keyValue: unknown;
}

/** A call of the Data Table node: its parameters, before n8n evaluates them, and its items. */
export interface TableCall {
	operation: string;
	parameters: IDataObject;
	items: readonly IDataObject[];
	executionId: string | undefined;
}

/** What becomes of a call: no answer, before or after the change was made, or what n8n says instead. */
export type Outage = 'before' | 'after' | { says: string };

interface Settings {
	/** Waits so many milliseconds. */
	wait?: (ms: number) => Promise<void>;
	/** Milliseconds that each access to the database takes. */
	latency?: (call: TableCall) => number;
	/** Whether something becomes of a call. */
	outageOf?: (call: TableCall) => Outage | undefined;
	/** Which n8n it is: those before 2.10 can neither list nor make tables. */
	version?: '2.41.1' | '2.9.1' | '1.123.81';
}

/** The execution that calls, as n8n's `additionalData` has it. */
interface Caller {
	executionId?: string;
	/** When its time limit ends what it waits for. */
	readonly executionTimeoutTimestamp?: number;
}

const PAGE = 1000;

const TIMED_OUT = 'The execution was cancelled because it timed out';

async function waitInReality(ms: number): Promise<void> {
	await new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));
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

/**
 * The data tables of an n8n, and its Data Table node in the inline workflows that the node under test runs, as read in
 * n8n 2.41.1. All its processes share them.
 */
export class N8nTables {
	/** What the node was asked to do. */
	readonly calls: TableCall[] = [];

	/** What nobody catches: it would end a real n8n. */
	readonly uncaught: unknown[] = [];

	/** Whether all tables together have reached their limit. */
	isFull = false;

	#tables: N8nTable[] = [];

	#made = 0;

	constructor(private readonly settings: Settings = {}) {}

	/** Names of the operations so far. */
	get operations(): string[] {
		return this.calls.map(({ operation }) => operation);
	}

	/** The latest table of that name, or undefined. */
	find(name: string): N8nTable | undefined {
		return this.#tables.findLast((table) => table.name === name);
	}

	/** The table of that name. */
	table(name: string): N8nTable {
		const found = this.find(name);
		if (found === undefined) throw new Error(`There is no table ${name}`);
		return found;
	}

	/** Somebody makes a table in n8n: like the node's, unless it has other columns. */
	make(name: string, columns: Record<string, ColumnType> = COLUMNS): N8nTable {
		if (this.find(name) !== undefined) {
			throw new Error(`Data table with name '${name}' already exists in this project`);
		}
		const id = `Table${++this.#made}`.padEnd(16, '0');
		const all = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
		const table = new N8nTable(id, name, all);
		this.#tables.push(table);
		return table;
	}

	/** Somebody deletes a table in n8n. If it is made anew, its rows are counted from 1 again. */
	delete(name: string): void {
		this.#tables = this.#tables.filter((table) => table.name !== name);
	}

	/** Runs an inline workflow for n8n's engine, as its `additionalData` does. */
	readonly executeWorkflow = async (
		info: IExecuteWorkflowInfo,
		caller: Caller,
		options: { inputData?: INodeExecutionData[]; doNotWaitToFinish?: boolean },
	): Promise<ExecuteWorkflowData> => {
		const { inputData = [], doNotWaitToFinish: isDetached = false } = options;
		const isTimedOut = () => Date.now() > (caller.executionTimeoutTimestamp ?? Infinity);
		const node = tableNodeOf(info);
		const call: TableCall = {
			operation: node.parameters.operation as string,
			parameters: node.parameters,
			items: inputData.map(({ json }) => json),
			executionId: caller.executionId,
		};
		this.calls.push(call);
		// What n8n ends only after a change was made, is made all the same.
		if (isTimedOut() && !isDetached) throw new Error(TIMED_OUT);
		const running = this.#answer(call, node);
		if (isDetached) {
			const noteUncaught = (error: unknown) => {
				if (node.onError !== 'continueRegularOutput') this.uncaught.push(error);
			};
			running.catch(noteUncaught);
			return { executionId: 'inline', data: [null] };
		}
		const answer = await running;
		if (isTimedOut()) throw new Error(TIMED_OUT);
		// As with Always Output Data.
		const output = answer.length > 0 ? answer : [{}];
		return { executionId: 'inline', data: [output.map((json) => ({ json }))] };
	};

	async #answer(call: TableCall, { onError }: INode): Promise<IDataObject[]> {
		const outage = this.settings.outageOf?.(call);
		await this.#access(call);
		if (outage === 'before') throw new Error('The database did not answer.');
		if (typeof outage === 'object') throw new Error(outage.says);
		const answer = await this.#perform(call, onError === 'continueRegularOutput');
		if (outage === 'after') throw new Error('The database did not answer.');
		return answer;
	}

	async #perform(call: TableCall, continues: boolean): Promise<IDataObject[]> {
		const { operation, items } = call;
		this.#assertKnown(call);
		// n8n inserts all items at once, and takes one after the other in everything else.
		if (operation === 'insert') return await this.#insert(call);
		const answer: IDataObject[] = [];
		for (const item of items) {
			try {
				answer.push(...(await this.#performFor(call, item)));
			} catch (error) {
				if (!continues) throw error;
			}
		}
		return answer;
	}

	/** Those who can't list and make tables don't know this operation of a resource that they don't know. */
	#assertKnown({ parameters: { resource } }: TableCall): void {
		const { version = '2.41.1' } = this.settings;
		if (resource !== 'table' || version === '2.41.1') return;
		throw new Error(
			version === '1.123.81' ? 'Could not get parameter' : 'Could not get parameter "operation"',
		);
	}

	async #insert(call: TableCall): Promise<IDataObject[]> {
		this.#assertSpace();
		const table = this.#tableOf(call);
		const rows = table.prepare(call.items);
		await this.#access(call);
		table.add(rows);
		return table.toAnswer(rows, false) as IDataObject[];
	}

	async #performFor(call: TableCall, item: IDataObject): Promise<IDataObject[]> {
		const { parameters, operation } = call;
		const valueOf = (parameter: unknown) => evaluate(parameter, item);
		if (operation === 'list') {
			await this.#access(call);
			return this.#tables.map(({ id, name }) => ({ id, name }));
		}
		if (operation === 'create') {
			await this.#access(call);
			const { column } = parameters.columns as {
				column: Array<{ name: string; type: ColumnType }>;
			};
			const types = column.map(({ name, type }) => [name, type]);
			const { id, name } = this.make(
				String(valueOf(parameters.tableName)),
				Object.fromEntries(types) as Record<string, ColumnType>,
			);
			return [{ id, name }];
		}
		const { conditions } = parameters.filters as { conditions: TableFilter[] };
		const filters = conditions.map((each) => ({ ...each, keyValue: valueOf(each.keyValue) }));
		if (filters.length === 0 && operation !== 'get') {
			throw new Error('At least one condition is required');
		}
		const isAny = parameters.matchType !== 'allConditions';
		if (operation === 'get') return await this.#read(call, filters, isAny);
		await this.#access(call);
		const table = this.#tableOf(call);
		if (operation === 'update') this.#assertSpace();
		const found = table.find(filters, isAny);
		if (operation === 'deleteRows') {
			table.remove(found);
		} else if (operation === 'update') {
			const { value } = parameters.columns as IDataObject;
			table.change(found, valueOf(value) as object);
		} else {
			throw new Error(`The double has no operation ${operation}`);
		}
		return table.toAnswer(found, false) as IDataObject[];
	}

	/** Reads page by page, and gives up if others change the number of rows meanwhile. */
	async #read(
		call: TableCall,
		filters: readonly TableFilter[],
		isAny: boolean,
	): Promise<IDataObject[]> {
		const { returnAll, limit = 50, orderByDirection, orderByColumn } = call.parameters;
		if (orderByColumn !== 'id') throw new Error('The double sorts by id only');
		const most = returnAll === true ? Infinity : Number(limit);
		const rows: TableRow[] = [];
		let expected: number | undefined;
		while (true) {
			await this.#access(call);
			const table = this.#tableOf(call);
			const found = table.find(filters, isAny);
			const sorted = orderByDirection === 'DESC' ? found.toReversed() : found;
			if (expected !== undefined && found.length !== expected) {
				throw new Error('synchronization error: result count changed during pagination');
			}
			expected = found.length;
			const take = Math.min(PAGE, most - rows.length);
			// As they are now: others may change them before the next page.
			const page = sorted.slice(rows.length, rows.length + take).map((row) => ({ ...row }));
			rows.push(...page);
			const isComplete = rows.length >= Math.min(most, expected);
			if (isComplete) return table.toAnswer(rows, true) as IDataObject[];
		}
	}

	#tableOf({ parameters }: TableCall): N8nTable {
		const { mode, value } = parameters.dataTableId as IDataObject;
		if (mode !== 'id') throw new Error('The double knows tables by their ids only');
		const found = this.#tables.find(({ id }) => id === value);
		if (found !== undefined) return found;
		throw new Error(`Data table with ID '${value as string}' could not be found in this project`);
	}

	/** n8n refuses new rows and changes, also those that make a row smaller. */
	#assertSpace(): void {
		if (this.isFull) throw refusal('Data table size limit exceeded: 200MB used, limit is 200MB');
	}

	async #access(call: TableCall): Promise<void> {
		const { wait = waitInReality, latency = () => 0 } = this.settings;
		await wait(latency(call));
	}
}

/** The Data Table node of an inline workflow that begins with Execute Workflow Trigger. */
function tableNodeOf({ code }: IExecuteWorkflowInfo): INode {
	const [start, node] = code?.nodes ?? [];
	const isKnown =
		start?.type === 'n8n-nodes-base.executeWorkflowTrigger' &&
		node?.type === 'n8n-nodes-base.dataTable' &&
		node.typeVersion === 1.1 &&
		node.alwaysOutputData === true;
	if (!isKnown) throw new Error('The double runs no other workflow');
	return node;
}

/**
 * What n8n makes of a parameter for an item: a text that begins with = is an expression. It does not evaluate what one
 * returns.
 */
function evaluate(parameter: unknown, $json: IDataObject): unknown {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return parameter;
	const [, name = '', index] = /^=\{\{ \$json\.(\w+)(?:\[(\d+)\])? \}\}$/.exec(parameter) ?? [];
	if (name === '') throw new Error(`The double can't evaluate ${parameter}`);
	const value = $json[name];
	return index === undefined ? value : (value as unknown[])[Number(index)];
}

/** A data table in the database of n8n 2.41.1, with the words in which it refuses things. */
class N8nTable {
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

	/** Gives new rows their ids. Others see them only once they are added: PostgreSQL gives an id before the row is visible. */
	prepare(rows: readonly object[]): TableRow[] {
		const own = this.columns.map(({ name }): [string, unknown] => [name, null]);
		return rows.map((cells) => ({
			...Object.fromEntries(own),
			...this.#toDatabase(cells),
			id: ++this.#lastId,
			createdAt: timeNow(),
			updatedAt: timeNow(),
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

	change(rows: readonly TableRow[], set: object): void {
		const cells = this.#toDatabase(set);
		if (Object.keys(cells).length === 0) throw refusal('Data columns must not be empty');
		for (const row of rows) Object.assign(row, cells, { updatedAt: timeNow() });
	}

	remove(rows: readonly TableRow[]): void {
		this.rows = this.rows.filter((row) => !rows.includes(row));
	}

	/** What people see of a row: the cells of its own columns. */
	cellsOf(row: TableRow | undefined): Record<string, unknown> {
		return Object.fromEntries(this.columns.map(({ name }) => [name, row?.[name]]));
	}

	/** Somebody changes cells of a row in n8n. A cell that is cleared is null. */
	edit(id: number, cells: object): void {
		this.change(this.#rowsOf(id), cells);
	}

	/** Adds so many rows like one, each of another purchase. */
	multiply(id: number, count: number): void {
		const cells = this.cellsOf(this.#rowsOf(id)[0]);
		const entries = Array.from({ length: count }, (_, index) => `copy ${index}`);
		this.add(this.prepare(entries.map((entry) => ({ ...cells, entry }))));
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
function refusal(reason: string): Error {
	return new Error(`Validation error with data table request: ${reason}`);
}

/** In ISO 8601. A simulation sets `Date.now` alone. */
function timeNow(): string {
	return new Date(Date.now()).toISOString();
}
