import type { IExecuteFunctions } from 'n8n-workflow';

/** The parts of a stored execution that tell how it ended. */
export interface StoredExecution {
	hasError: boolean;
	/** Whether it has output of any node. */
	hasOutput: boolean;
	/** Whether nothing is left to run. */
	isStackEmpty: boolean;
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
			isStackEmpty: executionData?.nodeExecutionStack.length === 0,
			// Stored as a text (2.41.1).
			waitsUntil: waitTill === undefined ? 0 : new Date(waitTill).getTime(),
			parent: isAwaited ? parentExecution.executionId : '',
		};
	};
}
