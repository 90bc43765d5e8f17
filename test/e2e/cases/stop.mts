import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { rowsOf } from '../support/rows.mjs';
import { twoImages } from '../support/twoImages.mjs';
import { until } from '../support/until.mjs';

/** Where n8n's ways to run a workflow differ. */
export interface StopMarks {
	/** Whether n8n saves `imagesPaid`, which 2.40.3 does not in queue mode. */
	savesCount: boolean;
}

/** What n8n's Stop button leaves of a production run. */
export function stopCases(fixture: Fixture, { savesCount }: StopMarks): void {
	const { publish, secondIsInProgress, chargedFor, runAgain } = twoImages(fixture);

	/** Publishes it, and stops its first run while the second request is in progress. */
	const stopInSecond = async (path: string) => {
		const id = await publish(path);
		fixture.sandbox.arm({ fault: 'hang', after: 1 });
		await callWebhook(fixture, path, { prompt: path });
		await secondIsInProgress(path);
		await fixture.api.stopAll(id);
		return { id, stopped: await fixture.api.lastExecution(id) };
	};
	/** Runs again, and asserts that the one image that was finished is not bought again. */
	const assertTakenOver = async (path: string, id: string) => {
		const delivered = await runAgain(path, id, path);
		assert.deepEqual(
			delivered,
			chargedFor(path).map(({ jobId }) => jobId),
		);
		assert.equal(chargedFor(path).length, 2);
	};

	describe('Stop', () => {
		it('leaves purchases to the next run, which takes them over', async () => {
			const path = 'stopped';
			const { id, stopped } = await stopInSecond(path);
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

			await assertTakenOver(path, id);
		});

		it('leaves them to the next run that asks for them, whatever runs in between', async () => {
			const path = 'stopped-between';
			const { id } = await stopInSecond(path);
			fixture.sandbox.disarm();
			await runAgain(path, id, 'something else');
			assert.equal(chargedFor('something else').length, 2);

			await assertTakenOver(path, id);
		});

		it('leaves what a run bought that waits between two attempts', async () => {
			const path = 'stopped-waiting';
			const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 5000 };
			const id = await publish(path, {}, node);
			fixture.sandbox.arm({ fault: 'status', status: 400, after: 1 });
			await callWebhook(fixture, path, { prompt: path });
			await until('the first attempt was refused', () =>
				fixture.calls().some(({ status }) => status === 400),
			);
			await fixture.api.stopAll(id);
			assert.equal((await fixture.api.lastExecution(id)).status, 'canceled');
			fixture.sandbox.disarm();

			await assertTakenOver(path, id);
		});
	});
}
