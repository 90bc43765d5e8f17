import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fixture } from '../../support/fixture.mjs';
import { startModel, type Reply, type Turn } from '../../support/startModel.mjs';
import { agentWorkflow } from './agentWorkflow.mjs';

/** A model that draws an image and then edits it. */
function drawThenEdit({ results, tools }: Turn): Reply {
	const [drawn, edited] = results.map((result) => /http[^"\\\s]+\.\w+/.exec(result)?.[0] ?? '');
	if (drawn === undefined) {
		assert.deepEqual([...tools].sort(), ['Draw', 'Edit']);
		return { tool: 'Draw', values: { prompt: 'A red fox in the snow', size: '256x256' } };
	}
	if (edited === undefined) {
		return { tool: 'Edit', values: { image_url: drawn, instruction: 'Make it black and white' } };
	}
	return { text: `Here it is: ${edited}` };
}

/** The example with an AI agent. The agent is n8n's own, the model is scripted. */
export function agentExampleCases(fixture: Fixture): void {
	void describe('AI Agent That Draws and Edits', () => {
		void it('draws, edits the drawing by its link and answers with the last link', async () => {
			const model = await startModel(drawThenEdit);
			try {
				const workflow = await agentWorkflow(fixture, model);
				const chat = workflow.nodes.find(({ name }) => name === 'Chat');
				// Public, like an embedded chat.
				Object.assign(chat?.parameters ?? {}, { public: true, mode: 'webhook' });
				const path = `/webhook/${String(chat?.webhookId)}/chat`;
				await fixture.api.publish(workflow, path);

				const answer = await fetch(`${fixture.n8n.url}${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ action: 'sendMessage', sessionId: '1', chatInput: 'A fox' }),
				});

				const [drawn, edited, ...more] = fixture.charged();
				assert.deepEqual(more, []);
				assert.equal(drawn?.fields['text'], 'A red fox in the snow');
				assert.equal(edited?.fields['image'], drawn.outputUrl);
				const { output } = (await answer.json()) as { output: string };
				assert.equal(output, `Here it is: ${edited.outputUrl}`);
			} finally {
				model.close();
			}
		});
	});
}
