import type { IDataObject, IExecuteFunctions, INode, IWorkflowBase } from 'n8n-workflow';

export type CallingContext = Pick<
	IExecuteFunctions,
	'executeWorkflow' | 'getExecutionId' | 'getWorkflow'
>;

/**
 * Runs n8n's own Data Table node for some items, in a workflow inside this execution that leaves no trace in the list of
 * executions once it has ended. The table's own interface is closed to other nodes (2.41.1).
 * @returns the rows or tables that it returns
 * @throws what n8n says if it doesn't do it
 */
export async function runTableNode(
	context: CallingContext,
	parameters: IDataObject,
	items: readonly IDataObject[],
): Promise<IDataObject[]> {
	const { data } = await call(context, parameters, items, false);
	return (data[0] ?? []).map(({ json }) => json).filter(({ id }) => id !== undefined);
}

/**
 * The same without waiting for an answer, which is all that n8n does after the workflow's time limit (2.41.1).
 * @throws if n8n doesn't even start it
 */
export async function startTableNode(
	context: CallingContext,
	parameters: IDataObject,
	items: readonly IDataObject[],
): Promise<void> {
	await call(context, parameters, items, true);
}

async function call(
	context: CallingContext,
	parameters: IDataObject,
	items: readonly IDataObject[],
	doNotWaitToFinish: boolean,
) {
	const { id: workflowId = '' } = context.getWorkflow();
	return await context.executeWorkflow(
		{ code: workflowOf(parameters, doNotWaitToFinish) },
		items.map((json) => ({ json })),
		undefined,
		{
			doNotWaitToFinish,
			parentExecution: {
				executionId: context.getExecutionId(),
				workflowId,
			},
		},
	);
}

/** @param continues Whether its nodes continue on errors: nobody catches those of a workflow that is not waited for (2.41.1). */
function workflowOf(parameters: IDataObject, continues: boolean): IWorkflowBase {
	const onError = continues ? 'continueRegularOutput' : 'stopWorkflow';
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
