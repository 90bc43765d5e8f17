import { hash, randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../failures/failures';
import type { Job } from '../types';
import { dataTable } from './dataTable';
import { thisProcess, type NodeProcess } from './leases';
import { isVersion2, type CallingContext } from './namedTable';
import { processTable } from './processTable';
import type { PurchaseRow, PurchaseTable, StoredRow } from './purchaseTable';
import { recordPurchases, type Purchases } from './recordPurchases';

/** What an attempt of a run records its purchases with. */
export interface Recording {
	table: PurchaseTable;
	process: NodeProcess;
	signal: AbortSignal;
	run: RecordedRun;
	/** What all rows of the node's execution have in common. */
	place: Pick<PurchaseRow, 'operation' | 'workflow' | 'execution' | 'node'>;
	/** Whether this n8n gives the execution of a dead process to another one. */
	repeats: boolean;
	/** Called if the table does not show what became of an image, or of a whole run. */
	onMissing: (label: string | undefined, failure: Failure) => void;
}

/** A run, and what it knows of its rows. The attempts of Retry On Fail are one run. */
export class RecordedRun {
	/** The entry to renew, of a row that stays until the run ends if there is one; undefined before any row. */
	lasting: string | undefined;
	/** Whether it has written a row that stays since {@link keepAlive} last looked. */
	hasWritten = false;
	/** `sent` rows of requests whose outcome is not known. */
	readonly unsettled = new Map<Job, PurchaseRow>();
	/** The writes that it does not wait for before it ends. */
	readonly writes: Array<Promise<unknown>> = [];
	/** What the table did not take; it is written once more when the attempt ends. */
	readonly unwritten: PurchaseRow[] = [];
	/** What this attempt tells of other runs. */
	readonly told: StoredRow[] = [];
	/** Whether it may have taken over more than it knows, or could not look. */
	isUnsure = false;

	constructor(
		readonly name: string,
		/** How often n8n, or an agent that reads the error, may repeat it if it fails. */
		public attemptsLeft = 0,
	) {}
}

/** The runs that Retry On Fail repeats, by the node's context in the execution. */
const repeated = new WeakMap<object, Map<string, RecordedRun>>();

/**
 * Counts an attempt of a run. Call it before anything can fail.
 * @param name Distinguishes the node's runs in one execution, such as the rounds of a loop.
 */
export function beginAttempt(
	context: Pick<IExecuteFunctions, 'getContext' | 'getExecutionId' | 'getNode'>,
	name: string,
	isTool: boolean,
): RecordedRun {
	const { retryOnFail, maxTries } = context.getNode();
	const runName = `${thisProcess.name}.${randomUUID()}.${context.getExecutionId()}`;
	// An agent's parallel calls share the context.
	if (retryOnFail !== true || isTool) return new RecordedRun(runName, isTool ? Infinity : 0);
	const store = context.getContext('node');
	const runs = repeated.get(store) ?? new Map<string, RecordedRun>();
	// As n8n counts them (2.40.3, 1.123.81).
	const attempts = Math.min(5, Math.max(2, Number(maxTries) || 3));
	const run = runs.get(name) ?? new RecordedRun(runName, attempts);
	repeated.set(store, runs.set(name, run));
	run.attemptsLeft--;
	return run;
}

/** Leaves what earlier attempts bought to the next run, if this one fails before it can end. */
export function abandon({ name, attemptsLeft }: RecordedRun): void {
	if (attemptsLeft <= 0) thisProcess.live.delete(name);
}

/**
 * Opens the memory of what the node bought in all executions: this process's, or a Purchase Log.
 * @param account Identifies the account at the service.
 * @param log The table's name or id; empty if there is none.
 */
export function openPurchases(
	context: CallingContext & Pick<IExecuteFunctions, 'getNode'>,
	account: string,
	log: string,
	attempt: Pick<Recording, 'run' | 'signal' | 'onMissing'>,
): Purchases {
	const { id, name: workflow = '' } = context.getWorkflow();
	const node = context.getNode();
	const { operation } = node.parameters as { operation: string };
	const owner = JSON.stringify([account, id, node.id]);
	return recordPurchases({
		...attempt,
		table: log === '' ? processTable : dataTable(context, log),
		process: thisProcess,
		place: {
			...{ operation, workflow, execution: context.getExecutionId() },
			node: hash('sha256', owner, 'base64url'),
		},
		// n8n 1.123.81 gives the execution of a killed worker to another one.
		repeats: log !== '' && !isVersion2(context),
	});
}
