import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { startModel, type Reply, type Turn } from '../../support/startModel.mjs';
import { until } from '../../support/until.mjs';
import { shipped } from '../examples/shipped.mjs';

/** What is read of an image in the browser, whose own types are not known here. */
interface Picture {
	complete: boolean;
	naturalWidth: number;
}

/** What a model does that follows the example's system message. */
function drawAndShow({ results: [drawn], system }: Turn): Reply {
	if (drawn === undefined) {
		return { tool: 'Draw', values: { prompt: 'A red fox in the snow', size: '256x256' } };
	}
	const [link = ''] = /http[^"\\\s]+\.\w+/.exec(drawn) ?? [];
	assert.match(system, /!\[what it shows\]\(output_url\)/);
	return { text: `![A red fox in the snow](${link})\n\n[Link](${link})` };
}

/** The example of an agent, as a person chats with it in the editor. The model is a stand-in. */
export function chatCases(fixture: Fixture, editor: () => Editor): void {
	describe('AI Agent That Draws and Edits, in the chat of the editor', () => {
		it('shows the picture that the agent drew, above its link', async () => {
			const model = await startModel(drawAndShow);
			try {
				const workflow = shipped(fixture, 'ai-agent-draws-and-edits.json');
				const name = 'Chat model';
				const id = await fixture.api.createCredential(name, 'openAiApi', {
					apiKey: 'test',
					url: model.url,
					header: false,
				});
				const node = workflow.nodes.find((each) => each.name === 'Chat Model');
				Object.assign(node ?? {}, { credentials: { openAiApi: { id, name } } });
				const workflowId = await fixture.api.createWorkflow(workflow);
				const { page, part, openWorkflow, picture } = editor();
				// The picture comes from the service, and the editor's page sees n8n alone otherwise.
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
				await until('the picture is loaded', async () =>
					image.evaluate((shown: Picture) => shown.complete && shown.naturalWidth === 256),
				);
				await image.scrollIntoViewIfNeeded();
				await picture('chat.png');
				assert.equal(await link.getAttribute('href'), drawn?.outputUrl);
			} finally {
				model.close();
			}
		});
	});
}
