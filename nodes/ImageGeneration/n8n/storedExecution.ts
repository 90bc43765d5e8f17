import type { IExecuteFunctions, IRunExecutionData, ITaskData } from 'n8n-workflow';

/** The parts of a stored execution that tell how it ended. */
export interface StoredExecution {
	hasError: boolean;
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

/** Lets a run ask n8n what it has stored of an execution. payments.md has what n8n says when. */
export function askN8n(context: IExecuteFunctions): AskN8n {
	return async (id) => {
		const stored = await context.getExecutionDataById(id);
		if (stored === undefined) return undefined;
		const { resultData, executionData, waitTill, parentExecution } = stored;
		// A caller that does not wait for its sub-workflow ends by itself (2.41.1).
		const isAwaited = parentExecution !== undefined && parentExecution.shouldResume !== false;
		return {
			hasError: resultData.error !== undefined,
			hasOutput: Object.keys(resultData.runData).length > 0,
			isAllRun: executionData?.nodeExecutionStack.length === 0 && !isInSubNode(resultData),
			isRecovered: isRecovered(resultData),
			// Stored as a text (2.41.1).
			waitsUntil: waitTill === undefined ? 0 : new Date(waitTill).getTime(),
			parent: isAwaited ? parentExecution.executionId : '',
		};
	};
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
