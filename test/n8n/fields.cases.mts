import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Editor } from '../support/wholeN8n/Editor.mjs';
import { until } from '../support/wholeN8n/until.mjs';

/** Choices in fields, and the fields below Operation and above Image as File after them. */
const steps = [
	[{ operation: 'Generate Image', version: 'Genius' }, ['Prompt', 'Quality', 'Style', 'Size']],
	[{ version: 'Super Genius' }, ['Prompt', 'Quality', 'Size', 'Resolution']],
	[{ version: 'HD', size: 'Custom' }, ['Prompt', 'Quality', 'Size', 'Width', 'Height']],
	[{ operation: 'Remove Background', inputType: 'URL' }, ['Image Source', 'Image URL']],
	[
		{
			operation: 'Edit Photo',
			inputType: 'File From an Earlier Node',
			version: 'Super Genius',
		},
		['Instruction', 'Image Source', 'Input Data Field Name(s)', 'Quality', 'Resolution'],
	],
] as const;

/**
 * The fields as users see them.
 * @param nodeName of a node without options in the open workflow
 */
export function fieldCase(editor: () => Editor, nodeName: string): void {
	it('the fields and options depend on what is chosen, and a custom size keeps what is typed and says what is allowed', async () => {
		const { page, part, choose, closeNode, fieldNames, openNode, optionsToAdd } = editor();
		await openNode(nodeName);
		for (const [choices, shown] of steps) {
			for (const choice of Object.entries(choices)) await choose(...choice);
			const all = ['Operation', ...shown, 'Image as File', 'Options'];
			assert.deepEqual(await fieldNames(), all);
			if (!('size' in choices)) continue;
			const [width, height] = ['width', 'height'].map((name) =>
				part(`parameter-input-${name}`).locator('input').first(),
			) as [Locator, Locator];
			await width.click({ clickCount: 3 });
			await width.pressSequentially('2000');
			await height.click();
			await part('node-parameters').getByText('128 to 1536 in steps of 32').first().waitFor();
			await until('the typed width is kept', async () => (await width.inputValue()) === '2000');
		}
		const options = await optionsToAdd();
		assert.ok(options.includes('Number of Images'));
		assert.ok(!options.includes('Negative Prompt'));
		await page.keyboard.press('Escape');
		await closeNode();
	});
}
