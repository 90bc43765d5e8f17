import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Editor } from '../support/Editor.mjs';
import { assertSuccess } from '../support/execution.mjs';
import { photo, upload, type Fixture } from '../support/fixture.mjs';
import { form } from '../support/nodes.mjs';

const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg'];
const said = (images: number) => (images === 1 ? '1 image was' : `${images} images were`);

/** An execution that stopped at the third of a form's four photos, and its Retry. */
export function retryFromListCase(
	fixture: Fixture,
	editor: () => Editor,
	choice: 'Retry with currently saved workflow' | 'Retry with original workflow',
): void {
	it(`${choice} in the list of executions buys only what is missing, and says so`, async () => {
		const node = fixture.node('Edit', {
			operation: 'edit',
			inputType: 'all',
			prompt: 'make it black and white',
			options: { concurrency: 1 },
		});
		const body = { err: 'This is not allowed here' };
		fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'three' });
		const photos = upload(...names.map((name) => ['field-0', name, photo] as const));
		const failed = await fixture.run([form('retry', 'Photos', true), node], photos);
		assert.equal(failed.status, 'error');
		// Usually 2; the files once came in another order (n8n 2.40.3).
		const before = fixture.charged().length;
		assert.ok(before < 4);
		assert.equal(failed.data.resultData.metadata?.imagesPaid, String(before));
		const { page, part, openInList } = editor();
		const { workflowId } = failed;
		await page.goto(`${fixture.n8n.url}/workflow/${workflowId}/executions/${failed.id}`);
		await part('execution-preview-retry-button').click();
		const again = await fixture.api.run(workflowId, () =>
			page.getByRole('menuitem', { name: choice }).click(),
		);

		assertSuccess(again);
		// The count continues from the stored data.
		assert.equal(again.data.resultData.metadata?.imagesPaid, '4');
		assert.equal(fixture.charged().length, 4);
		fixture.assertDelivered(again, 'Edit');
		await fixture.assertStored(again, 'Edit');
		const output = await openInList(again, 'Edit');
		const sum = `${said(4 - before)} bought, ${said(before)} kept from an earlier attempt.`;
		await output.getByText(sum).waitFor();
	});
}
