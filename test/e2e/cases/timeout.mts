import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { rowsOf } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';

/** What survives when a workflow's timeout ends a run. */
export function timeoutCases(fixture: Fixture, hostName: string, inQueueMode = false): void {
	describe('The timeout of the workflow', () => {
		let thenRun: FourImages;
		let thenRetry: FourImages;
		before(async () => {
			const begin = async (path: string) =>
				await FourImages.begin(fixture, path, { settings: { executionTimeout: 4 } });
			const begun = [begin('timeout-then-run'), begin('timeout-then-retry')] as const;
			[thenRun, thenRetry] = await Promise.all(begun);
		});

		it('leaves the finished images to the next run', async () => {
			const execution = await fixture.api.lastExecution(thenRun.id);
			assert.equal(execution.status, 'canceled');
			// n8n 2.41.1 does not save it in queue mode.
			if (!inQueueMode) assert.equal(execution.customData?.imagesPaid, '2');

			await thenRun.assertTakenOver();
		});

		const isNew = hostName === 'n8n-2';
		const what = isNew
			? 'keeps the message with the links, and Retry buys only what is missing'
			: 'keeps no message, and Retry runs nothing';
		it(what, async () => {
			const flow = thenRetry;
			const execution = await fixture.api.lastExecution(flow.id);
			const { description = '' } = execution.data.resultData.error ?? {};
			const links = flow.prompts.flatMap((prompt) =>
				fixture.charged(prompt).map(({ outputUrl }) => outputUrl),
			);
			assert.equal(links.length, 2);
			for (const link of links) assert.equal(description.includes(link), isNew);
			fixture.sandbox.disarm();
			const again = await fixture.api.retry(flow.id, execution.id);

			if (isNew) return await flow.assertCompleted(again);
			assert.deepEqual(rowsOf(again, 'Generate'), []);
			assert.equal(fixture.calls(flow.prompts[2]).length, 1);
		});
	});
}

/** The same in queue mode, on one worker. n8n 1 checks the timeout only between nodes. */
export function queueTimeoutCase(fixture: Fixture, hostName: string): void {
	if (hostName === 'n8n-2') timeoutCases(fixture, hostName, true);
	else {
		it('The timeout of the workflow does not interrupt the node, which delivers every image', async () => {
			const flow = await FourImages.publish(fixture, 'queue-timeout', {
				settings: { executionTimeout: 2 },
			});
			fixture.sandbox.arm({ fault: 'delay-after', delayMs: 4000, when: 'crow' });

			await flow.assertCompleted(await flow.run(), 1);
		});
	}
}
