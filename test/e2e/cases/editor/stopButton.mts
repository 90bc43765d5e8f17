import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { imageGeneration, manualTrigger } from '../../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../../support/rows.mjs';
import { until } from '../../support/until.mjs';
import { chain, workflow } from '../../support/workflow.mjs';

/** The Stop button on the canvas. */
export function stopButtonCases(fixture: Fixture, editor: () => Editor): void {
	describe('The Stop button of the editor', () => {
		it('leaves purchases to the next run, which takes them over and says so', async () => {
			const id = await fixture.api.createWorkflow(
				workflow(
					'Stopped by hand',
					[
						manualTrigger,
						imageGeneration(
							'Image',
							{
								operation: 'generate',
								prompt: 'a lighthouse by night',
								options: { numberOfImages: 3, concurrency: 1 },
							},
							{ credentials: fixture.credentials },
						),
					],
					chain('Start', 'Image'),
				),
			);
			const { page, part, openWorkflow, openNode, closeNode, closeNotes, picture } = editor();
			await openWorkflow(`${fixture.n8n.url}/workflow/${id}`);
			fixture.sandbox.arm({ fault: 'hang', after: 1 });
			await part('execute-workflow-button').click();
			await until(
				'the second request is in progress',
				() => fixture.downloads().length === 1 && fixture.calls()[1]?.fault !== undefined,
			);
			await part('stop-execution-button').click();
			const stopped = await fixture.api.lastExecution(id);
			assert.equal(stopped.status, 'canceled');
			assert.deepEqual(rowsOf(stopped, 'Image'), []);

			fixture.sandbox.disarm();
			await closeNotes();
			const next = await fixture.api.run(id, () => part('execute-workflow-button').click());
			await page.getByText('Workflow executed successfully').waitFor();
			await closeNotes();
			assertSuccess(next);
			assert.deepEqual(
				rowsOf(next, 'Image').map(({ json }) => json.id),
				fixture.charged().map(({ jobId }) => jobId),
			);
			assert.equal(fixture.charged().length, 3);

			await openNode('Image');
			await part('output-panel')
				.getByText('2 images were bought, 1 image was kept from a stopped run.')
				.waitFor();
			await picture('taken-over.png');
			await closeNode();
		});
	});
}
