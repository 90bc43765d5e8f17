import assert from 'node:assert/strict';
import { it } from 'node:test';
import { linkIn } from '../../n8n/agents.cases.mjs';
import { loadedWidth, type Editor } from '../../support/wholeN8n/Editor.mjs';
import { shipped } from '../../support/wholeN8n/examples.mjs';
import { assertSuccess } from '../../support/wholeN8n/execution.mjs';
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
export function productionRunCase(fixture: Fixture, editor: () => Editor): void {
	it('a run of a form shows the cut-out of its photo and what was bought, and as text the name of a skipped file that looks like HTML, which loads nothing', async () => {
		const pixel = '/pixel.png?from=a-hint';
		const target = fixture.sandbox.url.replaceAll('/', '&sol;');
		const name = `<img src=${target}${pixel.replace('/', '&sol;')}><a href=${target}>Your credential expired<a>.pdf`;
		const node = fixture.node('Cut out', { operation: 'removeBackground', inputType: 'all' });
		const files = upload(
			['field-0', 'photo 1.jpg', photoOf('form')],
			['field-0', name, '%PDF-1.7', 'application/pdf'],
		);
		const execution = await fixture.run([form('shown', 'Your files', true), node], files);
		assertSuccess(execution);
		assert.equal(fixture.charged().length, 1);

		const { page, openInList, showImage } = editor();
		const loaded: string[] = [];
		page.on('request', (request) => loaded.push(request.url()));
		const output = await openInList(execution, 'Cut out');
		await output.getByText('1 image was bought.').waitFor();
		await output.getByText(`1 file was skipped: ${name} is not an image.`).waitFor();
		const text = await output.innerText();
		assert.doesNotMatch(text, /undefined|\[object/);
		assert.match(text, /photo 1-no-background-\w{6}\.png/);
		await showImage();

		assert.equal(await output.getByRole('link', { name: 'Your credential expired' }).count(), 0);
		assert.deepEqual(
			loaded.filter((address) => address.includes('pixel.png')),
			[],
		);
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
