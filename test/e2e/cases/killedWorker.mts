import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { assertOnlyLogNames } from '../support/assertOnlyLogNames.mjs';
import { callWebhook } from '../support/callWebhook.mjs';
import { twoImages } from '../support/twoImages.mjs';
import { until } from '../support/until.mjs';
import type { Queue } from '../support/useQueue.mjs';

/** What survives when a worker is killed during a run. Starts another worker. */
export function killedWorkerCases(
	{ fixture, startWorker }: Queue,
	workerToKill: () => N8nProcess,
): void {
	const { publish, secondIsInProgress, chargedFor, runAgain } = twoImages(fixture);

	describe('A killed worker (SIGKILL)', () => {
		it('leaves only its log; Retry runs nothing, and the next run buys its own images', async () => {
			const path = 'killed-worker';
			const worker = workerToKill();
			const workflowId = await publish(path);
			fixture.sandbox.arm({ fault: 'hang', after: 1 });
			await callWebhook(fixture, path, { prompt: path });
			await secondIsInProgress(path);
			const [purchase] = chargedFor(path);
			await until('the log names the image', async () =>
				(await readFile(worker.log, 'utf8')).includes(`was bought: ${purchase?.outputUrl}`),
			);
			await worker.kill();
			await startWorker('two');
			const logText = await readFile(worker.log, 'utf8');
			const lost = { workflowId, logText, purchase, status: 'error' };
			const executionId = await assertOnlyLogNames(fixture, lost);
			fixture.sandbox.disarm();

			// n8n keeps the error of the lost execution in its data, and the retry ends with it.
			await fixture.api.retry(executionId, 'currently saved');
			const again = await fixture.api.lastRetry(workflowId);
			assert.match(
				again.data.resultData.error?.message ?? '',
				/failed to be processed too many times/,
			);
			assert.deepEqual(again.data.resultData.runData, {});
			assert.equal(chargedFor(path).length, 1);

			await runAgain(path, workflowId, path);
			assert.equal(chargedFor(path).length, 3);
		});
	});
}
