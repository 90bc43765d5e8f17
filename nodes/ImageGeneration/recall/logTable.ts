/** A row of the Purchase Log. People read the first columns, later runs of the node the others. */
export interface LogRow {
	/** Names the job: `Item 3, "a red fox"`. */
	image: string;
	/** Empty until the image is bought. */
	link: string;
	state: LogState;
	operation: string;
	workflow: string;
	execution: string;
	/** Hash of account, workflow and node. */
	node: string;
	/** Hash of the node and its request, file included. */
	request: string;
	/** The job's keys in its execution. */
	job: string;
	/** The run that the entry belongs to; empty if that run is over. */
	run: string;
	/** The same in all rows of a paid request. */
	entry: string;
	/** The service's job result, as JSON. */
	result: string;
}

/**
 * - `sent`: the request may be on its way. Superseded by any other row of its entry.
 * - `bought`: paid, and not delivered yet.
 * - `reported`: left by a stopped run; a later one told its link, and no run has asked for it yet.
 * - `delivered`: in the output of its run.
 * - `undelivered`: its run failed, so n8n's data of the execution has it for Retry.
 * - `unclear`: may have been charged, and the user has been told.
 */
export type LogState = 'sent' | 'bought' | 'reported' | 'delivered' | 'undelivered' | 'unclear';

/** A row with the columns that n8n adds to every table. */
export interface StoredRow extends LogRow {
	id: number;
	createdAt: string;
	/** Changes with every update of the row. */
	updatedAt: string;
}

/** A column, how to compare it, and with what. */
export type Condition = readonly [keyof StoredRow, 'eq' | 'neq' | 'gt', string | number];

/** Rows that meet all conditions, or any of them. */
export type Filter = { all: readonly Condition[] } | { any: readonly Condition[] };

/** A row as it was read, and what becomes of it. */
export type Change = readonly [StoredRow, Partial<LogRow>];

/** What the Purchase Log needs of a table. A row is changed at once, or not at all. */
export interface LogTable {
	/** Inserts all rows. @throws if they are not written, or may not be */
	insert(rows: readonly LogRow[]): Promise<void>;
	/** @returns rows in the order in which they were inserted */
	read(filter: Filter): Promise<StoredRow[]>;
	update(filter: Filter, change: Partial<LogRow>): Promise<void>;
	/**
	 * Changes rows that still have the run and state they were read with: of two runs that try, one does.
	 * @returns the rows as they are then
	 */
	pass(changes: readonly Change[]): Promise<StoredRow[]>;
	remove(filter: Filter): Promise<void>;
	/** Removes the `sent` rows of a run, then changes its `bought` ones. */
	close(run: string, change: Partial<LogRow>): Promise<void>;
}
