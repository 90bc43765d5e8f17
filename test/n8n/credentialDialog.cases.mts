import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Editor } from '../support/wholeN8n/Editor.mjs';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';

const WARNING = 'others on the network can read the API key';

/**
 * The dialog for Base URL and API Key, which stays open.
 * @param nodeName of a node in the open workflow
 */
export function credentialDialogCase(
	fixture: Fixture,
	editor: () => Editor,
	nodeName: string,
): void {
	it('the credential dialog links to what services there are, warns while the key would cross a network unencrypted, and shows the service’s message for a wrong key and success for a valid one, free of charge', async () => {
		const { marks, part, picture, openNode } = editor();
		await openNode(nodeName);
		await part('node-credentials-select').click();
		await part('node-credentials-select-item-new').click();
		const dialog = part('credential-edit-dialog');
		// The name loads late, and without it n8n 1.123.81 saves nothing.
		const name = part('credential-name').getByText('Image Generation account');
		await name.filter({ visible: true }).first().waitFor();
		await dialog
			.locator('a[href^="https://www.npmjs.com/package/n8n-nodes-image-generation"]')
			.first()
			.waitFor();
		const inputs = dialog.locator('[data-test-id="credential-connection-parameter"] input');
		const [baseUrl, warning] = [inputs.nth(0), dialog.getByText(WARNING)];
		const save = async (apiKey: string) => {
			await inputs.nth(1).fill(apiKey);
			// n8n takes typed text over a moment later, and saves what it has by then. The warning shows it.
			await baseUrl.fill('http://images.example');
			await warning.waitFor();
			await baseUrl.fill(fixture.sandbox.url);
			await warning.waitFor({ state: 'hidden' });
			await part('credential-save-button').click();
		};
		const words = async () => (await dialog.innerText()).replace(/\s+/g, ' ');

		await save('wrong-key');
		const more = dialog.getByText('More details');
		await more.click();
		await more.waitFor({ state: 'detached' });
		await picture('credential-refused.png');
		const refusal = /The service says: The api-key is not valid\. .*Check 'API Key'/;
		assert.match(await words(), refusal);

		await save('test-key');
		if (marks.onPassedTest === 'closes') {
			await dialog.waitFor({ state: 'detached' });
			// Opening the saved credential shows the success message.
			await part('credential-edit-button').click();
		}
		await part('credentials-config-container-test-success').waitFor();
		await picture('credential.png');
		assert.match(await words(), /Connection tested successfully/);
		assert.deepEqual(fixture.charged(), []);
	});
}
