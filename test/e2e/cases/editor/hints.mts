import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import { photo, type Fixture } from '../../support/fixture.mjs';
import { imageGeneration, manualTrigger, webhook } from '../../support/nodes.mjs';
import { chain, workflow } from '../../support/workflow.mjs';

const offer =
	"You paid again for an image that an earlier run had already bought. To avoid this while you build a workflow, set 'Reuse Images' to 'In Manual Runs'.";

/** Hints above the output while a user builds a workflow. */
export function hintCases(fixture: Fixture, editor: () => Editor): void {
	const building = (isReusing: boolean) => {
		const options = isReusing ? { reuse: 'manualRuns' } : {};
		const name = isReusing ? 'With reuse' : 'Without reuse';
		const parameters = { operation: 'generate', prompt: name, options };
		const image = imageGeneration('Image', parameters, { credentials: fixture.credentials });
		return workflow(name, [manualTrigger, image], chain('Start', 'Image'));
	};

	/** Runs the workflow twice by hand, checks the hints and takes a screenshot. */
	const runTwice = async (reuse: boolean, hints: string[], file: string) => {
		const id = await fixture.api.createWorkflow(building(reuse));
		const { page, part, openWorkflow, openNode, closeNotes, closeNode, picture } = editor();
		await openWorkflow(`${fixture.n8n.url}/workflow/${id}`);
		for (const round of ['first', 'second']) {
			await part('execute-workflow-button').click();
			await page.getByText('Workflow executed successfully').waitFor();
			await closeNotes();
			if (round === 'second') break;
			await openNode('Image');
			await part('output-panel').getByText('1 image was bought.').waitFor();
			await closeNode();
		}
		await openNode('Image');
		for (const hint of hints) await part('output-panel').getByText(hint).waitFor();
		await picture(file);
		await closeNode();
	};

	describe('the hints above the output', () => {
		it('say what a run cost and offer reuse after a repeated purchase', async () => {
			await runTwice(false, ['1 image was bought.', offer], 'paid-again.png');

			assert.equal(fixture.charged().length, 2);
		});

		it('show a file name that looks like HTML as text, and load nothing', async () => {
			const pixel = '/pixel.png?from=a-hint';
			const target = fixture.sandbox.url.replaceAll('/', '&sol;');
			const name = `<img src=${target}${pixel.replace('/', '&sol;')}><a href=${target}>Your credential expired<a>.pdf`;
			const id = await fixture.api.publish(
				workflow(
					'foreign-name',
					[
						webhook('foreign-name'),
						imageGeneration(
							'Image',
							{ operation: 'removeBackground', inputType: 'all' },
							{ credentials: fixture.credentials },
						),
					],
					chain('Webhook', 'Image'),
				),
				'/webhook/foreign-name',
			);
			const form = new FormData();
			form.append('photo', new File([photo], 'photo.jpg', { type: 'image/jpeg' }));
			form.append('bill', new File(['%PDF-1.7'], name, { type: 'application/pdf' }));
			const url = `${fixture.n8n.url}/webhook/foreign-name`;
			assert.ok((await fetch(url, { method: 'POST', body: form })).ok);
			const execution = await fixture.api.lastExecution(id);

			const { page, openOutputInList, picture } = editor();
			const loaded: string[] = [];
			page.on('request', (request) => loaded.push(request.url()));
			await page.goto(`${fixture.n8n.url}/workflow/${id}/executions/${execution.id}`);
			const output = await openOutputInList('Image');
			await output.getByText(`1 file was skipped: ${name} is not an image.`).waitFor();
			await picture('foreign-name.png');

			assert.equal(await output.getByRole('link', { name: 'Your credential expired' }).count(), 0);
			assert.deepEqual(
				loaded.filter((address) => address.includes('pixel.png')),
				[],
			);
		});

		it('say what was reused', async () => {
			await runTwice(true, ['1 image was reused from an earlier run.'], 'reused.png');

			assert.equal(fixture.charged().length, 1);
		});
	});
}
