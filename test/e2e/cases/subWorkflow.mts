import assert from 'node:assert/strict';
import { it } from 'node:test';
import { photo, upload, type Fixture } from '../support/fixture.mjs';
import { callOf, stock, webhook, whenCalled } from '../support/nodes.mjs';
import { workflow } from '../support/workflow.mjs';

/** A photo arrives at a webhook and is returned, cut out in a sub-workflow. */
export function subWorkflowCase(fixture: Fixture): void {
	it('a sub-workflow receives its caller’s only photo, whatever its part is called, and returns the exact bytes that the service made', async () => {
		const id = await fixture.api.createWorkflow(
			workflow('Cut out', [whenCalled, fixture.node('Cut out', { operation: 'removeBackground' })]),
		);
		// n8n 2 runs only published workflows; n8n 1 cannot publish one without an event trigger.
		if (fixture.host.version.startsWith('2.')) await fixture.api.activate(id);
		const call = callOf(id);
		const respond = stock('Respond', 'respondToWebhook', 1.4, {
			respondWith: 'binary',
			responseDataSource: 'set',
			inputFieldName: 'data',
			options: {},
		});
		await fixture.publish([webhook('sub', 'responseNode'), call, respond]);
		const answer = await fixture.call('sub', upload(['Bild', 'Foto.jpg', photo]));

		assert.equal(answer.headers.get('content-type'), 'image/png');
		const [job, ...others] = fixture.charged();
		assert.deepEqual(others, []);
		const bytes = Buffer.from(await answer.arrayBuffer());
		assert.deepEqual(bytes, await fixture.sandbox.output(job?.jobId ?? ''));
	});
}
