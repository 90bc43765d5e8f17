import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertSuccess, rowsOf, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { logged, twoImages } from '../support/twoImages.mjs';

/** What survives when a workflow's timeout ends a run. */
export function timeoutCases(fixture: Fixture, hostName: string): void {
	const { publish, begin, assertTakenOver } = twoImages(fixture);

	describe('The timeout of the workflow', () => {
		interface TimedOut {
			path: string;
			id: string;
			execution: Execution;
		}
		let thenRun: TimedOut;
		let thenRetry: TimedOut;
		before(async () => {
			const timeOut = async (path: string): Promise<TimedOut> => {
				const id = await publish(path, { executionTimeout: 4 });
				await begin(path);
				return { path, id, execution: await fixture.api.lastExecution(id) };
			};
			const paths = ['timeout-then-run', 'timeout-then-retry'];
			[thenRun, thenRetry] = (await Promise.all(paths.map(timeOut))) as [TimedOut, TimedOut];
		});

		it('leaves the finished image to the next run', async () => {
			const { path, id, execution } = thenRun;
			assert.equal(execution.status, 'canceled');
			assert.equal(execution.customData?.imagesPaid, '1');

			await assertTakenOver(path, id);
		});

		const keeps = hostName === 'n8n-2';
		const what = keeps
			? 'keeps the message with the link, and Retry buys only what is missing'
			: 'keeps no message, and Retry runs nothing';
		it(what, async () => {
			const { path, id, execution } = thenRetry;
			const link = fixture.charged(path)[0]?.outputUrl ?? 'no link';
			assert.equal(JSON.stringify(execution.data).includes(link), keeps);
			fixture.sandbox.disarm();
			const again = await fixture.api.retry(id, execution.id);

			assert.equal(fixture.charged(path).length, keeps ? 2 : 1);
			if (keeps) fixture.assertDelivered(again, 'Generate', path);
			else assert.deepEqual(rowsOf(again, 'Generate'), []);
		});
	});
}

/** The same in queue mode. n8n 1 checks the timeout only between nodes. */
export function queueTimeoutCase(fixture: Fixture, hostName: string): void {
	const { publish, begin, assertTakenOver } = twoImages(fixture);
	const path = 'queue-timeout';

	if (hostName === 'n8n-2') {
		it('The timeout of the workflow leaves the finished image to the next run on the same worker', async () => {
			const id = await publish(path, { executionTimeout: 4 });
			await begin(path);
			await logged(fixture.n8n.log, 'cancelled because it timed out');
			// For n8n it is still running, and stays so, so it can't be retried.
			assert.deepEqual(await fixture.api.executions(id), []);

			await assertTakenOver(path, id);
		});
	} else {
		it('The timeout of the workflow does not interrupt the node, which delivers every image', async () => {
			const id = await publish(path, { executionTimeout: 2 });
			fixture.sandbox.arm({ fault: 'delay-after', delayMs: 4000, after: 1 });
			await fixture.call(path, { prompt: path });
			const execution = await fixture.api.lastExecution(id);

			assertSuccess(execution);
			fixture.assertDelivered(execution, 'Generate', path);
			assert.equal(fixture.charged(path).length, 2);
		});
	}
}
