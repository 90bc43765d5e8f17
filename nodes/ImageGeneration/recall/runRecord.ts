import { randomUUID } from 'crypto';

import type { Failure } from '../failures/failures';
import type { Job } from '../types';
import type { PurchasingProcess } from './leases';
import type { PurchaseRow, PurchaseTable, StoredRow } from './purchaseTable';

/**
 * How an attempt of a run ended. If it could not even begin, see {@link abandon}.
 * - `delivered`: n8n has its output.
 * - `kept`: it failed, and n8n keeps the execution's data for Retry; or it was a Dry Run.
 * - `not retryable`: it failed in a sub-workflow, and nobody can retry that execution. So what the execution's
 *   earlier runs bought is free for the next execution as well.
 * - `stopped`: a person or the workflow's time limit stopped it. It has no output, and leaves what it claimed
 *   to tell of other runs to a later one.
 * - `continued`: n8n starts another attempt, which goes on with the run's rows.
 */
export type AttemptEnd = 'delivered' | 'kept' | 'not retryable' | 'stopped' | 'continued';

/** The state of a run's purchases once it has ended. */
export type EndState = 'delivered' | 'kept' | 'stopped';

/**
 * What becomes of a run's purchases with its last attempt. A request without a result becomes
 * `stopped` where its purchases do, and `unclear` otherwise.
 */
export const STATE_AT_END = {
	delivered: 'delivered',
	kept: 'kept',
	'not retryable': 'stopped',
	stopped: 'stopped',
} satisfies Record<Exclude<AttemptEnd, 'continued'>, EndState>;

/** The rows of the purchases that belong to a run. The attempts of Retry On Fail are one run. */
export class RunRecord {
	/** Its rows as a shared table should have them, in case the table misses a write; by entry. */
	readonly rows = new Map<string, PurchaseRow>();

	/** The rows of requests whose outcome is not known. */
	readonly pending = new Map<Job, PurchaseRow>();

	/** The writes that it does not wait for before it ends. */
	readonly writes: Array<Promise<unknown>> = [];

	/** What the table did not take; it is written once more when the attempt ends. */
	readonly failedWrites: PurchaseRow[] = [];

	/** The rows of other runs that this attempt is about to tell people of. */
	readonly claimed: StoredRow[] = [];

	/** Whether the table may have rows of it. */
	hasWritten = false;

	/** Entries that the table may still have, of requests that were not sent or definitely not charged. */
	readonly strays = new Set<string>();

	/**
	 * Whether it may have taken over more than it knows, or could not look. Such a run leaves everything to
	 * the next one, because its last state would also reach rows that it does not know of.
	 */
	isInDoubt = false;

	/** Undefined until an attempt has opened it. */
	table: PurchaseTable | undefined;

	constructor(
		/** Begins with the name of its process. */
		readonly name: string,
		/** How often n8n, or an agent that reads the error, may repeat it if it fails. */
		public attemptsLeft = 0,
	) {}
}

/** What an attempt of a run records its purchases with. */
export interface Recording {
	table: PurchaseTable;
	process: PurchasingProcess;
	signal: AbortSignal;
	record: RunRecord;
	/** What all rows of the node's execution have in common. */
	place: Pick<PurchaseRow, 'operation' | 'workflow' | 'execution' | 'parent' | 'node'>;
	/** Whether this n8n gives the execution of a dead process to another one. */
	movesExecutions: boolean;
	/** Called if the table does not show what became of an image, or of a whole run. */
	onMissing: (label: string | undefined, failure: Failure) => void;
}

/** The runs of an execution that Retry On Fail repeats, by the name of each in the execution. */
export class RepeatedRuns {
	readonly #runs = new Map<string, RunRecord>();

	/**
	 * Counts an attempt of a run.
	 * @param name Distinguishes the node's runs in one execution, such as the rounds of a loop.
	 * @param attempts How often n8n starts the run at most.
	 */
	beginAttempt(process: PurchasingProcess, name: string, attempts: number): RunRecord {
		const record = this.#runs.get(name) ?? newRun(process, attempts);
		this.#runs.set(name, record);
		record.attemptsLeft--;
		return record;
	}
}

/** @param attemptsLeft How often n8n, or an agent that reads the error, may repeat it if it fails. */
export function newRun(process: PurchasingProcess, attemptsLeft = 0): RunRecord {
	return new RunRecord(`${process.name}.${randomUUID()}`, attemptsLeft);
}

/**
 * Ends a run whose last attempt could not be prepared. What earlier ones bought becomes `stopped`, which is
 * there for whoever comes first: Retry, or the next run.
 */
export function abandon(process: PurchasingProcess, record: RunRecord): void {
	if (record.attemptsLeft > 0) return;
	const { name, table, rows } = record;
	process.end(name);
	if (table === undefined) return;
	if (table.isShared) {
		// The next run that uses the table writes them.
		const stopped = [...rows.values()].map((row) => ({ ...row, state: 'stopped' as const }));
		process.deferredRows(table).add(stopped);
	} else {
		void table.change([{ which: { run: name }, set: { state: 'stopped' } }]);
	}
}
