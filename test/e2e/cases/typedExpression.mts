import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Editor } from '../support/Editor.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { manualTrigger, stock } from '../support/nodes.mjs';
import { workflow } from '../support/workflow.mjs';

/** What would buy images that nobody meant, or none where somebody expects them. */
export function typedExpressionCases(fixture: Fixture, editor: () => Editor): void {
	// The saved text, because n8n 2.41.1 switches the field by itself if it is typed at once.
	it('an expression that stands in a field as plain text buys nothing, and works once the field is switched to Expression', async () => {
		const { part, openWorkflow, openNode, closeNode } = editor();
		const jsonOutput = JSON.stringify({ titles: [{ title: 'mug' }, { title: 'lamp' }] });
		const prompt = 'Product photo of a {{ $json.title }}';
		await openWorkflow(
			workflow('Typed', [
				manualTrigger,
				stock('Rows', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
				stock('Split Rows', 'splitOut', 1, { fieldToSplitOut: 'titles' }),
				fixture.node('Image', { operation: 'generate', size: '128x128', prompt }),
			]),
		);
		await openNode('Image');
		await part('node-execute-button').click();
		const message = "'Prompt' contains {{ $json.title }} as plain text";
		await part('output-panel').getByText(message).first().waitFor();
		assert.equal(fixture.charged().length, 0);

		const field = part('parameter-input-prompt');
		const parameter = editor().page.locator('.parameter-item').filter({ has: field }).first();
		await field.hover();
		await parameter.locator('[data-test-id="radio-button-expression"]').click();
		await part('node-execute-button').click();
		await part('output-panel').getByText('2 images were bought.').waitFor();
		assert.deepEqual(
			new Set(fixture.charged().map(({ fields }) => fields['text'])),
			new Set(['Product photo of a mug', 'Product photo of a lamp']),
		);
		await closeNode();
	});

	it('a node with Dry Run on says so on the canvas', async () => {
		const { node, openWorkflow } = editor();
		const parametersWith = (options: object) => ({ operation: 'generate', prompt: 'a', options });
		await openWorkflow(
			workflow('Dry', [
				manualTrigger,
				fixture.node('Tries out', parametersWith({ dryRun: true })),
				fixture.node('Buys', parametersWith({ dryRun: false })),
				fixture.node('Plain', parametersWith({})),
			]),
		);
		await node('Tries out').getByText('Dry Run: Generate Image', { exact: true }).waitFor();
		for (const name of ['Buys', 'Plain']) {
			await node(name).getByText('Generate Image', { exact: true }).waitFor();
		}
	});
}
