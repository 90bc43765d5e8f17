import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { twoImages } from '../support/twoImages.mjs';

/** Where two versions of n8n differ. */
export interface TimeoutMarks {
	/** Whether n8n keeps the node's error message after the workflow's timeout. */
	keepsMessage: boolean;
}

/** What survives when a workflow's timeout ends a run. */
export function timeoutCases(fixture: Fixture, { keepsMessage }: TimeoutMarks): void {
	const { publish, secondIsInProgress, chargedFor, runAgain } = twoImages(fixture);

	describe('The timeout of the workflow', () => {
		const timedOut = async (path: string) => {
			const workflowId = await publish(path, { executionTimeout: 4 });
			fixture.sandbox.arm({ fault: 'hang', after: 1 });
			await callWebhook(fixture, path, { prompt: path });
			await secondIsInProgress(path);
			const execution = await fixture.api.lastExecution(workflowId);
			fixture.sandbox.disarm();
			return { workflowId, execution };
		};

		it('leaves the finished image to the next run', async () => {
			const path = 'timeout-then-run';
			const { workflowId, execution } = await timedOut(path);
			assert.equal(execution.status, 'canceled');
			assert.equal(execution.customData?.imagesPaid, '1');

			assert.deepEqual(
				await runAgain(path, workflowId, path),
				chargedFor(path).map(({ jobId }) => jobId),
			);
			assert.equal(chargedFor(path).length, 2);
		});

		if (keepsMessage) {
			it('keeps the message with the link, and Retry buys only what is missing', async () => {
				const path = 'timeout-then-retry';
				const { workflowId, execution } = await timedOut(path);
				const { error } = execution.data.resultData;
				assert.ok(error?.description?.includes(chargedFor(path)[0]?.outputUrl ?? 'no link'));

				await fixture.api.retry(execution.id, 'currently saved');
				const again = await fixture.api.lastRetry(workflowId);
				assertSuccess(again);
				assert.deepEqual(
					rowsOf(again, 'Generate').map(({ json }) => json.id),
					chargedFor(path).map(({ jobId }) => jobId),
				);
				assert.equal(chargedFor(path).length, 2);
			});
		} else {
			it('keeps no message, and Retry runs nothing', async () => {
				const path = 'timeout-then-retry';
				const { workflowId, execution } = await timedOut(path);
				assert.equal(execution.data.resultData.error, undefined);

				await fixture.api.retry(execution.id, 'currently saved');
				const again = await fixture.api.lastRetry(workflowId);
				assert.deepEqual(rowsOf(again, 'Generate'), []);
				assert.equal(chargedFor(path).length, 1);
			});
		}
	});
}
