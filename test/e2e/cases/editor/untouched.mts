import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openPage } from '../../../../scripts/host/openEditor.mjs';
import type { Editor } from '../../support/Editor.mjs';
import { photo, type Fixture } from '../../support/fixture.mjs';
import { imageGeneration, webhook } from '../../support/nodes.mjs';
import { assertSuccess } from '../../support/rows.mjs';
import { until } from '../../support/until.mjs';
import { withPage } from '../../support/withPage.mjs';
import { chain, workflow, type WorkflowNode } from '../../support/workflow.mjs';
import { form, photos } from '../severalFiles.mjs';

/** What is read of an image in the browser, whose own types are not known here. */
interface Picture {
	complete: boolean;
	naturalWidth: number;
}

const NAME = 'Remove background';

/** What a person sees of a node that they have just put behind a trigger. */
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

	/** Sends files by a form, as a person does, and takes a picture of what the form says then. */
	const submit = async (path: string, files: readonly Buffer[]): Promise<void> => {
		const names = files.map((_, index) => join(fixture.files, `photo ${index + 1}.jpg`));
		await Promise.all(
			files.map(async (bytes, index) => await writeFile(names[index] ?? '', bytes)),
		);
		await withPage(openPage(fixture.n8n.url), path, async (page) => {
			await page.goto(`${fixture.n8n.url}/form/${path}`);
			await page.setInputFiles('input[type="file"]', names);
			await page.click('#submit-btn');
			await page.getByText('Your response has been recorded').waitFor({ timeout: 60_000 });
		});
	};

	/**
	 * Opens what the node gave out in the list of executions, and takes two pictures of it.
	 * @returns the words of the output panel
	 */
	const outputOf = async (workflowId: string, hint: string, picture: string): Promise<string> => {
		const execution = await fixture.api.lastExecution(workflowId);
		assertSuccess(execution);
		const { page, marks, openOutputInList, picture: take } = editor();
		await page.goto(`${fixture.n8n.url}/workflow/${workflowId}/executions/${execution.id}`);
		const output = await openOutputInList(NAME);
		await output.getByText(hint).waitFor();
		await take(`${picture}.png`);
		const words = await output.innerText();
		await output.locator('[data-test-id="ndv-view-binary-data"]').first().click();
		const image = output.locator(marks.shownImage);
		await until('the image is loaded', async () =>
			image.evaluate((shown: Picture) => shown.complete && shown.naturalWidth > 0),
		);
		await take(`${picture}-image.png`);
		return words;
	};

	describe('The untouched node behind a trigger', () => {
		it('shows the cut-out of the one photo of a form, and what it cost', async () => {
			const id = await publish(form('untouched', 'Your photo', false), '/form/untouched');
			await submit('untouched', [photo]);
			const words = await outputOf(id, '1 image was bought.', 'untouched-form');

			assert.doesNotMatch(words, /undefined|\[object/);
			assert.match(words, /photo 1-no-background\.png/);
			assert.equal(fixture.charged().length, 1);
		});

		it('shows the cut-outs of three photos of a form, set to All Images of the Item', async () => {
			const trigger = form('untouched-three', 'Your photos', true);
			const id = await publish(trigger, '/form/untouched-three', { inputType: 'all' });
			await submit('untouched-three', await photos());
			const words = await outputOf(id, '3 images were bought.', 'untouched-form-three');

			assert.doesNotMatch(words, /undefined|\[object/);
			for (const number of [1, 2, 3]) {
				assert.ok(words.includes(`photo ${number}-no-background.png`), words);
			}
			assert.equal(fixture.charged().length, 3);
		});

		it('shows the cut-out of the one photo of a webhook, whatever its part is called', async () => {
			const trigger = webhook('untouched-webhook', { responseData: 'noData' });
			const id = await publish(trigger, '/webhook/untouched-webhook');
			const body = new FormData();
			body.append('Bild', new File([photo], 'Foto.jpg', { type: 'image/jpeg' }));
			await fetch(`${fixture.n8n.url}/webhook/untouched-webhook`, { method: 'POST', body });
			const words = await outputOf(id, '1 image was bought.', 'untouched-webhook');

			assert.doesNotMatch(words, /undefined|\[object/);
			assert.match(words, /Foto-no-background\.png/);
			assert.equal(fixture.charged().length, 1);
		});
	});
}
