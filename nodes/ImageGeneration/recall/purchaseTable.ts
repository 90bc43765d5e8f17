/**
 * A row of the purchases: a paid request or, in state `running`, an n8n process. People read the first
 * columns, later runs of the node the others.
 */
export interface PurchaseRow {
	/** Names the job: `Item 3, "a red fox"`. */
	image: string;
	/** Empty until the image is bought. */
	link: string;
	state: PurchaseState;
	operation: string;
	workflow: string;
	/** The execution that has the image, or asked for it. */
	execution: string;
	/** The execution that runs this one as a sub-workflow. */
	parent: string;
	/** Hash of account, workflow and node. */
	node: string;
	/** Hash of the node and its request, file included; `gone` if the service no longer has the image. */
	request: string;
	/** The job's keys in its execution. */
	job: string;
	/** The run that the row belongs to. Begins with its process. */
	run: string;
	/** Unique. */
	entry: string;
	/** The service's job result, as JSON. */
	result: string;
	/**
	 * Whether a later run has told people of it: `no`; the name of the run that has claimed it, to tell it at
	 * its end; or {@link toldBy} a run.
	 */
	told: string;
}

/**
 * ```
 * sent ──→ bought ──→ delivered | kept | stopped
 *  ├─────→ unclear | stopped
 *  └─────→ no row, if it was definitely not charged
 * ```
 * Only the run that a row names changes it, until that run has ended or its process is dead. Then a later
 * run may take the row over, by replacing that name, which leads back to `bought`, or to `sent` without a
 * result; or it leaves the row as `stopped`, and tells people of it. payments.md has all of these steps.
 */
export type PurchaseState =
	/** The request may be on its way. */
	| 'sent'
	/** Paid, and not delivered yet. */
	| 'bought'
	/** In the output of its run. */
	| 'delivered'
	/** Not delivered, and n8n's data of the execution has it: Retry finds it there, and this row by its link. */
	| 'kept'
	/**
	 * Free for the next run, which takes it over or tells of it: its run was stopped or is in doubt, its
	 * execution was cut off, or it failed where nobody can retry it.
	 */
	| 'stopped'
	/** May have been charged. Its run said so in its output, or a later one has told it. */
	| 'unclear'
	/** Not a request: an n8n process, which renews this row as long as it has runs. */
	| 'running';

/** States of requests that other runs leave alone, unless they ask for the same or the execution was cut off. */
export const SETTLED = ['delivered', 'kept', 'unclear'] as const;

/** A row with the columns that n8n adds to every table. */
export interface StoredRow extends PurchaseRow {
	id: number;
	createdAt: string;
	/** Changes with every update of the row. */
	updatedAt: string;
}

/** Which rows: those that have all these values. */
export interface Which extends Partial<StoredRow> {
	/** States that they are not in. */
	notIn?: readonly PurchaseState[];
}

/** Changes or removes rows. */
export type TableStep =
	| { which: Which; set: Partial<PurchaseRow> }
	| { which: Which; remove: true };

/** Where purchases are recorded. A row is changed at once, or not at all. */
export interface PurchaseTable {
	/** Whether other processes use it, and its calls take time and may not be answered. */
	isShared: boolean;
	/** Identifies it in this process. */
	name: string;
	/** It keeps this many rows, the latest. */
	mostRows: number;
	/** @throws if the row is not written, or may not be */
	insert(row: PurchaseRow): Promise<void>;
	/** Writes what a request has become: its {@link outcomeColumns}. @returns false if the run has no such row */
	save(row: PurchaseRow, isNews?: boolean): Promise<boolean>;
	/** @returns the rows, in the order in which they were inserted */
	read(which: Which): Promise<StoredRow[]>;
	/** @returns the rows that have any of the values there, in the order in which they were inserted */
	find(column: 'entry' | 'link' | 'request', values: readonly string[]): Promise<StoredRow[]>;
	/** Takes one step after the other, in one call. @returns the rows of the last one */
	change(steps: readonly TableStep[]): Promise<StoredRow[]>;
	/**
	 * Changes each of the rows if it still matches.
	 * @param which {@link ifStillAsRead} or {@link ifNobodyTold}
	 * @returns these, changed
	 */
	changeEach(
		rows: readonly StoredRow[],
		which: (row: StoredRow) => Which,
		change: (row: StoredRow) => Partial<PurchaseRow>,
	): Promise<StoredRow[]>;
	/** Removes the row of this entry. */
	remove(entry: string): Promise<void>;
}

/** Whether its run may still go on with a request. */
export function isOpen({ state }: PurchaseRow): boolean {
	return state === 'sent' || state === 'bought';
}

/** No request is in this state. */
const ALWAYS_TRUE = 'running';

/** Finds a row if no other run has taken it, and its own has not settled it, since it was read. */
export function ifStillAsRead(row: StoredRow): Which {
	const { id, run } = row;
	if (isOpen(row)) return { id, run, notIn: SETTLED };
	// Nothing to check, but a table takes equally many conditions for each row.
	return { id, run, notIn: SETTLED.map(() => ALWAYS_TRUE) };
}

/** Finds a row if, besides, no other run has told of it. */
export function ifNobodyTold(row: StoredRow): Which {
	return { ...ifStillAsRead(row), told: row.told };
}

const TOLD = 'yes, by ';

/** What stands in `told` once people have been told. It names the run, which may have to take it back. */
export function toldBy(run: string): string {
	return `${TOLD}${run}`;
}

export function isTold({ told }: PurchaseRow): boolean {
	return told.startsWith(TOLD);
}

/** The run that is about to tell people of a row; undefined if there is none. */
export function tellerOf(row: PurchaseRow): string | undefined {
	return row.told === 'no' || isTold(row) ? undefined : row.told;
}

/** What the run that made a request changes in its row. */
export function outcomeColumns(row: PurchaseRow, isNews = false): Partial<PurchaseRow> {
	const { state, link, request, result } = row;
	const outcome = { state, link, request, result };
	// Somebody may have told, or be about to, that it may have been charged.
	return isNews ? { ...outcome, told: 'no' } : outcome;
}

/** The process of a run: the first part of its name. */
export function processOf(run: string): string {
	return run.split('.', 1)[0] ?? '';
}

/** The table's columns, all of them text. n8n adds its own `id`, `createdAt` and `updatedAt`. */
export const COLUMNS: ReadonlyArray<keyof PurchaseRow> = [
	'image',
	'link',
	'state',
	'operation',
	'workflow',
	'execution',
	'parent',
	'node',
	'request',
	'job',
	'run',
	'entry',
	'result',
	'told',
];
