import type { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	ExecutionError,
	ICredentialsHelper,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

let executions = 0;

/** What n8n has stored of executions, by id. */
const stored = new Map<string, Pick<IRunExecutionData, 'resultData'>>();

/**
 * Stores an execution as n8n 2.41.1 does: nothing of it as long as it runs or if it is stopped, and the
 * whole of it when it ends.
 */
export async function storeExecution(
	{ executionId = '' }: IWorkflowExecuteAdditionalData,
	running: Promise<IRun>,
	caller?: string,
): Promise<void> {
	const parentExecution = caller && { executionId: caller, workflowId: 'calling' };
	const begun = { resultData: { runData: {} }, ...(parentExecution && { parentExecution }) };
	stored.set(executionId, begun);
	const { status, data } = await running;
	if (status === 'canceled') {
		const error = { message: 'The execution was cancelled manually' } as ExecutionError;
		stored.set(executionId, { resultData: { runData: {}, error } });
	} else stored.set(executionId, withoutItems(data));
}

/** What the node reads of an execution. Its items may be large. */
function withoutItems({ resultData, executionData, waitTill, parentExecution }: IRunExecutionData) {
	const { error, runData } = resultData;
	const stack = executionData?.nodeExecutionStack ?? [];
	const small = {
		waitTill,
		parentExecution,
		resultData: {
			error,
			runData: Object.fromEntries(Object.keys(runData).map((name) => [name, []])),
		},
		executionData: {
			nodeExecutionStack: stack.map(() => ({})),
		},
	};
	return small as unknown as IRunExecutionData;
}

/**
 * What n8n's engine needs besides the workflow (n8n-core 2.41.1).
 * @param Hooks from the n8n-core that runs the workflow
 */
export function additionalData(
	Hooks: typeof ExecutionLifecycleHooks,
	credentialsHelper: ICredentialsHelper,
): IWorkflowExecuteAdditionalData {
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		executionId: String(++executions),
		currentNodeExecutionIndex: 0,
		webhookWaitingBaseUrl: 'http://127.0.0.1/waiting',
		formWaitingBaseUrl: 'http://127.0.0.1/forms',
		setExecutionStatus: () => {},
		credentialsHelper,
		getRunExecutionData: async (id) => stored.get(id) as IRunExecutionData | undefined,
		// There is no handler that would read the workflow.
		hooks: new Hooks('manual', 'execution', {} as IWorkflowBase),
	};
	return data as IWorkflowExecuteAdditionalData;
}
