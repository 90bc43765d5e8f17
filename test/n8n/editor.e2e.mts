import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { drawingAgentCase, productionRunCase } from '../promises/words/results.cases.mjs';
import { loadedWidth, useEditor } from '../support/wholeN8n/Editor.mjs';
import { shipped } from '../support/wholeN8n/examples.mjs';
import { useFixture } from '../support/wholeN8n/fixture.mjs';
import { FourImages } from '../support/wholeN8n/FourImages.mjs';
import { manualTrigger, stock } from '../support/wholeN8n/nodes.mjs';
import { pageOfTable, rowsOfTable } from '../support/wholeN8n/tables.mjs';
import { chain, workflow } from '../support/wholeN8n/workflow.mjs';
import { closingBracesCase } from './closingBraces.cases.mjs';
import { credentialDialogCase } from './credentialDialog.cases.mjs';
import { fieldCase } from './fields.cases.mjs';
import { previewChatCase } from './previewAgent.cases.mjs';

/** Whether this takes screenshots for the docs, which show the newer version. */
const takesPictures = process.env.SCREENSHOTS !== undefined;

describe('The editor in Chromium', { concurrency: 2 }, () => {
	newestCases();
	if (!takesPictures) oldestCases();
});

/** Other parts of the editor show the same in both versions (2.41.1 and 1.123.81). */
function oldestCases(): void {
	describe(`n8n ${hostVersion('n8n-1')}`, { concurrency: 1 }, () => {
		const fixture = useFixture({ hostName: 'n8n-1', name: 'editor-n8n-1' });
		const editor = useEditor(fixture, 'n8n-1');
		before(async () => {
			const parameters = { operation: 'generate', prompt: 'a fox', size: '128x128' };
			const nodes = [manualTrigger, fixture.node('Image', parameters)];
			await editor().openWorkflow(workflow('Editor', nodes));
		});

		it('runs the node and shows its image', async () => {
			const { execute, openNode, closeNode, showImage } = editor();
			await execute();
			assert.equal(fixture.charged().length, 1);

			await openNode('Image');
			await showImage();
			await closeNode();
		});

		fieldCase(editor, 'Image');
		credentialDialogCase(fixture, editor, 'Image');
	});
}

