import assert from 'node:assert/strict';
import { it } from 'node:test';
import { photoOf, upload, type Fixture } from '../support/wholeN8n/fixture.mjs';
import { callOf, stock, webhook } from '../support/wholeN8n/nodes.mjs';

/** A photo arrives at a webhook and is returned, cut out in a sub-workflow. */
export function subWorkflowCase(fixture: Fixture): void {
	it('a sub-workflow receives its caller’s only photo, whatever its part is called, and returns the exact bytes that the service made', async () => {
		const cutOut = fixture.node('Cut out', { operation: 'removeBackground' });
		const id = await fixture.publishCalled('Cut out', cutOut);
		const call = callOf(id);
		const respond = stock('Respond', 'respondToWebhook', 1.4, {
			respondWith: 'binary',
			responseDataSource: 'set',
			inputFieldName: 'data',
			options: {},
		});
		await fixture.publish([webhook('sub', 'responseNode'), call, respond]);
		const answer = await fixture.call('sub', upload(['Bild', 'Foto.jpg', photoOf('sub-workflow')]));

		assert.equal(answer.headers.get('content-type'), 'image/png');
		const [job, ...others] = fixture.charged();
		assert.deepEqual(others, []);
		const bytes = Buffer.from(await answer.arrayBuffer());
		assert.deepEqual(bytes, await fixture.sandbox.output(job?.jobId ?? ''));
	});
}
