import { randomUUID } from 'crypto';

import type { AskN8n } from '../execution';
import type { Failure } from '../failures/failures';
import type { PurchasingProcess } from './process/process';
import type { OwnRow } from './process/tableWriter';
import type { PurchaseRow, PurchaseTable } from './table/purchaseTable';

/**
 * How an attempt of a run ended.
 * - `delivered`: n8n gets its output, and may not have stored it yet.
 * - `failed`: n8n may keep the execution's data for Retry. Also a Dry Run.
 * - `stopped`: a person or the workflow's time limit stopped it, or it failed in a sub-workflow, which n8n begins
 *   anew with its caller. Also a run whose last attempt could not be prepared.
 * - `continued`: n8n starts another attempt, which goes on with the run's rows.
 */
export type AttemptEnd = 'delivered' | 'failed' | 'stopped' | 'continued';

/** The purchases of a run, which all attempts of Retry On Fail share. */
export class RunRecord {
	/** Its own requests, in case a shared table misses its end, or somebody deletes the table meanwhile. */
	readonly rows = new Set<OwnRow>();

	/** Whether the table may have rows of it. */
	hasRows = false;

	/** What its latest attempt records with; undefined if none could be prepared. */
	recording: Recording | undefined;

	/** Forgets what would be done if Stop came before the next attempt. */
	forgetStop = () => {};

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
	common: Pick<PurchaseRow, 'operation' | 'workflow' | 'execution' | 'parent' | 'node'>;
	n8n: AskN8n;
	/** Called if the table does not show what became of an image, or of a whole run. */
	onMissing: (label: string | undefined, failure: Failure) => void;
}

/** Call before the run writes a row. @throws if other processes could not learn that this one lives */
export async function beginWriting({ table, process, record }: Recording): Promise<void> {
	await process.stateOf(table).lease.ensure(table, record.name);
	record.hasRows = true;
}

/** @param attemptsLeft How often n8n, or an agent that reads the error, may repeat it if it fails. */
export function newRun(process: PurchasingProcess, attemptsLeft = 0): RunRecord {
	return new RunRecord(`${process.name}.${randomUUID()}`, attemptsLeft);
}