function newestCases(): void {
	describe(`n8n ${hostVersion('n8n-2')}`, { concurrency: 1 }, () => {
		const fixture = useFixture({ hostName: 'n8n-2', name: 'editor-n8n-2' });
		const editor = useEditor(fixture, 'n8n-2');

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
				const { page, part, node, nodeIsOpen, nodeIsClosed } = editor();
				await part('node-creator-item-name').getByText('Image Generation', { exact: true }).click();
				const actions = part('node-creator-item-name');
				for (const name of ['Generate image', 'Remove background', 'Edit photo']) {
					await actions.getByText(name, { exact: true }).waitFor();
				}
				await actions
					.getByText('Edit photo', { exact: true })
					.dragTo(part('canvas'), { targetPosition: { x: 700, y: 150 } });
				await nodeIsOpen();
				await page.keyboard.press('Escape');
				await nodeIsClosed();
				await node('Edit photo').getByText('Edit Photo', { exact: true }).waitFor();
				assert.equal(await page.locator('.el-notification').count(), 0);
			});

			fieldCase(editor, 'Edit photo');
		});

		describe('the example workflow', () => {
			it('shows the operation and an icon for each theme', async () => {
				const { page, node, openWorkflow } = editor();
				await openWorkflow(shipped(fixture, 'generate-edit-remove-background.json'));
				for (const name of ['Generate Image', 'Edit Photo', 'Remove Background']) {
					await node(name).getByText(name, { exact: true }).nth(1).waitFor();
				}
				for (const [scheme, file] of [
					['dark', 'imageGeneration.dark.svg'],
					['light', 'imageGeneration.svg'],
				] as const) {
					await page.emulateMedia({ colorScheme: scheme });
					await loadedWidth(node('Edit Photo').locator(`img[src$="/${file}"]`));
				}
			});

			it('previews the node’s output before it runs', async () => {
				const { part, openNode, closeNode } = editor();
				await openNode('Save to Folder');
				const shown = part('ndv');
				await shown.getByText('Usually outputs the following fields').waitFor();
				for (const field of ['id', 'output_url']) {
					await shown.getByText(field, { exact: true }).first().waitFor();
				}
				await closeNode();
			});

			it('links the docs to the package’s page at npm', async () => {
				const { page, openNode, closeNode } = editor();
				await openNode('Edit Photo');
				const docs = page.getByRole('link', { name: 'Docs' }).filter({ visible: true }).first();
				const address = (await docs.getAttribute('href')) ?? '';
				assert.match(address, /^https:\/\/www\.npmjs\.com\/package\/n8n-nodes-image-generation\b/);
				await closeNode();
			});

			it('runs and shows the image', async () => {
				const { execute, openNode, closeNode, picture, showImage } = editor();
				await execute();
				assert.equal(fixture.charged().length, 3);

				await openNode('Edit Photo');
				await showImage();
				await picture('node.png');
				await closeNode();
			});
		});

		it('a stopped workflow shows each paid image on its own line with a link', async () => {
			const body = { err: 'This is not allowed here' };
			fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'forbidden' });
			const prompts = ['a fox', 'a boat', 'a tree', 'a forbidden fruit'];
			const jsonOutput = JSON.stringify({ prompts });
			const { page, part, openWorkflow, openNode, closeNotes, picture } = editor();
			await openWorkflow(
				workflow('Stops', [
					manualTrigger,
					stock('Prompts', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
					stock('Split Prompts', 'splitOut', 1, { fieldToSplitOut: 'prompts' }),
					fixture.node('Image', {
						operation: 'generate',
						prompt: '={{ $json.prompts }}',
						options: { concurrency: 1 },
					}),
				]),
			);
			await part('execute-workflow-button').click();
			const title = 'Item 4, "a forbidden fruit": This is not allowed here';
			await page.getByText(title).first().waitFor();
			await closeNotes();
			await openNode('Image');
			const description = part('node-error-description');
			await description.waitFor();
			await picture('stop.png');
			// n8n counts from 0.
			assert.equal(await page.getByText('[item').count(), 0);

			const lines = (await description.innerText()).split('\n');
			const charged = fixture.charged();
			const paid = charged.map(
				({ jobId, outputUrl, fields }, index) =>
					`Item ${index + 1}, "${fields['text']}": ${outputUrl} (job ${jobId})`,
			);
			assert.equal(paid.length, 3);
			assert.match(lines[0] ?? '', /Nothing was charged/);
			assert.match(lines[1] ?? '', /^Click 'Execute step' again/);
			assert.deepEqual(lines.slice(2), ['Finished and paid for:', ...paid]);
			const links = description.locator('a[target="_blank"]');
			assert.deepEqual(
				await links.evaluateAll((found: { href: string }[]) => found.map(({ href }) => href)),
				charged.map(({ outputUrl }) => outputUrl),
			);
		});

		describe('single nodes', () => {
			before(async () => {
				const generate = (name: string, options: object, settings = {}) =>
					fixture.node(name, { operation: 'generate', prompt: 'a', options }, settings);
				const jsonOutput = JSON.stringify({ titles: [{ title: 'mug' }, { title: 'lamp' }] });
				const rows = [
					manualTrigger,
					stock('Rows', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
					stock('Split Rows', 'splitOut', 1, { fieldToSplitOut: 'titles' }),
					fixture.node('Image', { operation: 'generate', size: '128x128', prompt: '' }),
				];
				const others = [
					generate('Tries out', { dryRun: true }),
					generate('Buys', { dryRun: false }),
					generate('Plain', {}, { credentials: {} }),
				];
				const wires = chain(...rows.map(({ name }) => name));
				await editor().openWorkflow(workflow('Nodes', [...rows, ...others], { wires }));
			});

			it('a node with Dry Run on says so on the canvas', async () => {
				const { node } = editor();
				await node('Tries out').getByText('Dry Run: Generate Image', { exact: true }).waitFor();
				for (const name of ['Buys', 'Plain']) {
					await node(name).getByText('Generate Image', { exact: true }).waitFor();
				}
			});

			closingBracesCase(fixture, editor, 'Image');
			credentialDialogCase(fixture, editor, 'Plain');
		});

		productionRunCase(fixture, editor);
		drawingAgentCase(fixture, editor);
		previewChatCase(fixture, editor);
		if (!takesPictures) return;

		it('the table of the Purchase Log lists every image with its link, and what may have been charged', async () => {
			const path = 'catalog-pictures';
			const table = 'Image Purchases';
			const flow = await FourImages.publish(fixture, path, {
				options: { purchaseLog: table },
				node: { onError: 'continueRegularOutput' },
			});
			fixture.sandbox.arm({ fault: 'status', status: 503, when: 'A green pear' });
			await flow.run(['A red bicycle', 'A blue teapot', 'A green pear', 'A black berry']);
			// An example uses the same table.
			const rows = (await rowsOfTable(fixture, table)).filter(({ workflow }) => workflow === path);
			const delivered = rows.map(({ image, link }) => [image, Boolean(link)]);
			assert.deepEqual(delivered.sort(), [
				['Item 1, "A red bicycle"', true],
				['Item 2, "A blue teapot"', true],
				['Item 3, "A green pear"', false],
				['Item 4, "A black berry"', true],
			]);
			const { page, picture } = editor();
			await page.goto(await pageOfTable(fixture, table));

			for (const { image, link } of rows) {
				for (const text of [image, link]) {
					if (text) await page.getByText(String(text), { exact: true }).first().waitFor();
				}
			}
			await picture('purchase-log.png', 280);
		});
	});
}
