import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { useEditor } from '../support/wholeN8n/Editor.mjs';
import { assertSuccess, idsIn, rowsOf } from '../support/wholeN8n/execution.mjs';
import { photo, threePhotos, upload, useFixture } from '../support/wholeN8n/fixture.mjs';
import { form, manualTrigger, webhook } from '../support/wholeN8n/nodes.mjs';
import { until } from '../support/wholeN8n/until.mjs';
import { workflow } from '../support/wholeN8n/workflow.mjs';

const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'];

for (const hostName of ['n8n-2', 'n8n-1'] as const) {
	describe(`Purchases in n8n ${hostVersion(hostName)}`, () => {
		const fixture = useFixture({ hostName, name: `retry-${hostName}` });
		const editor = useEditor(fixture, hostName);

		const choice =
			hostName === 'n8n-2' ? 'Retry with currently saved workflow' : 'Retry with original workflow';
		it(`${choice} in the list of executions buys only what is missing, and says so`, async () => {
			const node = fixture.node('Edit', {
				operation: 'edit',
				inputType: 'all',
				prompt: 'make it black and white',
				options: { concurrency: 1 },
			});
			const body = { err: 'This is not allowed here' };
			fixture.sandbox.arm({ fault: 'status', status: 400, body, after: 2 });
			const bytes = [...(await threePhotos(60)), photo];
			const photos = upload(
				...names.map((name, index) => ['field-0', name, bytes[index] ?? photo] as const),
			);
			const failed = await fixture.run([form('retry', 'Photos', true), node], photos);
			assert.equal(failed.status, 'error');
			assert.equal(fixture.charged().length, 2);
			assert.equal(failed.data.resultData.metadata?.imagesPaid, '2');
			const { page, part, openInList } = editor();
			const { workflowId } = failed;
			await page.goto(`${fixture.n8n.url}/workflow/${workflowId}/executions/${failed.id}`);
			await part('execution-preview-retry-button').click();
			const again = await fixture.api.run(workflowId, () =>
				page.getByRole('menuitem', { name: choice }).click(),
			);

			assertSuccess(again);
			// The count continues from the stored data.
			assert.equal(again.data.resultData.metadata?.imagesPaid, '4');
			assert.equal(fixture.charged().length, 4);
			fixture.assertDelivered(again, 'Edit');
			await fixture.assertStored(again, 'Edit');
			const output = await openInList(again, 'Edit');
			const sum = '2 images were bought, 2 images were kept from an earlier attempt.';
			await output.getByText(sum).waitFor();
		});

		const generating = (name: string, prompt: string, options = {}) =>
			fixture.node(name, { operation: 'generate', prompt, options });

		it('after the Stop button of the editor the next click has what was finished and what was in progress, and pays for nothing twice', async () => {
			const { page, part, openWorkflow, openNode, closeNode, closeNotes } = editor();
			const three = { numberOfImages: 3, concurrency: 1 };
			const node = generating('Image', 'a lighthouse by night', three);
			const id = await openWorkflow(workflow('Stopped', [manualTrigger, node]));
			fixture.sandbox.arm({ fault: 'delay-after', delayMs: 8000, after: 1 });
			await part('execute-workflow-button').click();
			await until('the second image is charged', () => fixture.charged().length === 2);
			await part('stop-execution-button').click();
			const stopped = await fixture.api.lastExecution(id);
			assert.equal(stopped.status, 'canceled');
			assert.deepEqual(rowsOf(stopped, 'Image'), []);

			await closeNotes();
			const next = await fixture.api.run(id, () => part('execute-workflow-button').click());
			await page.getByText('Workflow executed successfully').waitFor();
			await closeNotes();
			assertSuccess(next);
			assert.deepEqual(
				new Set(idsIn(next, 'Image')),
				new Set(fixture.charged().map(({ jobId }) => jobId)),
			);
			assert.equal(fixture.charged().length, 3);

			await openNode('Image');
			const output = part('output-panel');
			await output.getByText('1 image was bought.').waitFor();
			await output.getByText(/2 images are used again /).waitFor();
			await closeNode();
		});

		// The other cases were the same in both (2.41.1 and 1.123.81).
		if (hostName === 'n8n-1') return;

		it('a second click costs nothing, and the hint above the output says so, unless Reuse Images is set to Never', async () => {
			const { part, openWorkflow, execute, openNode, closeNode } = editor();
			const never = generating('Never Reused', 'a boat', { reuse: 'never' });
			await openWorkflow(workflow('Hints', [manualTrigger, generating('Image', 'a fox'), never]));
			const bought = '1 image was bought.';
			const reused = /bought .*\d\d:\d\d.* cost nothing/;
			for (const hints of [
				{ Image: bought, 'Never Reused': bought },
				{ Image: reused, 'Never Reused': bought },
			]) {
				await execute();
				for (const [name, hint] of Object.entries(hints)) {
					await openNode(name);
					await part('output-panel').getByText(hint).waitFor();
					await closeNode();
				}
			}

			assert.equal(fixture.charged('a fox').length, 1);
			assert.equal(fixture.charged('a boat').length, 2);
		});

		it('a node that was copied in the same workflow has the images of the first one in one click, for nothing', async () => {
			const { part, openWorkflow, execute, openNode, closeNode } = editor();
			const nodes = ['Image', 'Image1'].map((name) =>
				generating(name, 'a windmill', { numberOfImages: 2 }),
			);
			await openWorkflow(workflow('Copied', [manualTrigger, ...nodes]));
			await execute();
			assert.equal(fixture.charged('a windmill').length, 2);
			await openNode('Image1');
			await part('output-panel')
				.getByText(/2 images are used again .* cost nothing/)
				.waitFor();
			await closeNode();

			await execute();
			assert.equal(fixture.charged('a windmill').length, 2);
		});

		it('hints show a file name that looks like HTML as text, and load nothing', async () => {
			const pixel = '/pixel.png?from=a-hint';
			const target = fixture.sandbox.url.replaceAll('/', '&sol;');
			const name = `<img src=${target}${pixel.replace('/', '&sol;')}><a href=${target}>Your credential expired<a>.pdf`;
			const node = fixture.node('Image', { operation: 'removeBackground', inputType: 'all' });
			const pdf = ['bill', name, '%PDF-1.7', 'application/pdf'] as const;
			const files = upload(['photo', 'photo.jpg', photo], pdf);
			const execution = await fixture.run([webhook('foreign-name'), node], files);

			const { page, openInList } = editor();
			const loaded: string[] = [];
			page.on('request', (request) => loaded.push(request.url()));
			const output = await openInList(execution, 'Image');
			await output.getByText(`1 file was skipped: ${name} is not an image.`).waitFor();

			assert.equal(await output.getByRole('link', { name: 'Your credential expired' }).count(), 0);
			assert.deepEqual(
				loaded.filter((address) => address.includes('pixel.png')),
				[],
			);
		});
	});
}
