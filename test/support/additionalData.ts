import type { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	ICredentialsHelper,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

let executions = 0;

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
		// There is no handler that would read the workflow.
		hooks: new Hooks('manual', 'execution', {} as IWorkflowBase),
	};
	return data as IWorkflowExecuteAdditionalData;
}
