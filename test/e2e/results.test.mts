import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { loadedWidth, useEditor, type Editor } from './support/Editor.mjs';
import { agentExample } from './support/examples.mjs';
import { assertSuccess, rowsOf } from './support/execution.mjs';
import { photo, threePhotos, upload, useFixture, type Fixture } from './support/fixture.mjs';
import { form, webhook } from './support/nodes.mjs';
import { startModel, type Reply, type Turn } from './support/startModel.mjs';
import { formFile, submitForm } from './support/submitForm.mjs';

for (const hostName of ['n8n-2', 'n8n-1'] as const) {
	describe(`Results in the editor of n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `results-${hostName}` });
		const editor = useEditor(fixture, hostName);
		untouchedCases(fixture, editor);
		chatCase(fixture, editor);
	});
}

/** What users see of a node that they have just put behind a trigger. */
function untouchedCases(fixture: Fixture, editor: () => Editor): void {
	const photos = async (count: number) =>
		(await threePhotos())
			.slice(0, count)
			.map((bytes, index) => formFile(`photo ${index + 1}.jpg`, bytes));

	for (const [what, trigger, parameters, send, sources, sum, names] of [
		[
			'the cut-out of a form’s only photo',
			form('untouched', 'Your photo'),
			{},
			async (path: string) => {
				await submitForm(fixture, path, await photos(1));
			},
			[undefined],
			'1 image was bought.',
			['photo 1-no-background.png'],
		],
		[
			'the cut-outs of a form’s three photos when set to All Images of the Item',
			form('untouched-three', 'Your photos', true),
			{ inputType: 'all' },
			async (path: string) => {
				await submitForm(fixture, path, await photos(3));
			},
			['Your_photos_0', 'Your_photos_1', 'Your_photos_2'],
			'3 images were bought.',
			[1, 2, 3].map((number) => `photo ${number}-no-background.png`),
		],
		[
			'the cut-out of a webhook’s only photo, whatever its part is called',
			webhook('untouched-webhook'),
			{},
			async (path: string) => {
				await fixture.call(path, upload(['Bild', 'Foto.jpg', photo]));
			},
			[undefined],
			'1 image was bought.',
			['Foto-no-background.png'],
		],
	] as const) {
		it(`The untouched node behind a trigger shows ${what}, and what was bought`, async () => {
			const node = fixture.node('Cut out', { operation: 'removeBackground', ...parameters });
			const id = await fixture.publish([trigger, node]);
			await send(trigger.webhookId ?? '');
			const execution = await fixture.api.lastExecution(id);
			assertSuccess(execution);
			assert.deepEqual(
				rowsOf(execution, 'Cut out').map(({ json }) => json.source),
				sources,
			);
			assert.equal(fixture.charged().length, sources.length);

			const { marks, openInList } = editor();
			const output = await openInList(id, execution.id, 'Cut out');
			await output.getByText(sum).waitFor();
			const text = await output.innerText();
			assert.doesNotMatch(text, /undefined|\[object/);
			for (const name of names) assert.ok(text.includes(name), text);
			await output.locator('[data-test-id="ndv-view-binary-data"]').first().click();
			await loadedWidth(output.locator(marks.shownImage));
		});
	}
}

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
function chatCase(fixture: Fixture, editor: () => Editor): void {
	it('AI Agent That Draws and Edits shows the picture that it drew, above its link, in the chat of the editor', async (context) => {
		const model = await startModel(drawAndShow);
		context.after(model.close);
		const { page, part, openWorkflow } = editor();
		// By default the page can reach only n8n, but the picture comes from the service.
		await page.route(`${fixture.sandbox.url}/**`, (route) => route.continue());
		await openWorkflow(await agentExample(fixture, model));
		await part('workflow-chat-button').first().click();
		const input = page.locator('textarea[data-test-id="chat-input"]');
		await input.fill('Draw a red fox in the snow');
		await input.press('Enter');
		const link = page.locator('.chat-message-markdown a').first();
		await link.waitFor();

		const [drawn, ...more] = fixture.charged();
		assert.deepEqual(more, []);
		assert.equal(await loadedWidth(page.locator(`img[src="${drawn?.outputUrl}"]`)), 256);
		assert.equal(await link.getAttribute('href'), drawn?.outputUrl);
	});
}
