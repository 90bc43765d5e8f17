import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

export type CallingContext = Pick<
	IExecuteFunctions,
	'executeWorkflow' | 'getExecutionId' | 'getWorkflow'
>;

/**
 * Runs n8n's own Data Table node for some items, in a workflow inside this execution that leaves no trace in the list of
 * executions once it has ended. The table's own interface is closed to other nodes (2.41.1).
 * @param waits Whether it waits for n8n's answer. Without, it also runs after the workflow's time limit (2.41.1).
 * @returns the rows or tables that the node returns
 * @throws what n8n says if it doesn't do it
 */
export async function runTableNode(
	context: CallingContext,
	parameters: IDataObject,
	items: readonly IDataObject[],
	waits = true,
): Promise<IDataObject[]> {
	const { id: workflowId = '' } = context.getWorkflow();
	const { data } = await context.executeWorkflow(
		{ code: workflowOf(parameters, waits) },
		items.map((json) => ({ json })),
		undefined,
		{
			doNotWaitToFinish: !waits,
			parentExecution: {
				executionId: context.getExecutionId(),
				workflowId,
			},
		},
	);
	return (data[0] ?? []).map(({ json }) => json).filter(({ id }) => id !== undefined);
}

/** @param waits Otherwise its nodes continue on errors, because nobody catches them (2.41.1). */
function workflowOf(parameters: IDataObject, waits: boolean): IWorkflowBase {
	const onError = waits ? 'stopWorkflow' : 'continueRegularOutput';
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		position: [0, 0],
		parameters: { inputSource: 'passthrough' },
		onError,
	};
	const table: INode = {
		id: 'table',
		name: 'Table',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		position: [0, 0],
		parameters: { options: {}, ...parameters },
		alwaysOutputData: true,
		onError,
	};
	return {
		name: 'Purchase Log',
		nodes: [start, table],
		connections: {
			Start: { main: [[{ node: 'Table', type: 'main', index: 0 }]] },
		},
		settings: {
			executionOrder: 'v1',
			callerPolicy: 'any',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
		},
	} as unknown as IWorkflowBase;
}
