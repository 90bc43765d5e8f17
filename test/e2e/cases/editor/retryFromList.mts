import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Editor } from '../../support/Editor.mjs';
import type { Fixture } from '../../support/fixture.mjs';
import { byForm, byWebhook, stopAtThird } from '../../support/fourPhotos.mjs';
import { assertSuccess } from '../../support/rows.mjs';

/** Retry clicked in the list of executions. */
export function retryClickCases(fixture: Fixture, editor: () => Editor): void {
	describe('Retry in the list of executions', () => {
		for (const { photos, choice } of [
			{ photos: byWebhook, choice: 'Retry with currently saved workflow' },
			{ photos: byForm, choice: 'Retry with original workflow' },
		]) {
			it(`buys only what is missing of photos sent by ${photos.name}, and says so, with ${choice}`, async () => {
				const path = `click-${photos.name}`.toLowerCase();
				const { workflowId, failed } = await stopAtThird(fixture, photos, path);
				const before = fixture.charged().length;
				assert.ok(before < 4);
				const { page, part, openOutputInList, picture } = editor();
				const list = `${fixture.n8n.url}/workflow/${workflowId}/executions`;
				await page.goto(`${list}/${failed.id}`);
				await part('execution-preview-retry-button').click();
				await page.getByRole('menuitem', { name: choice }).click();
				const again = await fixture.api.lastRetry(workflowId);

				assertSuccess(again);
				assert.equal(fixture.charged().length, 4);
				await page.goto(`${list}/${again.id}`);
				const output = await openOutputInList('Edit');
				await output
					.getByText(`${said(4 - before)} bought, ${said(before)} kept from an earlier attempt.`)
					.waitFor();
				await picture(`retry-${photos.name.toLowerCase()}.png`);
			});
		}
	});
}

function said(images: number): string {
	return images === 1 ? '1 image was' : `${images} images were`;
}
