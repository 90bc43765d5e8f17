import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../support/Editor.mjs';
import { assertSuccess, idsIn } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { byForm, byWebhook, refuseThird, stopAtThird } from '../support/fourPhotos.mjs';

const said = (images: number) => (images === 1 ? '1 image was' : `${images} images were`);

/** An execution that stopped at the third of four photos, and its Retry. */
export function retryFromListCases(fixture: Fixture, editor: () => Editor): void {
	describe('Retry in the list of executions', () => {
		for (const [photos, choice] of [
			[byWebhook, 'Retry with currently saved workflow'],
			[byForm, 'Retry with original workflow'],
		] as const) {
			it(`buys only what is missing of photos sent by ${photos.name}, and says so, with ${choice}`, async () => {
				const path = `retry-${photos.name}`.toLowerCase();
				const { workflowId, failed } = await stopAtThird(fixture, photos, path);
				assert.equal(failed.status, 'error');
				const before = fixture.charged().length;
				assert.ok(before < 4);
				assert.equal(failed.data.resultData.metadata?.imagesPaid, String(before));
				const { page, part, openInList } = editor();
				await page.goto(`${fixture.n8n.url}/workflow/${workflowId}/executions/${failed.id}`);
				await part('execution-preview-retry-button').click();
				await page.getByRole('menuitem', { name: choice }).click();
				const again = await fixture.api.lastRetry(workflowId);

				assertSuccess(again);
				// The count continues from the stored data.
				assert.equal(again.data.resultData.metadata?.imagesPaid, '4');
				assert.equal(fixture.charged().length, 4);
				fixture.assertDelivered(again, 'Edit');
				await fixture.assertStored(again, 'Edit');
				const output = await openInList(workflowId, again.id, 'Edit');
				const sum = `${said(4 - before)} bought, ${said(before)} kept from an earlier attempt.`;
				await output.getByText(sum).waitFor();
			});
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
			const again = await Promise.all(failed.map(({ id }) => fixture.api.retry(workflowId, id)));

			for (const execution of again) assertSuccess(execution);
			const charged = fixture.charged().map(({ jobId }) => jobId);
			assert.equal(charged.length, 8);
			assert.deepEqual(again.flatMap((each) => idsIn(each, 'Edit')).sort(), charged.sort());
		});
	});
}
