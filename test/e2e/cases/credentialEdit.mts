import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSandbox, type Sandbox } from '../../../sandbox/index.js';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { imageGeneration, splitOut, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import { chain, workflow } from '../support/workflow.mjs';

const prompts = ['one', 'two', 'three', 'four'];
const keysIn = (requests: readonly { headers: Record<string, string> }[]) =>
	requests.map(({ headers }) => headers['api-key']);

/** A credential that is changed from one service to another while a batch runs. */
export function credentialEditCases(fixture: Fixture): void {
	describe('a credential that is edited in the middle of a batch', () => {
		let other: Sandbox;
		before(async () => {
			other = await startSandbox({ apiKey: 'key-of-the-other' });
		});
		after(async () => {
			await other.close();
		});

		it('gives neither service the key of the other, and takes effect with the next run', async () => {
			const first = { baseUrl: fixture.sandbox.url, apiKey: 'test-key' };
			const second = { baseUrl: other.url, apiKey: 'key-of-the-other' };
			const edited = await fixture.api.createCredential('Edited', 'imageGenerationApi', first);
			const path = 'edited';
			const id = await fixture.api.publish(
				workflow(
					'Edited credential',
					[
						webhook(path, { responseData: 'noData' }),
						splitOut('prompts'),
						imageGeneration(
							'Generate',
							{
								operation: 'generate',
								prompt: "={{ $json['body.prompts'] }}",
								options: { concurrency: 1 },
							},
							{ credentials: { imageGenerationApi: { id: edited, name: 'Edited' } } },
						),
					],
					chain('Webhook', 'Split Out', 'Generate'),
				),
				`/webhook/${path}`,
			);
			// Long enough to edit the credential while the second request is in progress.
			fixture.sandbox.arm({ fault: 'delay-after', delayMs: 5000, after: 1 });
			const call = callWebhook(fixture, path, { prompts });
			await until('the second request is in progress', () => fixture.calls().length === 2);
			await fixture.api.editCredential(edited, 'Edited', 'imageGenerationApi', second);
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

			const next = await fixture.api.run(id, () => callWebhook(fixture, path, { prompts }));
			assertSuccess(next);
			assert.equal(rowsOf(next, 'Generate').length, prompts.length);
			assert.equal(fixture.calls().length, 2);
			const calls = other.requests.filter(({ method }) => method === 'POST');
			assert.deepEqual(
				keysIn(calls),
				prompts.map(() => 'key-of-the-other'),
			);
		});
	});
}
