import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertOnlyLogNames } from '../support/assertOnlyLogNames.mjs';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { twoImages } from '../support/twoImages.mjs';
import { until } from '../support/until.mjs';

/** What survives when n8n's process ends during a run, and what Retry and the next run take over. */
export function cutOffCases(fixture: Fixture): void {
	const { publish, secondIsInProgress, chargedFor, runAgain } = twoImages(fixture);

	/** Asserts that only n8n's log names the finished image, and that Retry buys it again. */
	const assertLost = async (path: string, workflowId: string, logText: string, prompt: string) => {
		const run = { workflowId, logText, purchase: chargedFor(prompt)[0], status: 'crashed' };
		const executionId = await assertOnlyLogNames(fixture, run);

		fixture.sandbox.disarm();
		await fixture.api.retry(executionId, 'currently saved');
		const again = await fixture.api.lastRetry(workflowId);
		assertSuccess(again);
		assert.equal(chargedFor(prompt).length, 3);
		// Nothing is left for the next run either.
		await runAgain(path, workflowId, prompt);
		assert.equal(chargedFor(prompt).length, 5);
	};

	describe('A shutdown of n8n (SIGTERM)', () => {
		it('lets a run finish that ends in time; only the log names what another one bought', async () => {
			const path = 'shutdown';
			const workflowId = await publish(path);
			const slow = { delayMs: 2000, after: 1, when: 'in time' } as const;
			fixture.sandbox.arm({ fault: 'delay-after', ...slow });
			fixture.sandbox.arm({ fault: 'hang', after: 1, when: 'too late' });
			await callWebhook(fixture, path, { prompt: 'in time' });
			await callWebhook(fixture, path, { prompt: 'too late' });
			await Promise.all(['in time', 'too late'].map(secondIsInProgress));
			const { log } = fixture.n8n;
			await until('the log names both purchases', async () => {
				const said = await readFile(log, 'utf8');
				return said.split('was bought: ').length > 2;
			});
			const said = await readFile(log, 'utf8');
			await fixture.restart('stop');

			const all = await fixture.api.executions(workflowId);
			const [done, ...others] = all.filter(({ status }) => status === 'success');
			assert.deepEqual(others, []);
			const finished = await fixture.api.execution(done?.id ?? '');
			assert.deepEqual(
				rowsOf(finished, 'Generate').map(({ json }) => json.id),
				chargedFor('in time').map(({ jobId }) => jobId),
			);
			assert.equal(chargedFor('in time').length, 2);
			await assertLost(path, workflowId, said, 'too late');
		});
	});

	describe('A crash of n8n (SIGKILL)', () => {
		it('leaves only the log, and Retry buys everything again', async () => {
			const path = 'crash';
			// Saving the progress doesn't help: n8n saves after a node, not within it.
			const workflowId = await publish(path, { saveExecutionProgress: true });
			fixture.sandbox.arm({ fault: 'hang', after: 1 });
			await callWebhook(fixture, path, { prompt: path });
			await secondIsInProgress(path);
			const { log } = fixture.n8n;
			await until('the log names the image', async () =>
				(await readFile(log, 'utf8')).includes('was bought: '),
			);
			const said = await readFile(log, 'utf8');
			await fixture.restart('kill');

			await assertLost(path, workflowId, said, path);
		});
	});
}
