import type { IContextObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { settle } from './failures/failures';

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
	isManual: boolean;
	/**
	 * Whether another workflow runs this one, also where n8n does not say which execution does. Nobody can
	 * retry such an execution by itself.
	 */
	isSubWorkflow: boolean;
	/** What n8n stores for the node with the execution, or an object of its own without one. */
	context: IContextObject;
	/** Aborted when the execution is stopped in n8n, by a person or by the workflow's time limit. */
	signal: AbortSignal;
}

/** The one place that asks n8n about the execution. Nothing fails here, wherever n8n runs the node. */
export function executionOf(context: IExecuteFunctions): Execution {
	// An n8n that is too old lacks some; the run says so later.
	const functions: Partial<IExecuteFunctions> = context;
	// Undefined in n8n's Agents, although the type says otherwise (2.41.1).
	const id = context.getExecutionId() as string | undefined;
	const mode = context.getMode();
	const origin = functions.getExecutionContext?.();
	const { id: workflowId = '', name = '' } = context.getWorkflow();
	return {
		id,
		parentId: origin?.parentExecutionId ?? '',
		workflow: {
			id: workflowId,
			name,
		},
		isManual: mode === 'manual',
		isSubWorkflow: mode === 'integrated',
		context: nodeContext(context),
		signal: functions.getExecutionCancelSignal?.() ?? new AbortController().signal,
	};
}

/**
 * Whether this is a Retry that begins anew, because n8n had stored nothing of the execution but its input.
 * What n8n stores of a Retry as it begins tells where: only a trigger has no source (2.41.1, 1.123.81).
 */
export async function startsOver(context: IExecuteFunctions, id: string): Promise<boolean> {
	if (context.getMode() !== 'retry') return false;
	const stored = await settle(context.getExecutionDataById(id));
	if ('failure' in stored) return false;
	const [first] = stored.value?.executionData?.nodeExecutionStack ?? [];
	return first?.source === null;
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
