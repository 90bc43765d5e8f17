/**
 * A row of the purchases: a paid request or, in state `running`, an n8n process. People read the first
 * columns, later runs of the node the others. A cell that does not apply is empty.
 */
export interface PurchaseRow {
	/** When the request went out, in ISO 8601. */
	time: string;
	/** Names the job: `Item 3, "a red fox"`. */
	image: string;
	/** Empty until the image is bought. */
	link: string;
	state: PurchaseState;
	operation: string;
	/** The version of the generator, and the resolution (sections 4.1 and 4.3). */
	quality: string;
	/** Such as `1024x1024`. */
	size: string;
	workflow: string;
	/** The execution that has the image, or asked for it. */
	execution: string;
	/** The execution that runs this one as a sub-workflow. */
	parent: string;
	/** Hash of account, workflow and node. */
	node: string;
	/** Hash of the node and its request, file included; `gone` if there is no image to use any more. */
	request: string;
	/** The run that the row belongs to. Begins with its process. */
	run: string;
	/**
	 * Identifies the purchase: a row and the one that replaces it have the same. Finds a row whose id n8n did not
	 * tell, and tells it from that of a table made anew.
	 */
	entry: string;
	/** The service's job result, as JSON. */
	result: string;
}

/**
 * ```
 * sent ──→ bought ──→ delivered | failed | stopped
 *  ├─────→ unclear | stopped                    stopped ──→ told
 *  └─────→ no row, if it was definitely not charged
 * ```
 * These are the steps of a run, and of a later one that tells of what is left. payments.md has those that its process
 * takes if the execution does not end well, and those of a run that takes rows over by putting its own name into them.
 */
export const STATES = [
	/** The request may be on its way. */
	'sent',
	/** Paid, and its run goes on. */
	'bought',
	/** In the output of its run. n8n may not have stored it yet. */
	'delivered',
	/** Its run failed. n8n may not have stored it. */
	'failed',
	/** Its run or execution was cut off: free for whoever asks for the same, if it has a link. */
	'stopped',
	/** The same, and people have been told of it. */
	'told',
	/** May have been charged, and its run said so. */
	'unclear',
	/** Not a request: an n8n process, which renews this row as long as it has runs. */
	'running',
] as const;

export type PurchaseState = (typeof STATES)[number];

/** A row with the columns that n8n adds to every table. */
export interface StoredRow extends PurchaseRow {
	id: number;
	createdAt: string;
	/** Changes with every update of the row. */
	updatedAt: string;
}

/** Which rows: those that have all these values, of which an empty one stands for an empty cell. */
export interface Which
	extends Partial<Pick<StoredRow, 'id' | 'node' | 'execution' | 'run' | 'entry' | 'state'>> {
	/** The process of their run. */
	process?: string;
	/** States that they are not in. */
	notIn?: readonly PurchaseState[];
}

/** Changes rows. */
export interface TableStep {
	which: Which;
	set: Partial<PurchaseRow>;
}

/** Leaves rows to whoever asks for the same. */
export function stoppedWhere(which: Which): TableStep {
	return { which, set: { state: 'stopped' } };
}

/** Where purchases are recorded. A row is changed at once, or not at all. */
export interface PurchaseTable {
	/** Whether other processes use it, and its calls take time and may not be answered. */
	isShared: boolean;
	/** Identifies it in this process. */
	name: string;
	/** Undefined until it has answered. A table that is deleted and made again has another one. */
	readonly id: string | undefined;
	/** It keeps this many rows, the latest. */
	mostRows: number;
	/** @throws if the row is not written, or may not be */
	insert(row: PurchaseRow): Promise<StoredRow>;
	/** @returns the rows, in the order in which they were inserted */
	read(which: Which): Promise<StoredRow[]>;
	/**
	 * @param perValue How many rows to return for each value at least, if there are so many.
	 * @returns the rows that have any of the values there, the latest first
	 */
	find(
		column: 'id' | 'entry' | 'link' | 'request',
		values: ReadonlyArray<string | number>,
		perValue?: number,
	): Promise<StoredRow[]>;
	/** Takes one step after the other. @returns the rows that matched one of them, changed */
	change(steps: readonly TableStep[]): Promise<StoredRow[]>;
	/** Removes the rows with these ids. */
	remove(ids: readonly number[]): Promise<void>;
}

/** The states in which a run leaves its requests if its process dies. */
const OPEN = ['sent', 'bought'] as const satisfies readonly PurchaseState[];

/** Whether its run may still go on with a request. */
export function isOpen({ state }: PurchaseRow): boolean {
	return OPEN.some((each) => each === state);
}

/** The process of a run: the first part of its name. */
export function processOf(run: string): string {
	return run.split('.', 1)[0] ?? '';
}

/** The table's columns and their types. n8n adds its own `id`, `createdAt` and `updatedAt`. */
export const COLUMNS: Readonly<Record<keyof PurchaseRow, 'date' | 'string'>> = {
	time: 'date',
	image: 'string',
	link: 'string',
	state: 'string',
	operation: 'string',
	quality: 'string',
	size: 'string',
	workflow: 'string',
	execution: 'string',
	parent: 'string',
	node: 'string',
	request: 'string',
	run: 'string',
	entry: 'string',
	result: 'string',
};
