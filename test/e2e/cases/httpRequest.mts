import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { httpRequest, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { chain, workflow } from '../support/workflow.mjs';

/** n8n's HTTP Request node with our credential. */
export function httpRequestCases(fixture: Fixture): void {
	describe('HTTP Request', () => {
		it('sends our credential’s key in the header', async () => {
			const url = `${fixture.sandbox.url}/api/text2img`;
			const id = await fixture.api.publish(
				workflow(
					'By hand',
					[
						webhook('by-hand', { responseData: 'noData' }),
						httpRequest(url, fixture.credentials, { contentType: 'multipart-form-data' }),
					],
					chain('Webhook', 'HTTP Request'),
				),
				'/webhook/by-hand',
			);
			await callWebhook(fixture, 'by-hand', {});
			const execution = await fixture.api.lastExecution(id);

			assertSuccess(execution);
			const [call, ...others] = fixture.calls();
			assert.deepEqual(others, []);
			assert.equal(call?.headers['api-key'], 'test-key');
			const [job] = fixture.charged();
			assert.deepEqual(
				rowsOf(execution, 'HTTP Request').map(({ json }) => json),
				[{ id: job?.jobId, output_url: job?.outputUrl }],
			);
		});
	});
}
