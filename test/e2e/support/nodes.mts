import type { WorkflowNode } from './workflow.mjs';

type Parameters = Record<string, unknown>;

/** The node under test. */
export function imageGeneration(
	name: string,
	parameters: Parameters,
	settings: Partial<WorkflowNode> = {},
): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-image-generation.imageGeneration',
		typeVersion: 1,
		parameters,
		...settings,
	};
}

/** Starts a workflow on a call to `/webhook/<path>` and responds when it has finished. */
export function webhook(path: string, parameters: Parameters = {}): WorkflowNode {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {}, ...parameters },
	};
}

/** A form with one field for files. */
export function form(path: string, label: string, multipleFiles: boolean): WorkflowNode {
	return {
		name: 'On form submission',
		type: 'n8n-nodes-base.formTrigger',
		typeVersion: 2.2,
		webhookId: path,
		parameters: {
			formTitle: 'Photos',
			formFields: {
				values: [{ fieldLabel: label, fieldType: 'file', multipleFiles, requiredField: true }],
			},
			options: { path },
		},
	};
}

/** n8n's own HTTP Request node with the node's credential. */
export function httpRequest(
	url: string,
	credentials: WorkflowNode['credentials'],
	parameters: Parameters,
): WorkflowNode {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		...(credentials && { credentials }),
		parameters: {
			method: 'POST',
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'imageGenerationApi',
			sendBody: true,
			bodyParameters: { parameters: [{ name: 'text', value: 'a fox' }] },
			options: {},
			...parameters,
		},
	};
}

/** Responds to the webhook with a field's file. */
export function respondWithFile(field = 'data'): WorkflowNode {
	return {
		name: 'Respond',
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.4,
		parameters: {
			respondWith: 'binary',
			responseDataSource: 'set',
			inputFieldName: field,
			options: {},
		},
	};
}

/** Makes an item of each entry in a list of the webhook's body. */
export function splitOut(list: string): WorkflowNode {
	return {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: `body.${list}`, options: {} },
	};
}

/** Replaces all fields by the results of expressions. */
export function set(name: string, fields: Record<string, string>): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			assignments: {
				assignments: Object.entries(fields).map(([field, value]) => ({
					id: field,
					name: field,
					type: 'string',
					value,
				})),
			},
			options: {},
		},
	};
}

/** Reads all files that match a pattern, one item each. */
export function readFiles(pattern: string): WorkflowNode {
	return {
		name: 'Read Files',
		type: 'n8n-nodes-base.readWriteFile',
		typeVersion: 1,
		parameters: { operation: 'read', fileSelector: pattern, options: {} },
	};
}

/** Starts a workflow by hand. */
export const manualTrigger: WorkflowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** Makes an item of each prompt, in the field `prompts`. */
export function prompts(texts: readonly string[]): WorkflowNode[] {
	return [
		{
			name: 'Prompts',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				mode: 'raw',
				jsonOutput: JSON.stringify({ prompts: texts }),
				options: {},
			},
		},
		{ ...splitOut('prompts'), name: 'Split Prompts', parameters: { fieldToSplitOut: 'prompts' } },
	];
}
