import type {
	IContextObject,
	IDataObject,
	IExecuteFunctions,
	IExecutionContext,
	INode,
	INodeExecutionData,
	ITaskData,
} from 'n8n-workflow';

/**
 * What n8n says of the execution that a run belongs to. n8n's Agents and its instance AI run a node by
 * itself, without an execution, a saved workflow or a way to stop it (2.41.1).
 */
export interface Execution {
	/** Undefined without an execution. */
	id: string | undefined;
	/** The execution that runs this one as a sub-workflow; empty if there is none, or if n8n does not say it. */
	parentId: string;
	workflow: {
		/** Empty if the workflow is not saved. */
		id: string;
		name: string;
	};
	isVersion2: boolean;
	/** Whether somebody tries it out in the editor: this workflow, or one that runs it as a sub-workflow. */
	isManual: boolean;
	/** Whether this is Retry in the list of executions. */
	isRetry: boolean;
	/**
	 * Whether another workflow runs this one, also where n8n does not say which execution does. If that is retried, n8n
	 * begins this one anew.
	 */
	isSubWorkflow: boolean;
	/** What n8n stores for the node with the execution, or an object of its own without one. */
	context: IContextObject;
	/**
	 * Reads the links of images that the node's earlier runs in this execution returned: rounds of a loop, also before a
	 * pause, or those that Retry begins with.
	 */
	earlierLinks: () => ReadonlySet<string>;
	/** Aborted when the execution is stopped in n8n, by a person or by the workflow's time limit. */
	signal: AbortSignal;
}

/** What n8n has of an execution. */
export interface StoredExecution {
	/** Whether it ended with an error. */
	isFailed: boolean;
	/**
	 * Whether n8n has all output up to its end, because nothing is left to run, or a node's error ended it. After Stop or
	 * a kill it may lack some.
	 */
	isComplete: boolean;
	/** Whether n8n was killed, and has made up how its nodes ended. It mostly adds an error, but not always. */
	isRecovered: boolean;
	/** When the last node in its data ended, in milliseconds; -Infinity if no node is there. */
	lastNodeEnd: number;
	/** The web addresses in the data of its nodes. */
	links: ReadonlySet<string>;
	/** The web addresses that a failed node keeps for Retry, and that Retry begins with. */
	keptLinks: ReadonlySet<string>;
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
		id,
		// An error workflow has the execution that failed here (2.41.1).
		parentId: isSubWorkflow ? (origin?.parentExecutionId ?? '') : '',
		workflow: {
			id: workflowId,
			name,
		},
		isVersion2: isVersion2(context),
		isManual: mode === 'manual' || (isSubWorkflow && isTriedOut(origin)),
		isRetry: mode === 'retry',
		isSubWorkflow,
		context: nodeContext(context),
		earlierLinks: () => linksOfEarlierRuns(context),
		signal: functions.getExecutionCancelSignal?.() ?? new AbortController().signal,
	};
}

/** Lets a run ask n8n what it has stored of an execution. payments.md has what n8n says when. */
export function askN8n(context: IExecuteFunctions): AskN8n {
	return async (id) => {
		const stored = await context.getExecutionDataById(id);
		if (stored === undefined) return undefined;
		const { runData, error, lastNodeExecuted = '' } = stored.resultData;
		const { nodeExecutionStack, contextData } = stored.executionData ?? {};
		const last = runData[lastNodeExecuted]?.at(-1);
		const runs = Object.values(runData).flat();
		// Those that n8n makes up after a kill have seconds here, so they ended in 1970 (2.41.1, 1.123.81).
		const ends = runs.map(({ startTime, executionTime }) => startTime + executionTime);
		const isRecovered = runs.some(isMadeUp);
		const isFinished = runs.length > 0 && nodeExecutionStack?.length === 0 && !isRecovered;
		return {
			isFailed: error !== undefined,
			isComplete: error === undefined ? isFinished : last?.error !== undefined && !isMadeUp(last),
			isRecovered,
			lastNodeEnd: ends.reduce((last, end) => Math.max(last, end), -Infinity),
			links: linksIn(runData),
			keptLinks: linksIn(contextData),
		};
	};
}

/**
 * After a kill, n8n makes up an item for each node that had ended, and the status of the one that had not (2.41.1,
 * 1.123.81).
 */
function isMadeUp({ data, executionStatus }: ITaskData): boolean {
	const items = Object.values(data ?? {}).flat(2);
	const isItem = (item: INodeExecutionData | null) =>
		item?.json.isArtificialRecoveredEventItem === true;
	return executionStatus === 'crashed' || items.some(isItem);
}

/**
 * Whether somebody tries out the workflow that runs this one: its execution began at a trigger for that, or at the node
 * that calls this one (2.41.1). n8n tells it neither for other triggers nor in 1.123.81.
 */
function isTriedOut(origin: IExecutionContext | undefined): boolean {
	return /\.(manualTrigger|executeWorkflow)$/.test(origin?.triggerNode?.type ?? '');
}

/** The links of images in what the node's earlier runs returned, at its output and at its error output. */
function linksOfEarlierRuns(context: IExecuteFunctions): Set<string> {
	const node = context.getNode();
	// An agent's calls are no runs of the tool's node, and n8n's Agents keep none (2.41.1).
	if (isToolNode(node)) return new Set();
	const proxy = context.getWorkflowDataProxy(0);
	const outputOf = (run: number, output: number) => {
		try {
			return proxy.$items(node.name, output, run);
		} catch {
			// It returned nothing there.
			return [];
		}
	};
	const runs = Array.from({ length: Number(proxy.$runIndex) }, (_, run) => run);
	const items = runs.flatMap((run) => [...outputOf(run, 0), ...outputOf(run, 1)]);
	const links = items.flatMap(({ json }) => {
		const { output_url, details } = json as { output_url?: unknown; details?: IDataObject };
		return [output_url, details?.output_url];
	});
	return new Set(links.filter((link) => typeof link === 'string'));
}

/** The web addresses anywhere in data. */
function linksIn(data: object | undefined): Set<string> {
	const texts = JSON.stringify(data ?? {}).match(/"https?:(?:[^"\\]|\\.)*"/gi) ?? [];
	return new Set(texts.map((text) => JSON.parse(text) as string));
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

/** n8n 1.123.81 does not have this function. */
export function isVersion2(context: object): boolean {
	return 'executeAgent' in context;
}

/**
 * The file names that the node's runs in this execution returned, from one run on up to the present one: rounds of a
 * loop, also before a pause, or those that Retry begins with.
 */
export function fileNamesOfRuns(context: IExecuteFunctions, from: number): string[][] {
	const node = context.getNode();
	// An agent's calls are no runs of the tool's node (2.41.1), and download nothing.
	if (isToolNode(node)) return [];
	const proxy = context.getWorkflowDataProxy(0);
	const namesOf = (run: number): string[] => {
		try {
			const items = proxy.$items(node.name, 0, run);
			return items.map(({ json }) => json.fileName).filter((name) => typeof name === 'string');
		} catch {
			// It returned nothing at its first output.
			return [];
		}
	};
	const count = Math.max(0, Number(proxy.$runIndex) - from);
	return Array.from({ length: count }, (_, index) => namesOf(from + index));
}
