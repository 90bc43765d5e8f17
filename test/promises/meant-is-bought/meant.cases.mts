import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, idsIn } from '../../support/wholeN8n/execution.mjs';
import { photo, upload, type Fixture } from '../../support/wholeN8n/fixture.mjs';
import { form, itsPrompt, splitOut, stock, webhook } from '../../support/wholeN8n/nodes.mjs';

/** What was meant is bought, as people run into it in n8n. */
export function meantCases(fixture: Fixture): void {
	it('a picture that a workflow rejects with Stop And Error is bought again', async () => {
		const prompt = 'A rejected fox';
		const path = 'gate';
		const id = await fixture.publish([
			webhook(path, 'onReceived'),
			splitOut,
			fixture.node('Generate', { operation: 'generate', size: '128x128', prompt: itsPrompt }),
			stock('Reject', 'stopAndError', 1, { errorMessage: 'picture rejected' }),
		]);
		const call = async () => await fixture.call(path, { prompts: [prompt] });
		const first = await fixture.api.run(id, call);
		const second = await fixture.api.run(id, call);

		assert.deepEqual([first.status, second.status], ['error', 'error']);
		assert.equal(fixture.charged(prompt).length, 2);
		assert.notDeepEqual(idsIn(first, 'Generate'), idsIn(second, 'Generate'));
	});

	it('a visitor of a form who has each result edited again gets every image', async () => {
		const path = 'again-and-again';
		const prompt = 'a little brighter';
		const edit = fixture.node('Edit', { operation: 'edit', inputType: 'all', prompt });
		const id = await fixture.publish([form(path, 'Photo'), edit]);
		let file: Buffer = photo;
		for (let edits = 1; edits <= 3; edits++) {
			await fixture.call(path, upload(['field-0', 'photo.jpg', file]), 'form');
			const executions = await fixture.api.finished(id, edits);
			executions.forEach(assertSuccess);
			const jobs = fixture.charged(prompt);
			assert.equal(jobs.length, edits);
			file = await fixture.sandbox.output(jobs.at(-1)?.jobId ?? '');
		}
	});
}
