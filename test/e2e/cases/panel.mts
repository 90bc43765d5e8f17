import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../support/Editor.mjs';
import type { Fixture } from '../support/fixture.mjs';

/** How users find the node. */
export function panelCases(fixture: Fixture, editor: () => Editor): void {
	describe('the node panel', () => {
		it('lists the node first for the words that people type', async () => {
			const { page, part } = editor();
			await page.goto(`${fixture.n8n.url}/workflow/new`);
			await part('canvas-plus-button').click();
			const making = ['AI image', 'generate image', 'create image', 'text to image'];
			const changing = ['remove background', 'edit photo', 'product photo', 'photo', 'deepai'];
			for (const words of [...making, ...changing]) {
				await part('node-creator-search-bar').fill('');
				await part('node-creator-search-bar').fill(words);
				const first = part('node-creator-item-name').first();
				await first.getByText('Image Generation', { exact: true }).waitFor();
			}
		});

		it('lets users drag each operation in and names the node after it', async () => {
			const { page, part, node, nodeIsOpen, nodeIsClosed, pressEscape } = editor();
			await part('node-creator-item-name').getByText('Image Generation', { exact: true }).click();
			const actions = part('node-creator-item-name');
			for (const name of ['Generate image', 'Remove background', 'Edit photo']) {
				await actions.getByText(name, { exact: true }).waitFor();
			}
			await actions
				.getByText('Edit photo', { exact: true })
				.dragTo(part('canvas'), { targetPosition: { x: 700, y: 150 } });
			await nodeIsOpen();
			await pressEscape();
			await nodeIsClosed();
			await node('Edit photo').getByText('Edit Photo', { exact: true }).waitFor();
			assert.equal(await page.locator('.el-notification').count(), 0);
		});
	});
}
