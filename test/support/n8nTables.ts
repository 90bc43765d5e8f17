import type {
	ExecuteWorkflowData,
	IDataObject,
	IExecuteWorkflowInfo,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import type { CallingContext } from '../../nodes/ImageGeneration/recall/inlineWorkflow';
import { COLUMNS } from '../../nodes/ImageGeneration/recall/logRow';
import { N8nTable, refusal, type ColumnType, type TableFilter, type TableRow } from './n8nTable';

/** A call of the Data Table node: its parameters, before n8n evaluates them, and its items. */
export interface TableCall {
	operation: string;
	parameters: IDataObject;
	items: readonly IDataObject[];
	executionId: string | undefined;
}

/** What becomes of a call: no answer, before or after the change was made, or what n8n says instead. */
export type Outage = 'before' | 'after' | { says: string };

/** The time in which an n8n works, in milliseconds. */
interface TableClock {
	/** Since 1970. */
	timeOfDay(): number;
	wait(ms: number): Promise<void>;
}

interface Settings {
	clock?: TableClock;
	/** Milliseconds that each access to the database takes. */
	latency?: (call: TableCall) => number;
	/** Whether something becomes of a call. */
	outageOf?: (call: TableCall) => Outage | undefined;
	/** Which n8n it is: those before 2.10 can neither list nor make tables. */
	version?: '2.41.1' | '2.9.1' | '1.123.81';
}

/** The execution that calls. */
interface Caller {
	execution?: string;
	workflow?: string;
	/** Whether its time limit has passed: then n8n ends what it waits for. */
	isTimedOut?: () => boolean;
}

const PAGE = 1000;

const TIMED_OUT = 'The execution was cancelled because it timed out';

/** The real time. */
const REAL_TIME: TableClock = {
	timeOfDay: () => Date.now(),
	wait: async (ms) => {
		await new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));
	},
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

	/**
	 * Somebody exports a table as CSV, deletes it, and imports it under its name with the types that n8n proposes: after the
	 * first value of each column. Empty texts become null.
	 */
	reimport(name: string): void {
		const { rows, columns } = this.table(name);
		const texts = rows.map((row) =>
			Object.fromEntries(columns.map((column) => [column.name, toCsv(row[column.name])])),
		);
		const types = columns.map((column): [string, ColumnType] => {
			const first = texts.slice(0, 100).find((row) => (row[column.name] ?? '').trim() !== '');
			return [column.name, proposedType(first?.[column.name] ?? '')];
		});
		this.delete(name);
		const table = this.make(name, Object.fromEntries(types));
		const cells = texts.map((row) =>
			Object.fromEntries(Object.entries(row).map(([column, text]) => [column, text || null])),
		);
		table.add(table.prepare(cells, this.#now()));
	}

	/** What the Purchase Log needs of a run in this n8n. */
	contextOf(caller: Caller = {}): CallingContext {
		const { execution = '1', workflow = 'workflow', isTimedOut = () => false } = caller;
		const context: Partial<CallingContext> = {
			getExecutionId: () => execution,
			getWorkflow: () => ({ id: workflow, name: 'A workflow', active: false }),
			executeWorkflow: async (info, input, _manager, options) =>
				await this.#run(info, input ?? [], options?.doNotWaitToFinish === true, {
					execution,
					isTimedOut,
				}),
		};
		return context as CallingContext;
	}

	/** Runs an inline workflow for n8n's engine, as its `additionalData` does. */
	readonly executeWorkflow = async (
		info: IExecuteWorkflowInfo,
		{
			executionId,
			executionTimeoutTimestamp = Infinity,
		}: {
			executionId?: string;
			executionTimeoutTimestamp?: number;
		},
		options: { inputData?: INodeExecutionData[]; doNotWaitToFinish?: boolean },
	): Promise<ExecuteWorkflowData> =>
		await this.#run(info, options.inputData ?? [], options.doNotWaitToFinish === true, {
			execution: executionId,
			isTimedOut: () => Date.now() > executionTimeoutTimestamp,
		});

	async #run(
		info: IExecuteWorkflowInfo,
		input: readonly INodeExecutionData[],
		isDetached: boolean,
		{ execution, isTimedOut }: { execution: string | undefined; isTimedOut: () => boolean },
	): Promise<ExecuteWorkflowData> {
		const node = tableNodeOf(info);
		const call: TableCall = {
			operation: node.parameters.operation as string,
			parameters: node.parameters,
			items: input.map(({ json }) => json),
			executionId: execution,
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
	}

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
		const rows = table.prepare(call.items, this.#now());
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
			table.change(found, valueOf(value) as object, this.#now());
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
		const { clock = REAL_TIME, latency = () => 0 } = this.settings;
		await clock.wait(latency(call));
	}

	#now(): string {
		const { clock = REAL_TIME } = this.settings;
		return new Date(clock.timeOfDay()).toISOString();
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
export function evaluate(parameter: unknown, $json: IDataObject): unknown {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return parameter;
	const [, name = '', index] = /^=\{\{ \$json\.(\w+)(?:\[(\d+)\])? \}\}$/.exec(parameter) ?? [];
	if (name === '') throw new Error(`The double can't evaluate ${parameter}`);
	const value = $json[name];
	return index === undefined ? value : (value as unknown[])[Number(index)];
}

function toCsv(cell: unknown): string {
	return cell === null || cell === undefined ? '' : String(cell as string | number | boolean);
}

/** The type that n8n's import proposes for a column (2.41.1). */
function proposedType(text: string): ColumnType {
	const trimmed = text.trim();
	if (trimmed === '') return 'string';
	if (/^(?:true|false)$/i.test(trimmed)) return 'boolean';
	if (!Number.isNaN(Number(trimmed))) return 'number';
	return /^\d{4}-\d{2}-\d{2}/.test(trimmed) && !Number.isNaN(Date.parse(trimmed))
		? 'date'
		: 'string';
}
