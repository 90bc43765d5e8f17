import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { twoImages } from '../support/twoImages.mjs';
import { until } from '../support/until.mjs';

/** Where two versions of n8n differ. */
export interface QueueTimeoutMarks {
	/** Whether n8n ends a node's run, or checks the timeout only between nodes. */
	interrupts: boolean;
}

/** A workflow's timeout in queue mode. */
export function queueTimeoutCases(fixture: Fixture, { interrupts }: QueueTimeoutMarks): void {
	const { publish, secondIsInProgress, chargedFor, runAgain } = twoImages(fixture);
	const path = 'queue-timeout';
	const idsCharged = () => chargedFor(path).map(({ jobId }) => jobId);

	describe('The timeout of the workflow', () => {
		if (interrupts) {
			it('leaves the finished image to the next run on the same worker', async () => {
				const workflowId = await publish(path, { executionTimeout: 4 });
				fixture.sandbox.arm({ fault: 'hang', after: 1 });
				await callWebhook(fixture, path, { prompt: path });
				await secondIsInProgress(path);
				await until('n8n logs the timeout', async () =>
					(await readFile(fixture.n8n.log, 'utf8')).includes('cancelled because it timed out'),
				);
				// For n8n it is still running, and stays so, so it can't be retried.
				assert.deepEqual(await fixture.api.executions(workflowId), []);
				fixture.sandbox.disarm();

				assert.deepEqual(await runAgain(path, workflowId, path), idsCharged());
				assert.equal(chargedFor(path).length, 2);
			});
		} else {
			it('does not interrupt the node, which delivers every image', async () => {
				const workflowId = await publish(path, { executionTimeout: 2 });
				fixture.sandbox.arm({ fault: 'delay-after', delayMs: 4000, after: 1 });
				await callWebhook(fixture, path, { prompt: path });
				const execution = await fixture.api.lastExecution(workflowId);

				assertSuccess(execution);
				assert.deepEqual(
					rowsOf(execution, 'Generate').map(({ json }) => json.id),
					idsCharged(),
				);
				assert.equal(chargedFor(path).length, 2);
			});
		}
	});
}
