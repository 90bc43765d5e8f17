import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Editor } from '../support/wholeN8n/Editor.mjs';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import { until } from '../support/wholeN8n/until.mjs';
import { workflow } from '../support/wholeN8n/workflow.mjs';

const WARNING = 'others on the network can read the API key';

/** The dialog for Base URL and API Key. */
export function credentialDialogCases(fixture: Fixture, editor: () => Editor): void {
	/** Creates a credential, takes a screenshot and returns the dialog's text after the test. */
	const dialogTextFor = async (apiKey: string, pictureName: string): Promise<string> => {
		const { marks, page, part, picture, openNode } = editor();
		await openNode('Image');
		await part('node-credentials-select').click();
		await part('node-credentials-select-item-new').click();
		const dialog = part('credential-edit-dialog');
		// The name loads late, and without it n8n 1.123.81 saves nothing.
		const name = part('credential-name').getByText('Image Generation account');
		await name.filter({ visible: true }).first().waitFor();
		const inputs = dialog.locator('[data-test-id="credential-connection-parameter"] input');
		const [baseUrl, warning] = [inputs.nth(0), dialog.getByText(WARNING)];
		await dialog
			.locator('a[href^="https://www.npmjs.com/package/n8n-nodes-image-generation"]')
			.first()
			.waitFor();
		await inputs.nth(1).fill(apiKey);
		// n8n takes typed text over a moment later, and saves what it has by then. The warning shows it.
		await baseUrl.fill('http://images.example');
		await warning.waitFor();
		await baseUrl.fill(fixture.sandbox.url);
		await warning.waitFor({ state: 'hidden' });
		await part('credential-save-button').click();
		const more = dialog.getByText('More details');
		const green = part('credentials-config-container-test-success');
		const passed =
			marks.onPassedTest === 'closes' ? dialog.waitFor({ state: 'detached' }) : green.waitFor();
		const works = await Promise.race([passed.then(() => true), more.waitFor().then(() => false)]);
		if (works) {
			// Opening the saved credential shows the success message.
			if (marks.onPassedTest === 'closes') await part('credential-edit-button').click();
			await green.waitFor();
		} else {
			await more.click();
			await more.waitFor({ state: 'detached' });
		}
		await picture(pictureName);
		const words = (await dialog.innerText()).replace(/\s+/g, ' ');
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });
		// Escape closes the node as well, or does not (1.123.81).
		await until('the node is closed', async () => {
			if (await part(marks.closeNode).isVisible()) {
				await part(marks.closeNode)
					.click({ timeout: 1000 })
					.catch(() => undefined);
			}
			return (await part('node-parameters').count()) === 0;
		});
		return words;
	};

	describe('the credential dialog, which warns while the key would cross a network unencrypted and links to what services there are', () => {
		before(async () => {
			const node = fixture.node('Image', { operation: 'generate' }, { credentials: {} });
			await editor().openWorkflow(workflow('Credential', [node]));
		});

		it('shows success for a valid key, free of charge', async () => {
			const words = await dialogTextFor('test-key', 'credential.png');
			assert.match(words, /Connection tested successfully/);
			assert.deepEqual(fixture.charged(), []);
		});

		it('shows the service’s message for a wrong key', async () => {
			const words = await dialogTextFor('wrong-key', 'credential-refused.png');
			assert.match(words, /The service says: The api-key is not valid\. .*Check 'API Key'/);
		});
	});
}
