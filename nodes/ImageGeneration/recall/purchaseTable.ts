/** A row of the purchases. People read the first columns, later runs of the node the others. */
export interface PurchaseRow {
	/** Names the job: `Item 3, "a red fox"`. */
	image: string;
	/** Empty until the image is bought. */
	link: string;
	state: PurchaseState;
	operation: string;
	workflow: string;
	execution: string;
	/** Hash of account, workflow and node. */
	node: string;
	/** Hash of the node and its request, file included; empty if none may be found by it. */
	request: string;
	/** The job's keys in its execution. */
	job: string;
	/** The run that the row belongs to. Begins with its process and ends with its execution. */
	run: string;
	/** The same in all rows of a paid request. */
	entry: string;
	/** The service's job result, as JSON. */
	result: string;
}

export type PurchaseState =
	/** The request may be on its way. Superseded by any other row of its entry. */
	| 'sent'
	/** Paid, and not delivered yet. */
	| 'bought'
	/** Bought, or sent, by a run that was stopped. */
	| 'stopped'
	/** A later run told its link, and no run has asked for it yet. */
	| 'reported'
	/** In the output of its run. */
	| 'delivered'
	/** Its run failed, so n8n's data of the execution has it for Retry. */
	| 'undelivered'
	/** May have been charged, and the user has been told. */
	| 'unclear';

/** A row with the columns that n8n adds to every table. */
export interface StoredRow extends PurchaseRow {
	id: number;
	createdAt: string;
	/** Changes with every update of the row. */
	updatedAt: string;
}

/** States of what n8n has, in an output or in an execution's data. No other run takes it over. */
export const SETTLED: readonly PurchaseState[] = ['delivered', 'undelivered'];

/** Which rows: those that have all these values. */
export interface Which extends Partial<StoredRow> {
	/** States that they are not in. */
	notIn?: readonly PurchaseState[];
}

/** Where purchases are recorded. A row is changed at once, or not at all. */
export interface PurchaseTable {
	/** Whether other processes use it, and writing takes time. */
	isShared: boolean;
	/** It keeps this many rows, the latest. */
	mostRows: number;
	/** @throws if the row is not written, or may not be */
	insert(row: PurchaseRow): Promise<void>;
	/** @returns the rows, in the order in which they were inserted */
	read(which: Which): Promise<StoredRow[]>;
	/** @returns the rows that have any of the values there, in the order in which they were inserted */
	find(column: 'link' | 'request', values: readonly string[]): Promise<StoredRow[]>;
	/** Changes the rows. @returns these rows */
	update(which: Which, change: Partial<PurchaseRow>): Promise<StoredRow[]>;
	/** Changes those of the rows that are still {@link asRead}. @returns these, as they were read */
	pass(
		rows: readonly StoredRow[],
		change: (row: StoredRow) => Partial<PurchaseRow>,
	): Promise<StoredRow[]>;
	/** Removes the row with this id, or the rows of this entry. */
	remove(which: Partial<Pick<StoredRow, 'id' | 'entry'>>): Promise<void>;
	/**
	 * Removes the `sent` rows of a run, then changes the state of its `bought` ones, after all rows that
	 * are being inserted. Does nothing if `isWhole` returns false then.
	 */
	close(run: string, state: PurchaseState, isWhole: () => boolean): Promise<void>;
}

/** Finds a row if it still belongs to the run it was read with, and n8n does not have it. */
export function asRead({ id, run }: StoredRow): Which {
	return { id, run, notIn: SETTLED };
}

/** The table's columns, all of them text. n8n adds its own `id`, `createdAt` and `updatedAt`. */
export const COLUMNS: ReadonlyArray<keyof PurchaseRow> = [
	...(['image', 'link', 'state', 'operation', 'workflow', 'execution'] as const),
	...(['node', 'request', 'job', 'run', 'entry', 'result'] as const),
];
