import type { IExecuteFunctions } from 'n8n-workflow';

/** The key of the execution's custom data; n8n 1.123.81 takes letters, digits and underscores only. */
const KEY = 'imagesPaid';

/**
 * Counts one image that was paid for in the execution's custom data, over all nodes and runs of the
 * execution. Done with each purchase: what is set after Stop is lost. n8n keeps it even if the node
 * throws (seen on n8n 2.40.3), and the list of executions can be filtered by it where the plan has
 * that.
 */
export function countImagePaid(context: IExecuteFunctions): void {
	const { customData } = context.getWorkflowDataProxy(0).$execution as Execution;
	const before = Number(customData?.get(KEY) ?? 0);
	customData?.set(KEY, String((Number.isSafeInteger(before) ? before : 0) + 1));
}

/** The part of n8n's `$execution` that matters here; untyped in n8n-workflow 2.40.1. */
interface Execution {
	customData?: {
		get: (key: string) => string | undefined;
		set: (key: string, value: string) => void;
	};
}
