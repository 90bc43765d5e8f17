import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import getPort from 'get-port';
import type { Locator } from 'playwright-core';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { imageGeneration } from '../../support/nodes.mjs';
import { workflow } from '../../support/workflow.mjs';

/** Extra steps in the dialog. */
interface ExtraSteps {
	/** Screenshot to take before the dialog is closed. */
	pictureName?: string;
	/** Runs before the fields are filled in. */
	whileOpen?: (fields: DialogFields) => Promise<void>;
}

interface DialogFields {
	baseUrl: Locator;
	/** Shown for an address without encryption. */
	warning: Locator;
}

const WARNING = 'others on the network can read the API key';

/** The dialog for Base URL and API Key. */
export function credentialDialogCases(fixture: Fixture, editor: () => Editor): void {
	/** Creates a credential and returns the dialog's text after the test. */
	const dialogTextFor = async (
		baseUrl: string,
		apiKey: string,
		{ pictureName, whileOpen }: ExtraSteps = {},
	): Promise<string> => {
		const { marks, part, picture, pressEscape, openNode, closeNode, nodeIsClosed } = editor();
		await openNode('Image');
		await part('node-credentials-select').click();
		await part('node-credentials-select-item-new').click();
		const dialog = part('credential-edit-dialog');
		// The name loads late, and without it n8n 1.123.81 saves nothing.
		const name = part('credential-name').getByText('Image Generation account');
		await name.filter({ visible: true }).first().waitFor();
		const inputs = dialog.locator('[data-test-id="credential-connection-parameter"] input');
		const fields = { baseUrl: inputs.nth(0), warning: dialog.getByText(WARNING) };
		await whileOpen?.(fields);
		await inputs.nth(1).fill(apiKey);
		// n8n takes typed text over a moment later, and saves what it has by then. The warning shows it.
		await fields.baseUrl.fill('http://images.example');
		await fields.warning.waitFor();
		await fields.baseUrl.fill(baseUrl);
		await fields.warning.waitFor({ state: 'hidden' });
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
		if (pictureName !== undefined) await picture(pictureName);
		const words = (await dialog.innerText()).replace(/\s+/g, ' ');
		await pressEscape();
		await dialog.waitFor({ state: 'detached' });
		if (marks.escapeCloses === 'dialog') await closeNode();
		await nodeIsClosed();
		return words;
	};

	describe('the credential dialog', () => {
		before(async () => {
			const node = imageGeneration('Image', { operation: 'generate' });
			const id = await fixture.api.createWorkflow(workflow('Credential', [node], []));
			await editor().openWorkflow(`${fixture.n8n.url}/workflow/${id}`);
		});

		it('shows success for a valid key, free of charge', async () => {
			const words = await dialogTextFor(fixture.sandbox.url, 'test-key', {
				pictureName: 'credential.png',
			});
			assert.match(words, /Connection tested successfully/);
			assert.deepEqual(fixture.charged(), []);
		});

		it('warns while the key would cross a network unencrypted', async () => {
			const shown: boolean[] = [];
			const whileOpen = async ({ baseUrl, warning }: DialogFields) => {
				await baseUrl.fill('http://images.example');
				await warning.waitFor();
				shown.push(await warning.isVisible());
				await baseUrl.fill('https://images.example');
				await warning.waitFor({ state: 'hidden' });
				shown.push(await warning.isVisible());
			};
			await dialogTextFor(fixture.sandbox.url, 'test-key', { whileOpen });
			assert.deepEqual(shown, [true, false]);
		});

		it('shows the service’s message for a wrong key', async () => {
			const words = await dialogTextFor(fixture.sandbox.url, 'wrong-key', {
				pictureName: 'credential-refused.png',
			});
			assert.match(
				words,
				/The service says: The api-key is not valid\. The key was not accepted\. Check 'API Key'\./,
			);
		});

		it('reports an address with nothing behind it', async () => {
			const free = await getPort({ host: '127.0.0.1' });
			const words = await dialogTextFor(`http://127.0.0.1:${free}`, 'test-key');
			assert.match(words, /The service could not be reached .* Check 'Base URL'/);
		});

		it('reports another web site', async () => {
			const site = createServer((_request, answer) => {
				answer.setHeader('content-type', 'text/html').end('<h1>Welcome to my bakery</h1>');
			}).listen(0, '127.0.0.1');
			await once(site, 'listening');
			try {
				const { port } = site.address() as AddressInfo;
				const words = await dialogTextFor(`http://127.0.0.1:${port}`, 'test-key');
				assert.match(words, /A server responds at \S+, but it is not this API \(status 200\)/);
			} finally {
				site.close();
			}
		});
	});
}
