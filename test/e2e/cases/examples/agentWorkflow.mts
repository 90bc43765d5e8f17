import type { Fixture } from '../../support/fixture.mjs';
import type { Model } from '../../support/startModel.mjs';
import type { WorkflowBody } from '../../support/workflow.mjs';
import { shipped } from './shipped.mjs';

/** The example with an AI agent, with a scripted model in place of OpenAI's. */
export async function agentWorkflow(fixture: Fixture, { url }: Model): Promise<WorkflowBody> {
	const workflow = shipped(fixture, 'ai-agent-draws-and-edits.json');
	const name = 'Chat model';
	const data = { apiKey: 'test', url, header: false };
	const id = await fixture.api.createCredential(name, 'openAiApi', data);
	for (const node of workflow.nodes) {
		if (node.name === 'Chat Model') node.credentials = { openAiApi: { id, name } };
	}
	return workflow;
}
