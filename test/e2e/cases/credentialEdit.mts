import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startSandbox } from '../../../sandbox/index.js';
import { assertSuccess, rowsOf } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { itsPrompt, splitOut, webhook } from '../support/nodes.mjs';
import { until } from '../support/until.mjs';

const prompts = ['one', 'two', 'three', 'four'];
const keysIn = (requests: readonly { headers: Record<string, string> }[]) =>
	requests.map(({ headers }) => headers['api-key']);

/** A credential that is changed from one service to another while a batch runs. */
export function credentialEditCases(fixture: Fixture): void {
	it('a credential that is edited in the middle of a batch gives neither service the key of the other, and takes effect with the next run', async (context) => {
		const apiKey = 'key-of-the-other';
		const other = await startSandbox({ apiKey });
		context.after(async () => {
			await other.close();
		});
		const credential = ['Edited', 'imageGenerationApi'] as const;
		const first = { baseUrl: fixture.sandbox.url, apiKey: 'test-key' };
		const edited = await fixture.api.createCredential(...credential, first);
		const path = 'edited';
		const options = { concurrency: 1 };
		const parameters = { operation: 'generate', prompt: itsPrompt, options };
		const credentials = { imageGenerationApi: { id: edited, name: 'Edited' } };
		const node = fixture.node('Generate', parameters, { credentials });
		const id = await fixture.publish([webhook(path), splitOut, node]);
		// Long enough to edit the credential while the second request is in progress.
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 4000, after: 1 });
		const call = fixture.call(path, { prompts });
		await until('the second request is in progress', () => fixture.calls().length === 2);
		await fixture.api.editCredential(edited, ...credential, { baseUrl: other.url, apiKey });
		assert.equal(fixture.calls()[1]?.status, null);
		await call;
		const stopped = await fixture.api.lastExecution(id);

		assert.equal(stopped.status, 'error');
		assert.match(
			stopped.data.resultData.error?.message ?? '',
			/^Item 3, "three": The credential was edited while the workflow was running/,
		);
		assert.deepEqual(keysIn(fixture.calls()), ['test-key', 'test-key']);
		assert.deepEqual(other.requests, []);

		const next = await fixture.api.run(id, () => fixture.call(path, { prompts }));
		assertSuccess(next);
		assert.equal(rowsOf(next, 'Generate').length, prompts.length);
		assert.equal(fixture.calls().length, 2);
		const calls = other.requests.filter(({ method }) => method === 'POST');
		assert.deepEqual(
			keysIn(calls),
			prompts.map(() => apiKey),
		);
	});
}
