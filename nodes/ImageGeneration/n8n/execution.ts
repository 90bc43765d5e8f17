import type { IContextObject, IExecuteFunctions, IExecutionContext, INode } from 'n8n-workflow';

/**
 * The execution that a run belongs to, as n8n describes it. n8n's Agents and its instance AI run a node by
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
	/** Whether it began with a form, a chat or a Telegram bot, so that a person asks. n8n 1.123.81 does not say it. */
	isOfVisitor: boolean;
	/**
	 * Whether another workflow runs this one, also where n8n does not say which execution does. If that is retried, n8n
	 * begins this one anew.
	 */
	isSubWorkflow: boolean;
	/** Data that n8n stores for the node with the execution, or an object of its own without one. */
	context: IContextObject;
	/** Aborted when the execution is stopped in n8n, by a person or by the workflow's time limit. */
	signal: AbortSignal;
}

/** Reads the execution of a run from n8n. Nothing fails here, wherever n8n runs the node. */
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
		isManual:
			mode === 'manual' || mode === 'evaluation' || (isSubWorkflow && beganAt(origin, TRIED_OUT)),
		isOfVisitor: beganAt(origin, VISITOR),
		isSubWorkflow,
		context: nodeContext(context),
		signal: functions.getExecutionCancelSignal?.() ?? new AbortController().signal,
	};
}

/** Where an execution begins that a person asks for. Telegram tells a bot only of incoming messages. */
const VISITOR = /\.(formTrigger|chatTrigger|telegramTrigger)$/;

/**
 * Where an execution begins whose workflow somebody tries out: at a trigger for that, or at the node that calls another
 * workflow (2.41.1). n8n tells it neither for other triggers nor in 1.123.81.
 */
const TRIED_OUT = /\.(manualTrigger|executeWorkflow)$/;

/** Whether an execution, or the one that runs it as a sub-workflow, began at a node of this type (2.41.1). */
function beganAt(origin: IExecutionContext | undefined, type: RegExp): boolean {
	return type.test(origin?.triggerNode?.type ?? '');
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
