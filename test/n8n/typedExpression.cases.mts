import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Editor } from '../support/wholeN8n/Editor.mjs';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import { manualTrigger, stock } from '../support/wholeN8n/nodes.mjs';
import { workflow } from '../support/wholeN8n/workflow.mjs';

/** What would buy images that nobody meant, or none where somebody expects them. */
export function typedExpressionCases(fixture: Fixture, editor: () => Editor): void {
	/** Opens an empty node behind two items, and types its prompt. @returns the field */
	const typePrompt = async (text: string): Promise<Locator> => {
		const { page, part, openWorkflow, openNode } = editor();
		const jsonOutput = JSON.stringify({ titles: [{ title: 'mug' }, { title: 'lamp' }] });
		// n8n shows this name below its field.
		const options = { fileName: '={{ $parameter.prompt }}' };
		await openWorkflow(
			workflow('Typed', [
				manualTrigger,
				stock('Rows', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
				stock('Split Rows', 'splitOut', 1, { fieldToSplitOut: 'titles' }),
				fixture.node('Image', { operation: 'generate', size: '128x128', prompt: '', options }),
			]),
		);
		await openNode('Image');
		const field = part('parameter-input-prompt');
		await field.locator('textarea').click();
		await page.keyboard.type(text);
		return field;
	};

	/** Clicks Execute step, and waits for a text in the output. */
	const execute = async (text: string): Promise<void> => {
		const { part } = editor();
		await part('node-execute-button').click();
		await part('output-panel').getByText(text).first().waitFor();
	};

	/** Asserts that execution buys an image for each prompt. */
	const assertBuys = async (...prompts: string[]): Promise<void> => {
		await execute('2 images were bought.');
		const bought = fixture.charged().map(({ fields }) => fields['text']);
		assert.deepEqual(bought.sort(), prompts);
		await editor().closeNode();
	};

	it('an expression that is typed into a field buys nothing as plain text, and works once the field is switched to Expression', async () => {
		const { page, part } = editor();
		// The closing braces come first, because n8n switches the field if somebody pauses while "{{ " or "{{$"
		// is its end (2.41.1 and 1.123.81).
		const field = await typePrompt('Product photo of a {{}}');
		for (let count = 0; count < 2; count++) await page.keyboard.press('ArrowLeft');
		await page.keyboard.type('$json.title');
		// n8n takes over what is typed 0.2 s after the last key, and until then executes the node without it.
		// The field does not show it, but the other field does when it is evaluated again (2.41.1 and 1.123.81).
		await part('execute-previous-node').click();
		const taken = part('parameter-expression-preview-fileName');
		await taken.getByText('Product photo of a {{$json.title}}').waitFor();
		await field.locator('textarea').waitFor();
		await execute("'Prompt' contains {{ $json.title }} as plain text");
		assert.equal(fixture.charged().length, 0);

		const parameter = page.locator('.parameter-item').filter({ has: field }).first();
		await field.hover();
		await parameter.locator('[data-test-id="radio-button-expression"]').click();
		await assertBuys('Product photo of a lamp', 'Product photo of a mug');
	});

	it('an expression whose closing braces somebody types after n8n has added them buys nothing, and works without them', async () => {
		const { page, part } = editor();
		// n8n switches the field, adds the closing braces and puts the cursor before them (2.41.1 and 1.123.81).
		const field = await typePrompt('Studio photo of a {{ ');
		await field.locator('.cm-focused').waitFor();
		await page.keyboard.type('$json.title }}');
		// n8n takes over what is typed when it shows the result (2.41.1 and 1.123.81).
		const result = part('inline-expression-editor-output');
		await result.getByText('}}').waitFor();
		await execute("'Prompt' has }} too many after {{ $json.title }}.");
		assert.equal(fixture.charged().length, 0);

		await field.locator('.cm-content').click();
		await page.keyboard.press('Control+End');
		for (let count = 0; count < 3; count++) await page.keyboard.press('Shift+ArrowLeft');
		await page.keyboard.press('Delete');
		await result.getByText('Studio photo of a mug', { exact: true }).waitFor();
		await assertBuys('Studio photo of a lamp', 'Studio photo of a mug');
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
