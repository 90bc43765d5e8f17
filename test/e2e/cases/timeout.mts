import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertSuccess, rowsOf, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { logged, twoImages } from '../support/twoImages.mjs';

/** What survives when a workflow's timeout ends a run. */
export function timeoutCases(fixture: Fixture, hostName: string): void {
	const { publish, begin, runAgain } = twoImages(fixture);

	describe('The timeout of the workflow', () => {
		interface TimedOut {
			path: string;
			workflowId: string;
			execution: Execution;
		}
		let thenRun: TimedOut;
		let thenRetry: TimedOut;
		before(async () => {
			const timeOut = async (path: string): Promise<TimedOut> => {
				const workflowId = await publish(path, { executionTimeout: 4 });
				await begin(path);
				return { path, workflowId, execution: await fixture.api.lastExecution(workflowId) };
			};
			const paths = ['timeout-then-run', 'timeout-then-retry'];
			[thenRun, thenRetry] = (await Promise.all(paths.map(timeOut))) as [TimedOut, TimedOut];
		});

		it('leaves the finished image to the next run', async () => {
			const { path, workflowId, execution } = thenRun;
			assert.equal(execution.status, 'canceled');
			assert.equal(execution.customData?.imagesPaid, '1');

			fixture.assertDelivered(await runAgain(path, workflowId), 'Generate', path);
			assert.equal(fixture.charged(path).length, 2);
		});

		const retried = () => fixture.api.retry(thenRetry.workflowId, thenRetry.execution.id);
		if (hostName === 'n8n-2') {
			it('keeps the message with the link, and Retry buys only what is missing', async () => {
				const { path, execution } = thenRetry;
				const { description = '' } = execution.data.resultData.error ?? {};
				assert.ok(description.includes(fixture.charged(path)[0]?.outputUrl ?? 'no link'));

				const again = await retried();
				assertSuccess(again);
				fixture.assertDelivered(again, 'Generate', path);
				assert.equal(fixture.charged(path).length, 2);
			});
		} else {
			it('keeps no message, and Retry runs nothing', async () => {
				assert.equal(thenRetry.execution.data.resultData.error, undefined);

				assert.deepEqual(rowsOf(await retried(), 'Generate'), []);
				assert.equal(fixture.charged(thenRetry.path).length, 1);
			});
		}
	});
}

/** The same in queue mode. n8n 1 checks the timeout only between nodes. */
export function queueTimeoutCases(fixture: Fixture, hostName: string): void {
	const { publish, begin, runAgain } = twoImages(fixture);
	const path = 'queue-timeout';

	describe('The timeout of the workflow', () => {
		if (hostName === 'n8n-2') {
			it('leaves the finished image to the next run on the same worker', async () => {
				const workflowId = await publish(path, { executionTimeout: 4 });
				await begin(path);
				await logged(fixture.n8n.log, 'cancelled because it timed out');
				// For n8n it is still running, and stays so, so it can't be retried.
				assert.deepEqual(await fixture.api.executions(workflowId), []);
				fixture.sandbox.disarm();

				fixture.assertDelivered(await runAgain(path, workflowId), 'Generate', path);
				assert.equal(fixture.charged(path).length, 2);
			});
		} else {
			it('does not interrupt the node, which delivers every image', async () => {
				const workflowId = await publish(path, { executionTimeout: 2 });
				fixture.sandbox.arm({ fault: 'delay-after', delayMs: 4000, after: 1 });
				await fixture.call(path, { prompt: path });
				const execution = await fixture.api.lastExecution(workflowId);

				assertSuccess(execution);
				fixture.assertDelivered(execution, 'Generate', path);
				assert.equal(fixture.charged(path).length, 2);
			});
		}
	});
}
