import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { loadedWidth } from '../../support/loadedWidth.mjs';
import { startModel, type Reply, type Turn } from '../../support/startModel.mjs';
import { agentWorkflow } from '../examples/agentWorkflow.mjs';

/** A model that follows the example's system message. */
function drawAndShow({ results: [drawn], system }: Turn): Reply {
	if (drawn === undefined) {
		return { tool: 'Draw', values: { prompt: 'A red fox in the snow', size: '256x256' } };
	}
	const [link = ''] = /http[^"\\\s]+\.\w+/.exec(drawn) ?? [];
	assert.match(system, /!\[what it shows\]\(output_url\)/);
	return { text: `![A red fox in the snow](${link})\n\n[Link](${link})` };
}

/** The example with an AI agent, in the editor's chat. The model is scripted. */
export function chatCases(fixture: Fixture, editor: () => Editor): void {
	describe('AI Agent That Draws and Edits, in the chat of the editor', () => {
		it('shows the picture that the agent drew, above its link', async () => {
			const model = await startModel(drawAndShow);
			try {
				const workflow = await agentWorkflow(fixture, model);
				const workflowId = await fixture.api.createWorkflow(workflow);
				const { page, part, openWorkflow, picture } = editor();
				// By default the page can reach only n8n, but the picture comes from the service.
				await page.route(`${fixture.sandbox.url}/**`, (route) => route.continue());
				await openWorkflow(`${fixture.n8n.url}/workflow/${workflowId}`);
				await part('workflow-chat-button').first().click();
				const input = page.locator('textarea[data-test-id="chat-input"]');
				await input.fill('Draw a red fox in the snow');
				await input.press('Enter');
				const link = page.locator('.chat-message-markdown a').first();
				await link.waitFor();

				const [drawn, ...more] = fixture.charged();
				assert.deepEqual(more, []);
				const image = page.locator(`img[src="${drawn?.outputUrl}"]`);
				assert.equal(await loadedWidth(image), 256);
				await image.scrollIntoViewIfNeeded();
				await picture('chat.png');
				assert.equal(await link.getAttribute('href'), drawn?.outputUrl);
			} finally {
				model.close();
			}
		});
	});
}
