import assert from 'node:assert/strict';
import { it } from 'node:test';
import { idsIn } from '../../support/wholeN8n/execution.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { itsPrompt, splitOut, stock, webhook } from '../../support/wholeN8n/nodes.mjs';

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
}
