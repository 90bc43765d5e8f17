import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../../support/callWebhook.mjs';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { imageGeneration, splitOut, webhook } from '../../support/nodes.mjs';
import { pageOfTable, rowsOfTable } from '../../support/purchaseTable.mjs';
import { chain, workflow } from '../../support/workflow.mjs';

/** The data table that the node makes for its Purchase Log. */
export function purchaseTableCases(fixture: Fixture, editor: () => Editor): void {
	describe('the table of the Purchase Log', () => {
		it('lists every image with its link, and what may have been charged', async () => {
			const path = 'log-shown';
			const parameters = {
				operation: 'generate',
				prompt: "={{ $json['body.prompts'] }}",
				options: { concurrency: 1, purchaseLog: 'Image Purchases' },
			};
			const settings = {
				credentials: fixture.credentials,
				onError: 'continueRegularOutput',
			} as const;
			const id = await fixture.api.publish(
				workflow(
					'Catalog pictures',
					[
						webhook(path, { responseMode: 'onReceived' }),
						splitOut('prompts'),
						imageGeneration('Generate', parameters, settings),
					],
					chain('Webhook', 'Split Out', 'Generate'),
				),
				`/webhook/${path}`,
			);
			fixture.sandbox.arm({ fault: 'status', status: 503, when: 'A green pear' });
			const prompts = ['A red bicycle', 'A blue teapot', 'A green pear', 'A black berry'];
			await callWebhook(fixture, path, { prompts });
			await fixture.api.lastExecution(id);
			const rows = await rowsOfTable(fixture, 'Image Purchases');
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
			await page.goto(await pageOfTable(fixture, 'Image Purchases'));

			for (const { image = '', link = '', state = '' } of rows) {
				for (const text of [image, link, state]) {
					if (text !== '') await page.getByText(text, { exact: true }).first().waitFor();
				}
			}
			await picture('purchase-log.png', 280);
		});
	});
}
