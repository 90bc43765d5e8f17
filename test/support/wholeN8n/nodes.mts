import { chain, type Wire, type WorkflowNode } from './workflow.mjs';

type Parameters = Record<string, unknown>;

/** The node under test. */
export function imageGeneration(
	name: string,
	parameters: Parameters,
	settings: Partial<WorkflowNode> = {},
): WorkflowNode {
	const type = 'n8n-nodes-image-generation.imageGeneration';
	return { name, type, typeVersion: 1, parameters, ...settings };
}

/** One of n8n's own nodes. */
export function stock(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters = {},
): WorkflowNode {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

/**
 * Starts a workflow on a call to `/webhook/<path>`. By default it responds, without data, when the
 * workflow has finished.
 */
export function webhook(
	path: string,
	responseMode: 'lastNode' | 'onReceived' | 'responseNode' = 'lastNode',
): WorkflowNode {
	const responseData = responseMode === 'lastNode' ? { responseData: 'noData' } : {};
	const parameters = { httpMethod: 'POST', path, responseMode, ...responseData, options: {} };
	return { ...stock('Webhook', 'webhook', 2.1, parameters), webhookId: path };
}

/** A form at `/form/<path>` with one field for files. */
export function form(path: string, label: string, multipleFiles = false): WorkflowNode {
	const field = { fieldLabel: label, fieldType: 'file', multipleFiles, requiredField: true };
	const parameters = {
		formTitle: 'Photos',
		formFields: { values: [field] },
		options: { path },
	};
	return { ...stock('On form submission', 'formTrigger', 2.2, parameters), webhookId: path };
}

/** Makes an item of each of the `prompts` in the webhook's body. */
export const splitOut = stock('Split Out', 'splitOut', 1, {
	fieldToSplitOut: 'body.prompts',
	options: {},
});

/** The prompt of an item of `splitOut`. */
export const itsPrompt = "={{ $json['body.prompts'] }}";

/** Starts a workflow by hand. */
export const manualTrigger = stock('Start', 'manualTrigger', 1);

/** Tells where to call an execution that waits. */
export const resumeUrl = stock('Resume URL', 'set', 3.4, {
	mode: 'raw',
	jsonOutput: '={{ { url: $execution.resumeUrl } }}',
	options: {},
});

/** Waits until somebody calls it. */
export const untilCalled = stock('Wait', 'wait', 1.1, { resume: 'webhook', httpMethod: 'POST' });

/** Loop Over Items, which {@link loopThrough} connects. */
export const loopOverItems = (batchSize = 1): WorkflowNode =>
	stock('Loop Over Items', 'splitInBatches', 3, { batchSize, options: {} });

/** Connects a webhook and `splitOut` with a loop that runs these nodes. */
export function loopThrough(...names: [first: string, ...others: string[]]): Wire[] {
	return [
		...chain('Webhook', 'Split Out', 'Loop Over Items'),
		{ from: 'Loop Over Items', output: 1, to: names[0] },
		...chain(...names, 'Loop Over Items'),
	];
}

/** Starts a sub-workflow with what its caller has. */
export const whenCalled = stock('When called', 'executeWorkflowTrigger', 1.1, {
	inputSource: 'passthrough',
});

/** Calls a sub-workflow by its id. */
export const callOf = (id: string): WorkflowNode =>
	stock('Call', 'executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: id },
		workflowInputs: { mappingMode: 'defineBelow', value: {} },
		options: {},
	});

/** HTTP Request, which calls the service once by itself. */
export const laterRequest = (service: string, text: string): WorkflowNode => ({
	...stock('Later', 'httpRequest', 4.2, {
		method: 'POST',
		url: `${service}/api/text2img`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'api-key', value: 'test-key' }] },
		sendBody: true,
		bodyParameters: { parameters: [{ name: 'text', value: text }] },
		options: {},
	}),
	executeOnce: true,
});
