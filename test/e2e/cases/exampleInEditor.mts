import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadedWidth, type Editor } from '../support/Editor.mjs';
import { shipped } from '../support/examples.mjs';
import type { Fixture } from '../support/fixture.mjs';

/** The example workflow, from its output preview to the finished image. */
export function exampleInEditorCases(fixture: Fixture, editor: () => Editor): void {
	describe('the example workflow', () => {
		it('shows the operation and an icon for each theme', async () => {
			const { page, node, openWorkflow } = editor();
			await openWorkflow(shipped(fixture, 'generate-edit-remove-background.json'));
			for (const name of ['Generate Image', 'Edit Photo', 'Remove Background']) {
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
			const shown = part('ndv');
			await shown.getByText('Usually outputs the following fields').waitFor();
			for (const field of ['id', 'output_url']) {
				await shown.getByText(field, { exact: true }).first().waitFor();
			}
			await closeNode();
		});

		it('runs and shows the image', async () => {
			const { marks, part, execute, openNode, closeNode, picture } = editor();
			await execute();
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
