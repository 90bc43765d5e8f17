import assert from 'node:assert/strict';
import { it } from 'node:test';
import { click, execute } from '../support/wholeN8n/examples.mjs';
import { assertSuccess, hintsOf, idsIn, rowsOf } from '../support/wholeN8n/execution.mjs';
import { photo, threePhotos, upload, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { form, manualTrigger } from '../support/wholeN8n/nodes.mjs';
import { until } from '../support/wholeN8n/until.mjs';
import { workflow } from '../support/wholeN8n/workflow.mjs';

const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'];

/** What a person repeats by a click. Each version of n8n has another of the two Retries. */
export function retryCases(fixture: Fixture, hostName: string): void {
	const loadWorkflow = hostName === 'n8n-2';
	const choice = loadWorkflow ? 'currently saved' : 'original';
	it(`Retry with the ${choice} workflow buys only what is missing, and says so`, async () => {
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
		// As the list of executions does.
		const retry = `/executions/${failed.id}/retry`;
		const again = await fixture.api.run(failed.workflowId, () =>
			fixture.session.post(retry, { loadWorkflow }),
		);

		assertSuccess(again);
		// The count continues from the stored data.
		assert.equal(again.data.resultData.metadata?.imagesPaid, '4');
		assert.equal(fixture.charged().length, 4);
		fixture.assertDelivered(again, 'Edit');
		await fixture.assertStored(again, 'Edit');
		const sum = '2 images were bought, 2 images were kept from an earlier attempt.';
		assert.ok(hintsOf(again, 'Edit').includes(sum));
	});

	it('after Stop in the editor the next click has what was finished and what was in progress, pays for nothing twice, and the click after it costs nothing', async () => {
		const prompt = 'a lighthouse by night';
		const options = { numberOfImages: 3, concurrency: 1 };
		const node = fixture.node('Image', { operation: 'generate', prompt, options });
		const body = workflow('Stopped', [manualTrigger, node]);
		const id = await fixture.api.createWorkflow(body);
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 8000, after: 1 });
		await click(fixture, id, body);
		await until('the second image is charged', () => fixture.charged().length === 2);
		await fixture.api.stopAll(id);
		const stopped = await fixture.api.lastExecution(id);
		assert.equal(stopped.status, 'canceled');
		assert.deepEqual(rowsOf(stopped, 'Image'), []);
		const next = await execute(fixture, id, body);
		const after = await execute(fixture, id, body);

		assert.equal(next.mode, 'manual');
		const bought = fixture.charged().map(({ jobId }) => jobId);
		assert.equal(bought.length, 3);
		for (const execution of [next, after]) {
			assert.deepEqual(new Set(idsIn(execution, 'Image')), new Set(bought));
		}
		assert.match(hintsOf(next, 'Image'), /1 image was bought\.[^]*2 images are used again /);
		assert.match(hintsOf(after, 'Image'), /3 images are used again .*\d\d:\d\d.* cost nothing/);
	});
}
