import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rowsOf } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import { until } from '../support/until.mjs';

/** What n8n's Stop leaves of a production run, and of one in queue mode. */
export function stopCases(fixture: Fixture, inQueueMode = false): void {
	describe('Stop', () => {
		it('leaves purchases to the next run, which takes them over', async () => {
			const flow = await FourImages.begin(fixture, 'stopped');
			await fixture.api.stopAll(flow.id);
			const stopped = await fixture.api.lastExecution(flow.id);
			assert.equal(stopped.status, 'canceled');
			// n8n 2.41.1 does not save it in queue mode.
			if (!inQueueMode) {
				// The node counts at each purchase, because n8n ignores what it returns after Stop.
				await until('n8n has saved what was paid for', async () => {
					const { customData } = await fixture.api.execution(stopped.id);
					return customData?.imagesPaid === '2';
				});
			}
			assert.deepEqual(rowsOf(stopped, 'Generate'), []);

			await flow.assertTakenOver();
		});

		if (inQueueMode) return;
		it('leaves what a run bought that waits between two attempts', async () => {
			const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 5000 };
			const flow = await FourImages.publish(fixture, 'stopped-waiting', { node });
			fixture.sandbox.arm({ fault: 'status', status: 400, when: 'crow' });
			await flow.call();
			await until('the first attempt was refused', () =>
				fixture.calls().some(({ status }) => status === 400),
			);
			await fixture.api.stopAll(flow.id);
			assert.equal((await fixture.api.lastExecution(flow.id)).status, 'canceled');

			await flow.assertTakenOver();
		});
	});
}
