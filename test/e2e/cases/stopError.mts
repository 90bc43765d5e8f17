import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Editor } from '../support/Editor.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { manualTrigger, stock } from '../support/nodes.mjs';
import { workflow } from '../support/workflow.mjs';

/** What a user sees after paying for three images when the fourth stops the workflow. */
export function stopErrorCases(fixture: Fixture, editor: () => Editor): void {
	it('a stopped workflow shows each paid image on its own line with a link', async () => {
		const body = { err: 'This is not allowed here' };
		fixture.sandbox.arm({ fault: 'status', status: 400, body, when: 'forbidden' });
		const prompts = ['a fox', 'a boat', 'a tree', 'a forbidden fruit'];
		const jsonOutput = JSON.stringify({ prompts });
		const { page, part, openWorkflow, openNode, closeNotes, picture } = editor();
		await openWorkflow(
			workflow('Stops', [
				manualTrigger,
				stock('Prompts', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
				stock('Split Prompts', 'splitOut', 1, { fieldToSplitOut: 'prompts' }),
				fixture.node('Image', {
					operation: 'generate',
					prompt: '={{ $json.prompts }}',
					options: { concurrency: 1 },
				}),
			]),
		);
		await part('execute-workflow-button').click();
		const title = 'Item 4, "a forbidden fruit": This is not allowed here';
		await page.getByText(title).first().waitFor();
		await closeNotes();
		await openNode('Image');
		const description = part('node-error-description');
		await description.waitFor();
		await picture('stop.png');
		// n8n counts from 0.
		assert.equal(await page.getByText('[item').count(), 0);

		const lines = (await description.innerText()).split('\n');
		const charged = fixture.charged();
		const paid = charged.map(
			({ jobId, outputUrl, fields }, index) =>
				`Item ${index + 1}, "${fields['text']}": ${outputUrl} (job ${jobId})`,
		);
		assert.equal(paid.length, 3);
		assert.deepEqual(lines, [
			'The service rejected the request. Check the fields of this item.',
			'Finished and paid for:',
			...paid,
		]);
		const links = description.locator('a[target="_blank"]');
		assert.deepEqual(
			await links.evaluateAll((found: { href: string }[]) => found.map(({ href }) => href)),
			charged.map(({ outputUrl }) => outputUrl),
		);
	});
}
