import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import { photo, type Fixture } from '../../support/fixture.mjs';
import { loadedWidth } from '../../support/loadedWidth.mjs';
import { form, imageGeneration, webhook } from '../../support/nodes.mjs';
import { assertSuccess } from '../../support/rows.mjs';
import { submitForm } from '../../support/submitForm.mjs';
import { threePhotos } from '../../support/threePhotos.mjs';
import { chain, workflow, type WorkflowNode } from '../../support/workflow.mjs';

const NAME = 'Remove background';

/** What users see of a node that they have just put behind a trigger. */
export function untouchedCases(fixture: Fixture, editor: () => Editor): void {
	/** Publishes a trigger with the node behind it. @returns the workflow's id */
	const publish = async (
		trigger: WorkflowNode,
		address: string,
		parameters: Record<string, unknown> = {},
	): Promise<string> => {
		const node = imageGeneration(
			NAME,
			{ operation: 'removeBackground', ...parameters },
			{ credentials: fixture.credentials },
		);
		const nodes = [trigger, node];
		const wires = chain(trigger.name, NAME);
		return await fixture.api.publish(workflow(address, nodes, wires), address);
	};

	/**
	 * Opens the node's output in the list of executions, and takes two screenshots of it.
	 * @returns the text of the output panel
	 */
	const outputOf = async (workflowId: string, hint: string, picture: string): Promise<string> => {
		const execution = await fixture.api.lastExecution(workflowId);
		assertSuccess(execution);
		const { page, marks, openOutputInList, picture: take } = editor();
		await page.goto(`${fixture.n8n.url}/workflow/${workflowId}/executions/${execution.id}`);
		const output = await openOutputInList(NAME);
		await output.getByText(hint).waitFor();
		await take(`${picture}.png`);
		const text = await output.innerText();
		await output.locator('[data-test-id="ndv-view-binary-data"]').first().click();
		await loadedWidth(output.locator(marks.shownImage));
		await take(`${picture}-image.png`);
		return text;
	};

	describe('The untouched node behind a trigger', () => {
		it('shows the cut-out of a form’s only photo, and what was bought', async () => {
			const id = await publish(form('untouched', 'Your photo', false), '/form/untouched');
			await submitForm(fixture, 'untouched', [photo]);
			const text = await outputOf(id, '1 image was bought.', 'untouched-form');

			assert.doesNotMatch(text, /undefined|\[object/);
			assert.match(text, /photo 1-no-background\.png/);
			assert.equal(fixture.charged().length, 1);
		});

		it('shows the cut-outs of a form’s three photos when set to All Images of the Item', async () => {
			const trigger = form('untouched-three', 'Your photos', true);
			const id = await publish(trigger, '/form/untouched-three', { inputType: 'all' });
			await submitForm(fixture, 'untouched-three', await threePhotos());
			const text = await outputOf(id, '3 images were bought.', 'untouched-form-three');

			assert.doesNotMatch(text, /undefined|\[object/);
			for (const number of [1, 2, 3]) {
				assert.ok(text.includes(`photo ${number}-no-background.png`), text);
			}
			assert.equal(fixture.charged().length, 3);
		});

		it('shows the cut-out of a webhook’s only photo, whatever its part is called', async () => {
			const trigger = webhook('untouched-webhook', { responseData: 'noData' });
			const id = await publish(trigger, '/webhook/untouched-webhook');
			const body = new FormData();
			body.append('Bild', new File([photo], 'Foto.jpg', { type: 'image/jpeg' }));
			await fetch(`${fixture.n8n.url}/webhook/untouched-webhook`, { method: 'POST', body });
			const text = await outputOf(id, '1 image was bought.', 'untouched-webhook');

			assert.doesNotMatch(text, /undefined|\[object/);
			assert.match(text, /Foto-no-background\.png/);
			assert.equal(fixture.charged().length, 1);
		});
	});
}
