import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fixture } from '../support/fixture.mjs';
import { byForm, byWebhook, refuseThird, stopAtThird } from '../support/fourPhotos.mjs';
import type { Execution } from '../support/N8nApi.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';

/** An execution that stopped at the third of four photos, retried through n8n's API. */
export function retryFromListCases(fixture: Fixture): void {
	const idsIn = (execution: Execution) => rowsOf(execution, 'Edit').map(({ json }) => json.id);

	describe('Retry through the API', () => {
		for (const photos of [byWebhook, byForm]) {
			for (const which of ['currently saved', 'original'] as const) {
				it(`buys only what is missing of photos sent by ${photos.name}, with the ${which} workflow`, async () => {
					const path = `retry-${photos.name}-${which.slice(0, 3)}`.toLowerCase();
					const { workflowId, failed } = await stopAtThird(fixture, photos, path);
					assert.equal(failed.status, 'error');
					const before = fixture.charged().length;
					assert.ok(before < 4);
					assert.equal(failed.data.resultData.metadata?.imagesPaid, String(before));
					await fixture.api.retry(failed.id, which);
					const again = await fixture.api.lastRetry(workflowId);

					assertSuccess(again);
					// The count continues from the stored data.
					assert.equal(again.data.resultData.metadata?.imagesPaid, '4');
					const charged = fixture.charged();
					assert.equal(charged.length, 4);
					assert.deepEqual(
						idsIn(again),
						charged.map(({ jobId }) => jobId),
					);
					for (const { json, binary } of rowsOf(again, 'Edit')) {
						assert.ok(binary?.data);
						const image = await fixture.api.bytesOf(binary.data);
						assert.deepEqual(image, await fixture.sandbox.output(String(json.id)));
					}
				});
			}
		}

		it('never mixes the jobs of two concurrent executions', async () => {
			const path = 'retry-two';
			const workflowId = await byWebhook.publish(fixture, path);
			refuseThird(fixture, 2);
			await Promise.all([byWebhook.send(fixture, path), byWebhook.send(fixture, path)]);
			const failed = await fixture.api.executions(workflowId);
			assert.deepEqual(
				failed.map(({ status }) => status),
				['error', 'error'],
			);
			assert.ok(fixture.charged().length < 8);
			await Promise.all(failed.map(({ id }) => fixture.api.retry(id, 'currently saved')));
			const all = await fixture.api.executions(workflowId);
			const again = await Promise.all(
				all.filter(({ mode }) => mode === 'retry').map(({ id }) => fixture.api.execution(id)),
			);

			assert.equal(again.length, 2);
			for (const execution of again) assertSuccess(execution);
			const charged = fixture.charged().map(({ jobId }) => jobId);
			assert.equal(charged.length, 8);
			assert.deepEqual(again.flatMap(idsIn).map(String).sort(), charged.sort());
		});
	});
}
