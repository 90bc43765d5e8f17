import type { IExecuteFunctions, IRunExecutionData, ITaskData } from 'n8n-workflow';

import { asRecord } from '../values/asRecord';

/** The parts of a stored execution that tell how it ended. */
export interface StoredExecution {
	hasError: boolean;
	/** Whether its error is that of a Stop And Error node: that is how a workflow rejects a picture. */
	isRejected: boolean;
	/** Whether it has output of any node. */
	hasOutput: boolean;
	/** Whether nothing is left to run, and nothing runs. */
	isAllRun: boolean;
	/** Whether n8n found it dead as it started, or it is Retry of such an execution. */
	isRecovered: boolean;
	/** Until when it waits, or waited, in milliseconds since 1970; 0 if it never did. */
	waitsUntil: number;
	/** The execution that runs it as a sub-workflow and waits for it; empty if there is none. */
	parent: string;
}

/** Asks n8n for an execution. @returns undefined if n8n has nothing of it: it was not saved, or has been deleted. */
export type AskN8n = (id: string) => Promise<StoredExecution | undefined>;

/** Lets a run ask n8n what it has stored of an execution. */
export function askN8n(context: IExecuteFunctions): AskN8n {
	return async (id) => {
		const stored = await context.getExecutionDataById(id);
		if (stored === undefined) return undefined;
		const { resultData, executionData, waitTill, parentExecution } = stored;
		// A caller that does not wait for its sub-workflow ends by itself (2.41.1).
		const isAwaited = parentExecution !== undefined && parentExecution.shouldResume !== false;
		return {
			hasError: resultData.error !== undefined,
			isRejected: isStopAndError(resultData.error),
			hasOutput: Object.keys(resultData.runData).length > 0,
			isAllRun: executionData?.nodeExecutionStack.length === 0 && !isInSubNode(resultData),
			isRecovered: isRecovered(resultData),
			// Stored as a text (2.41.1).
			waitsUntil: waitTill === undefined ? 0 : new Date(waitTill).getTime(),
			parent: isAwaited ? parentExecution.executionId : '',
		};
	};
}

/**
 * How an execution ended, as far as n8n says:
 * - `did not end well`: with an error.
 * - `found dead`: killed, which n8n noticed as it started; it may be going on as Retry.
 * - `rejected`: at a Stop And Error node.
 * - `ended well`: with nothing left to run.
 * - `goes on`: it runs, or waits.
 * - `unknown`: n8n has stored nothing of it.
 */
export type Fate =
	| 'did not end well'
	| 'found dead'
	| 'rejected'
	| 'ended well'
	| 'goes on'
	| 'unknown';

/**
 * Reads the fate from n8n's data of one execution. The error counts first: n8n leaves an old time of waiting in executions
 * that were stopped or killed (2.41.1).
 * @param now Milliseconds since 1970.
 */
export function fateOf(stored: StoredExecution | undefined, now: number): Fate {
	if (stored === undefined) return 'unknown';
	if (stored.isRejected) return 'rejected';
	if (stored.hasError) return 'did not end well';
	if (stored.isRecovered) return 'found dead';
	if (stored.waitsUntil > now) return 'goes on';
	return stored.hasOutput && stored.isAllRun ? 'ended well' : 'goes on';
}

/** Whether the node of a stored error is Stop And Error (2.41.1). */
function isStopAndError(error: unknown): boolean {
	const { node } = asRecord(error);
	return asRecord(node).type === 'n8n-nodes-base.stopAndError';
}

type ResultData = IRunExecutionData['resultData'];

/**
 * Whether the node that ran last is a sub-node, such as an agent's model. While the agent runs, nothing is left to run in
 * what n8n stores with Save Execution Progress (2.41.1, 1.123.81).
 */
function isInSubNode({ lastNodeExecuted = '', runData }: ResultData): boolean {
	const data = runData[lastNodeExecuted]?.at(-1)?.data;
	return data !== undefined && data.main === undefined;
}

/**
 * Whether n8n has made up all output from its event log, one item for each node. It adds an error only for a node that had
 * never finished, so a loop that was killed in a later round has none (2.41.1, 1.123.81).
 */
function isRecovered({ runData }: ResultData): boolean {
	const tasks = Object.values(runData).flat();
	return tasks.length > 0 && tasks.every(isMadeUp);
}

function isMadeUp({ data }: ITaskData): boolean {
	return data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem === true;
}
