import type { Sandbox } from '../../../sandbox/index.js';
import type { N8nApi } from './N8nApi.mjs';
import type { WorkflowNode } from './workflow.mjs';

/** A credential for the sandbox, as a node's `credentials` name it. */
export async function createCredential(
	api: N8nApi,
	sandbox: Sandbox,
): Promise<NonNullable<WorkflowNode['credentials']>> {
	const name = 'Sandbox';
	const data = { baseUrl: sandbox.url, apiKey: 'test-key' };
	const id = await api.createCredential(name, 'imageGenerationApi', data);
	return { imageGenerationApi: { id, name } };
}
