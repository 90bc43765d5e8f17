import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Editor } from '../support/wholeN8n/Editor.mjs';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';

/**
 * An expression that n8n completes while somebody types it.
 * @param nodeName of a node without a prompt, behind items with the titles mug and lamp in the open workflow
 */
export function closingBracesCase(fixture: Fixture, editor: () => Editor, nodeName: string): void {
	it('an expression whose closing braces somebody types after n8n has added them buys nothing, and works without them', async () => {
		const { page, part, openNode, closeNode } = editor();
		const execute = async (text: string): Promise<void> => {
			await part('node-execute-button').click();
			await part('output-panel').getByText(text).first().waitFor();
		};
		await openNode(nodeName);
		const field = part('parameter-input-prompt');
		await field.locator('textarea').click();
		// n8n switches the field, adds the closing braces and puts the cursor before them (2.41.1 and 1.123.81).
		await page.keyboard.type('Studio photo of a {{ ');
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
		await execute('2 images were bought.');
		const bought = fixture.charged().map(({ fields }) => fields['text']);
		assert.deepEqual(bought.sort(), ['Studio photo of a lamp', 'Studio photo of a mug']);
		await closeNode();
	});
}
