import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openPage } from '../../../scripts/host/openEditor.mjs';
import { photoFile, type Fixture } from '../support/fixture.mjs';
import { form, imageGeneration } from '../support/nodes.mjs';
import { withPage } from '../support/withPage.mjs';
import { chain, workflow, type WorkflowNode } from '../support/workflow.mjs';

const ending: WorkflowNode = {
	name: 'Give it back',
	type: 'n8n-nodes-base.form',
	typeVersion: 1,
	webhookId: 'cut-out-ending',
	parameters: {
		operation: 'completion',
		respondWith: 'returnBinary',
		completionTitle: 'Here it is',
		inputDataFieldName: 'data',
		options: {},
	},
};

/** A user uploads a photo in the browser and gets its cut-out. */
export function formTriggerCases(fixture: Fixture): void {
	describe('Form Trigger', () => {
		it('returns the cut-out to a user who uploads a photo in the browser', async () => {
			await fixture.api.publish(
				workflow(
					'Cut out by form',
					[
						form('cut-out', 'Photo', false),
						imageGeneration(
							'Remove Background',
							{ operation: 'removeBackground', binaryPropertyName: 'Photo' },
							{ credentials: fixture.credentials },
						),
						ending,
					],
					chain('On form submission', 'Remove Background', 'Give it back'),
				),
				'/form/cut-out',
			);
			await withPage(openPage(fixture.n8n.url), `form-${fixture.host.version}`, async (page) => {
				await page.goto(`${fixture.n8n.url}/form/cut-out`);
				await page.setInputFiles('input[type="file"]', photoFile);
				const [file] = await Promise.all([
					page.waitForEvent('download', { timeout: 60_000 }),
					page.click('#submit-btn'),
				]);

				await page.getByText('Here it is').waitFor();
				assert.equal(file.suggestedFilename(), 'astronaut-no-background.png');
				const [job, ...others] = fixture.charged();
				assert.deepEqual(others, []);
				assert.equal(job?.tool, 'background-remover');
				assert.deepEqual(
					await readFile(await file.path()),
					await fixture.sandbox.output(job.jobId),
				);
			});
		});
	});
}
