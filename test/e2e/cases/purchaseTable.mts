import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Editor } from '../support/Editor.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { loggedPrompts } from '../support/loggedPrompts.mjs';
import { pageOfTable, rowsOfTable } from '../support/purchaseTable.mjs';

/** The data table that the node makes for its Purchase Log. */
export function purchaseTableCases(fixture: Fixture, editor: () => Editor): void {
	it('the table of the Purchase Log lists every image with its link, and what may have been charged', async () => {
		const path = 'catalog-pictures';
		const table = 'Image Purchases';
		const log = loggedPrompts(fixture, true);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { id } = await log.publish(path, { purchaseLog: table }, settings);
		fixture.sandbox.arm({ fault: 'status', status: 503, when: 'A green pear' });
		await log.run(path, id, ['A red bicycle', 'A blue teapot', 'A green pear', 'A black berry']);
		// An example uses the same table.
		const rows = (await rowsOfTable(fixture, table)).filter(({ workflow }) => workflow === path);
		assert.deepEqual(
			rows.map(({ image, state }) => [image, state]),
			[
				['Item 1, "A red bicycle"', 'delivered'],
				['Item 2, "A blue teapot"', 'delivered'],
				['Item 4, "A black berry"', 'delivered'],
				['Item 3, "A green pear"', 'unclear'],
			],
		);
		const { page, picture } = editor();
		await page.goto(await pageOfTable(fixture, table));

		for (const { image = '', link = '', state = '' } of rows) {
			for (const text of [image, link, state]) {
				if (text !== '') await page.getByText(text, { exact: true }).first().waitFor();
			}
		}
		await picture('purchase-log.png', 280);
	});
}
