import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { NodeProcess } from './leases';
import { noRows, type RunRows } from './recordingRun';

/** This n8n process, as later runs see it. */
export const process: NodeProcess = {
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
	const run = `${process.name}.${++process.names}.${context.getExecutionId()}`;
	const first = { run, rows: noRows(), isRepeated: isTool, count: 0 };
	// An agent's parallel calls share the context.
	if (retryOnFail !== true || isTool) return first;
	const store = context.getContext('node');
	const runs = repeated.get(store) ?? new Map<string, typeof first>();
	const attempt = runs.get(name) ?? first;
	repeated.set(store, runs.set(name, attempt));
	// As n8n counts them (2.40.3, 1.123.81).
	attempt.isRepeated = ++attempt.count < Math.min(5, Math.max(2, Number(maxTries) || 3));
	attempt.rows.isLastAttempt = !attempt.isRepeated;
	return attempt;
}

/** Leaves what earlier attempts bought to the next run, if this one fails before it can end. */
export function abandon({ run, isRepeated }: Attempt): void {
	if (!isRepeated) process.live.delete(run);
}

/**
 * Whether n8n takes output for a failure: if its first item has `json.error`, even one copied from the
 * input. n8n 2 ignores null and false there (2.40.3, 1.123.81).
 */
export function countsAsFailure(
	context: Partial<IExecuteFunctions>,
	[first]: readonly INodeExecutionData[],
): boolean {
	const error = first?.json.error;
	const isNothing = error === null || error === false;
	return error !== undefined && !(isNothing && isVersion2(context));
}

/** n8n 1.123.81 does not have this function. */
export function isVersion2(context: Partial<IExecuteFunctions>): boolean {
	return 'executeAgent' in context;
}
