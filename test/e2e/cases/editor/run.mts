import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { loadedWidth } from '../../support/loadedWidth.mjs';
import { shipped } from '../examples/shipped.mjs';

/** The example workflow, from its output preview to the finished image. */
export function runCases(fixture: Fixture, editor: () => Editor): void {
	const names = ['Generate Image', 'Edit Photo', 'Remove Background'];

	describe('the example workflow', () => {
		it('shows the operation and an icon for each theme', async () => {
			const id = await fixture.api.createWorkflow(
				shipped(fixture, 'generate-edit-remove-background.json'),
			);
			const { page, node, openWorkflow } = editor();
			await openWorkflow(`${fixture.n8n.url}/workflow/${id}`);
			for (const name of names) {
				await node(name).getByText(name, { exact: true }).nth(1).waitFor();
			}
			for (const [scheme, file] of [
				['dark', 'imageGeneration.dark.svg'],
				['light', 'imageGeneration.svg'],
			] as const) {
				await page.emulateMedia({ colorScheme: scheme });
				await loadedWidth(node('Edit Photo').locator(`img[src$="/${file}"]`));
			}
		});

		it('previews the node’s output before it runs', async () => {
			const { part, openNode, closeNode } = editor();
			await openNode('Save to Folder');
			const preview = part('ndv').getByText('Usually outputs the following fields');
			await preview.waitFor();
			for (const field of ['id', 'output_url']) {
				await part('ndv').getByText(field, { exact: true }).first().waitFor();
			}
			await closeNode();
		});

		it('runs and shows the image', async () => {
			const { page, marks, part, openNode, closeNode, closeNotes, picture } = editor();
			await part('execute-workflow-button').click();
			await page.getByText('Workflow executed successfully').waitFor();
			await closeNotes();
			await picture('workflow.png');
			assert.equal(fixture.charged().length, 3);

			await openNode('Edit Photo');
			const output = part('output-panel');
			await output.locator('[data-test-id="ndv-view-binary-data"]').click();
			await loadedWidth(output.locator(marks.shownImage));
			await picture('node.png');
			await closeNode();
		});
	});
}
