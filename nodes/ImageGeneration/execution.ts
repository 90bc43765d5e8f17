import type {
	IContextObject,
	IExecuteFunctions,
	IExecutionContext,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

/**
 * What n8n says of the execution that a run belongs to. n8n's Agents and its instance AI run a node by
 * itself, without an execution, a saved workflow or a way to stop it (2.41.1).
 */
export interface Execution {
	/** Empty without an execution. */
	id: string;
	/** The execution that runs this one as a sub-workflow; empty if there is none, or if n8n does not say it. */
	parentId: string;
	workflow: {
		/** Empty if the workflow is not saved. */
		id: string;
		name: string;
	};
	/** Whether somebody tries it out: in the editor, this workflow or one that calls it, or with n8n's Evaluations. */
	isManual: boolean;
	/** Whether this is Retry in the list of executions. */
	isRetry: boolean;
	/**
	 * Whether another workflow runs this one, also where n8n does not say which execution does. If that is retried, n8n
	 * begins this one anew.
	 */
	isSubWorkflow: boolean;
	/** Whether n8n stores an execution of this workflow that fails. */
	savesFailed: boolean;
	/** What n8n stores for the node with the execution, or an object of its own without one. */
	context: IContextObject;
	/** Aborted when the execution is stopped in n8n, by a person or by the workflow's time limit. */
	signal: AbortSignal;
}

/** What n8n has of an execution. */
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

/** The one place that asks n8n about the execution. Nothing fails here, wherever n8n runs the node. */
export function executionOf(context: IExecuteFunctions): Execution {
	// An n8n that is too old lacks some; the run says so later.
	const functions: Partial<IExecuteFunctions> = context;
	// Undefined in n8n's Agents, although the type says otherwise (2.41.1).
	const id = context.getExecutionId() as string | undefined;
	const mode = context.getMode();
	const isSubWorkflow = mode === 'integrated';
	const origin = functions.getExecutionContext?.();
	const { id: workflowId = '', name = '' } = context.getWorkflow();
	return {
		id: id ?? '',
		// An error workflow has the execution that failed here (2.41.1).
		parentId: isSubWorkflow ? (origin?.parentExecutionId ?? '') : '',
		workflow: {
			id: workflowId,
			name,
		},
		isManual: mode === 'manual' || mode === 'evaluation' || (isSubWorkflow && isTriedOut(origin)),
		isRetry: mode === 'retry',
		isSubWorkflow,
		savesFailed: functions.getWorkflowSettings?.().saveDataErrorExecution !== 'none',
		context: nodeContext(context),
		signal: functions.getExecutionCancelSignal?.() ?? new AbortController().signal,
	};
}

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

/**
 * Whether somebody tries out the workflow that runs this one: its execution began at a trigger for that, or at the node
 * that calls this one (2.41.1). n8n tells it neither for other triggers nor in 1.123.81.
 */
function isTriedOut(origin: IExecutionContext | undefined): boolean {
	return /\.(manualTrigger|executeWorkflow)$/.test(origin?.triggerNode?.type ?? '');
}

/** Whether an agent uses the node as its tool, in a workflow or in n8n's Agents (2.41.1, 1.123.81). */
export function isToolNode({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** n8n's Agents have no data in which n8n could keep a context, and `getContext` throws (2.41.1). */
function nodeContext(context: IExecuteFunctions): IContextObject {
	try {
		return context.getContext('node');
	} catch {
		return {};
	}
}

/**
 * The file names that the node's runs in this execution returned, from one run on up to the present one: rounds of a
 * loop, also before a pause, or those that Retry begins with.
 */
export function fileNamesOfRuns(context: IExecuteFunctions, from: number): string[][] {
	// An agent's calls are no runs of the tool's node (2.41.1), and download nothing.
	if (isToolNode(context.getNode())) return [];
	return earlierRuns(context, from).map((items = []) =>
		items.map(({ json }) => json.fileName).filter((name) => typeof name === 'string'),
	);
}

/**
 * Whether the node has returned something before in this execution, as in a loop. Retry of a crashed execution begins with
 * a run of each node that n8n's event log names: without output, or with one made-up item (2.41.1).
 */
export function isLaterRound(context: IExecuteFunctions): boolean {
	return earlierRuns(context, 0).some(
		(items) =>
			items !== undefined &&
			!items.some(({ json }) => json.isArtificialRecoveredEventItem === true),
	);
}

/**
 * What the node's earlier runs in this execution returned at its first output, from one run on; undefined for those that
 * returned nothing.
 */
function earlierRuns(
	context: IExecuteFunctions,
	from: number,
): Array<INodeExecutionData[] | undefined> {
	const proxy = context.getWorkflowDataProxy(0);
	const { name } = context.getNode();
	const count = Math.max(0, Number(proxy.$runIndex) - from);
	return Array.from({ length: count }, (_, index) => {
		try {
			return proxy.$items(name, 0, from + index);
		} catch {
			return undefined;
		}
	});
}
