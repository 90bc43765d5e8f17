import assert from 'node:assert/strict';
import { it } from 'node:test';
import { linkIn } from '../../n8n/agents.cases.mjs';
import { loadedWidth, type Editor } from '../../support/wholeN8n/Editor.mjs';
import { shipped } from '../../support/wholeN8n/examples.mjs';
import { assertSuccess, rowsOf } from '../../support/wholeN8n/execution.mjs';
import { photoOf, upload, type Fixture } from '../../support/wholeN8n/fixture.mjs';
import { form } from '../../support/wholeN8n/nodes.mjs';
import { startModel, type Reply, type Turn } from '../../support/wholeN8n/startModel.mjs';

/** Follows the example's system message: draws an image, edits it, and shows it. */
function drawEditAndShow({ results, system }: Turn): Reply {
	const [drawn, edited] = results.map(linkIn);
	if (drawn === undefined) {
		return { tool: 'Draw', values: { prompt: 'A red fox in the snow', size: '256x256' } };
	}
	if (edited === undefined) {
		return { tool: 'Edit', values: { image_url: drawn, instruction: 'Make it black and white' } };
	}
	assert.match(system, /put its markdown into your answer/);
	const [markdown = ''] = /!\[Image\]\([^)]+\)/.exec(results[1] ?? '') ?? [];
	return { text: `${markdown}\n\n[Link](${edited})` };
}

/** What users see of a production run. */
export function untouchedCase(fixture: Fixture, editor: () => Editor): void {
	it('the untouched node behind a form shows the cut-out of its only photo, and what was bought', async () => {
		const node = fixture.node('Cut out', { operation: 'removeBackground' });
		const files = upload(['field-0', 'photo 1.jpg', photoOf('untouched')]);
		const execution = await fixture.run([form('untouched', 'Your photo'), node], files);
		assertSuccess(execution);
		assert.deepEqual(
			rowsOf(execution, 'Cut out').map(({ json }) => json.source),
			[undefined],
		);
		assert.equal(fixture.charged().length, 1);

		const { marks, openInList } = editor();
		const output = await openInList(execution, 'Cut out');
		await output.getByText('1 image was bought.').waitFor();
		const text = await output.innerText();
		assert.doesNotMatch(text, /undefined|\[object/);
		assert.match(text, /photo 1-no-background-\w{6}\.png/);
		await output.locator('[data-test-id="ndv-view-binary-data"]').first().click();
		await loadedWidth(output.locator(marks.shownImage));
	});
}

/** What users see of the example with an AI agent, whose model is scripted. */
export function drawingAgentCase(fixture: Fixture, editor: () => Editor): void {
	it('AI Agent That Draws and Edits draws, edits the drawing by its link and shows the picture above the link, in the chat of the editor', async (context) => {
		const model = await startModel(fixture, drawEditAndShow);
		context.after(model.close);
		const { page, part, openWorkflow } = editor();
		const example = shipped(fixture, 'ai-agent-draws-and-edits.json');
		for (const node of example.nodes) {
			if (node.name === 'Chat Model') node.credentials = model.credentials;
		}
		await openWorkflow(example);
		await part('workflow-chat-button').first().click();
		const input = page.locator('textarea[data-test-id="chat-input"]');
		await input.fill('Draw a red fox in the snow');
		await input.press('Enter');
		const link = page.locator('.chat-message-markdown a').first();
		await link.waitFor();

		const [drawn, edited, ...more] = fixture.charged();
		assert.deepEqual(more, []);
		assert.equal(drawn?.fields['text'], 'A red fox in the snow');
		assert.equal(edited?.fields['image'], drawn.outputUrl);
		assert.deepEqual(model.turns[0]?.tools.sort(), ['Draw', 'Edit']);
		assert.equal(await link.getAttribute('href'), edited.outputUrl);
		assert.equal(await loadedWidth(page.locator(`img[src="${edited.outputUrl}"]`)), 256);
	});
}
