import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { imageGeneration, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import { chain, workflow } from '../support/workflow.mjs';

/** Where n8n's ways to run a workflow differ. */
export interface StopMarks {
	/** Whether n8n saves `imagesPaid`, which 2.40.3 does not in queue mode. */
	savesCount: boolean;
}

/** What n8n's Stop button leaves of a production run. */
export function stopCases(fixture: Fixture, { savesCount }: StopMarks): void {
	describe('Stop', () => {
		it('leaves purchases to the next run, which takes them over', async () => {
			const path = 'stopped';
			const id = await fixture.api.publish(
				workflow(
					'Stopped',
					[
						webhook(path, { responseMode: 'onReceived' }),
						imageGeneration(
							'Generate',
							{
								operation: 'generate',
								prompt: '={{ $json.body.prompt }}',
								options: { numberOfImages: 2, concurrency: 1 },
							},
							{ credentials: fixture.credentials },
						),
					],
					chain('Webhook', 'Generate'),
				),
				`/webhook/${path}`,
			);
			fixture.sandbox.arm({ fault: 'hang', after: 1 });
			await callWebhook(fixture, path, { prompt: 'a lighthouse' });
			await until('the second request is in progress', () =>
				Promise.resolve(fixture.charged().length === 1 && fixture.calls().length === 2),
			);
			await fixture.api.stopAll(id);
			const stopped = await fixture.api.lastExecution(id);

			assert.equal(stopped.status, 'canceled');
			if (savesCount) {
				// The node counts at each purchase, because n8n ignores what it returns after Stop.
				await until('n8n has saved what was paid for', async () => {
					const { customData } = await fixture.api.execution(stopped.id);
					return customData?.imagesPaid === '1';
				});
			}
			assert.deepEqual(rowsOf(stopped, 'Generate'), []);
			fixture.sandbox.disarm();
			await callWebhook(fixture, path, { prompt: 'a lighthouse' });
			let succeeded: string | undefined;
			await until('the next run has succeeded', async () => {
				const all = await fixture.api.executions(id);
				succeeded = all.find(({ status }) => status === 'success')?.id;
				return succeeded !== undefined;
			});
			const next = await fixture.api.execution(succeeded ?? '');

			assertSuccess(next);
			assert.deepEqual(
				rowsOf(next, 'Generate').map(({ json }) => json.id),
				fixture.charged().map(({ jobId }) => jobId),
			);
			assert.equal(fixture.charged().length, 2);
		});
	});
}
