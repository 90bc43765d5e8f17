import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../failures/failures';
import type { Job } from '../types';
import type { Clock, NodeProcess } from './leases';
import type { PurchaseRow, PurchaseTable, StoredRow } from './purchaseTable';

/** A run, and the table that it records its purchases in. */
export interface RecordingRun {
	table: PurchaseTable;
	process: NodeProcess;
	clock: Clock;
	signal: AbortSignal;
	/** What all rows of the run have in common. */
	place: Pick<PurchaseRow, 'operation' | 'workflow' | 'execution' | 'node' | 'run'>;
	/** Whether this n8n gives the execution of a dead process to another one. */
	repeats: boolean;
	rows: RunRows;
	/** Called if the table does not show what became of an image, or of a whole run. */
	onMissing: (label: string | undefined, failure: Failure) => void;
}

/** What a run knows of its rows. The attempts of Retry On Fail are one run, so each goes on with it. */
export class RunRows {
	/** The entry to renew, of a row that stays until the run ends if there is one; undefined before any row. */
	lasting: string | undefined;
	/** `sent` rows of requests whose outcome is not known. */
	readonly unsettled = new Map<Job, PurchaseRow>();
	/** The writes that it does not wait for before it ends. */
	readonly writes: Array<Promise<unknown>> = [];
	/** What the table did not take; it is written once more when the attempt ends. */
	readonly unwritten: PurchaseRow[] = [];
	/** What this attempt tells of other runs. */
	readonly told: StoredRow[] = [];
	/** Whether it may have taken over more than it knows. */
	isUnsure = false;
}

/** This n8n process, as later runs see it. */
export const thisProcess: NodeProcess = {
	...{ name: randomUUID().slice(0, 8), names: 0 },
	...{ live: new Map(), sightings: new Map() },
};

/** One of the attempts of a run, which Retry On Fail repeats. */
export interface Attempt {
	/** The run's name, the same for all attempts. */
	run: string;
	rows: RunRows;
	/** Whether n8n, or an agent that reads the error, repeats it if it fails. */
	isRepeated: boolean;
}

/** The runs that Retry On Fail repeats, by the node's context in the execution. */
const repeated = new WeakMap<object, Map<string, Attempt & { count: number }>>();

/**
 * Counts an attempt of a run. Call it before anything can fail.
 * @param name Distinguishes the node's runs in one execution, such as the rounds of a loop.
 */
export function beginAttempt(
	context: Pick<IExecuteFunctions, 'getContext' | 'getExecutionId' | 'getNode'>,
	name: string,
	isTool: boolean,
): Attempt {
	const { retryOnFail, maxTries } = context.getNode();
	const run = `${thisProcess.name}.${++thisProcess.names}.${context.getExecutionId()}`;
	const first = { run, rows: new RunRows(), isRepeated: isTool, count: 0 };
	// An agent's parallel calls share the context.
	if (retryOnFail !== true || isTool) return first;
	const store = context.getContext('node');
	const runs = repeated.get(store) ?? new Map<string, typeof first>();
	const attempt = runs.get(name) ?? first;
	repeated.set(store, runs.set(name, attempt));
	// As n8n counts them (2.40.3, 1.123.81).
	attempt.isRepeated = ++attempt.count < Math.min(5, Math.max(2, Number(maxTries) || 3));
	return attempt;
}

/** Leaves what earlier attempts bought to the next run, if this one fails before it can end. */
export function abandon({ run, isRepeated }: Attempt): void {
	if (!isRepeated) thisProcess.live.delete(run);
}
