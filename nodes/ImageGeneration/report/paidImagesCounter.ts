import type { IExecuteFunctions } from 'n8n-workflow';

/** Key in the custom data; n8n 1.123.81 allows only letters, digits and underscores. */
const KEY = 'imagesPaid';

/**
 * Returns a function that adds one paid image to the count in the execution's custom data, which all
 * nodes and runs share. Call it after each purchase, because data set after Stop is lost. n8n keeps the
 * count if the node throws (2.40.3). On some plans the list of executions can be filtered by it.
 */
export function paidImagesCounter(context: IExecuteFunctions): () => void {
	return () => {
		const { customData } = context.getWorkflowDataProxy(0).$execution as Execution;
		const before = Number(customData?.get(KEY) ?? 0);
		customData?.set(KEY, String((Number.isSafeInteger(before) ? before : 0) + 1));
	};
}

/** The used part of n8n's `$execution`, which n8n-workflow 2.40.1 does not type. */
interface Execution {
	customData?: {
		get: (key: string) => string | undefined;
		set: (key: string, value: string) => void;
	};
}
