import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { imageGeneration, manualTrigger } from '../../support/nodes.mjs';
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

		it('say what was reused', async () => {
			await runTwice(true, ['1 image was reused from an earlier run.'], 'reused.png');

			assert.equal(fixture.charged().length, 1);
		});
	});
}
