import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSuccess, rowsOf, type Execution } from '../support/execution.mjs';
import { loggedPrompts, promptsOf, rowsOfTable } from '../support/purchaseLog.mjs';
import { until } from '../support/until.mjs';
import { paidIn, type Queue } from '../support/useQueue.mjs';

/**
 * The Purchase Log, shared by two workers.
 * @param isOld whether the user makes the table, and n8n, as it ships, repeats the executions of a
 * killed worker
 */
export function queueLogCases({ fixture, workers, end }: Queue, isOld: boolean): void {
	const { publish, begin } = loggedPrompts(fixture, !isOld);
	const settings = { onError: 'continueRegularOutput' } as const;
	const successIn = (executions: Execution[]) => {
		const found = executions.find(({ status }) => status === 'success');
		assert.ok(found);
		return found;
	};
	/** Asserts that each image was bought once but the third, which was asked for this often. */
	const assertBoughtOnce = (path: string, execution: Execution, asked: number) => {
		const [fox, hare, crow, owl] = promptsOf(path);
		assert.equal(rowsOf(execution, 'Generate').length, 4);
		for (const prompt of [fox, hare, owl]) assert.equal(fixture.charged(prompt).length, 1);
		assert.equal(fixture.calls(crow).length, asked);
	};

	describe('Purchase Log with two workers', () => {
		it('gives each of ten executions its own images, also for the same request', async () => {
			await workers(2, true);
			const path = 'log-ten';
			const { id, table } = await publish(path, { concurrency: 5 }, settings);
			fixture.sandbox.arm({ fault: 'delay', delayMs: 1000, times: 40 });
			const calls = Array.from({ length: 10 }, async (_, call) => {
				// The first two ask for the same.
				await fixture.call(path, { prompts: promptsOf(`${Math.max(1, call)}`) });
			});
			await Promise.all(calls);
			const executions = await fixture.api.finished(id, 10);

			for (const execution of executions) assertSuccess(execution);
			const items = executions.flatMap((each) => rowsOf(each, 'Generate'));
			assert.deepEqual(
				items.flatMap(({ json }) => json.error ?? []),
				[],
			);
			const links = new Set(items.map(({ json }) => json.output_url));
			assert.equal(links.size, 40);
			assert.equal(fixture.charged().length, 40);
			const rows = await rowsOfTable(fixture, table);
			assert.equal(rows.length, 40);
			assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['delivered']));
			assert.deepEqual(new Set(rows.map(({ link }) => link)), links);
		});

		it('takes over on another worker what a stopped run bought', async () => {
			const both = await workers(2, true);
			const path = 'log-stopped-worker';
			const { id, table } = await publish(path, {}, settings);
			await begin(path, table);
			const [bought] = fixture.charged(promptsOf(path)[0]);
			let [itsWorker] = both;
			await until('a worker has logged the first image', async () => {
				const logs = await Promise.all(both.map(paidIn));
				itsWorker = both.find((_, index) => logs[index]?.has(bought?.jobId ?? ''));
				return itsWorker !== undefined;
			});
			await fixture.api.stopAll(id);
			await fixture.api.finished(id, 1);
			assert.ok(itsWorker);
			await end(itsWorker, 'stop');
			fixture.sandbox.disarm();
			await fixture.call(path, { prompts: promptsOf(path) });

			assertBoughtOnce(path, successIn(await fixture.api.finished(id, 2)), 2);
		});

		it('takes over what a killed worker bought, and never sends the rest of it twice', async () => {
			const [only] = await workers(1, true);
			const path = 'log-worker';
			const { id, table } = await publish(path, {}, settings);
			await begin(path, table);
			assert.ok(only);
			await end(only, 'kill');
			fixture.sandbox.disarm();
			await workers(1, true);
			if (!isOld) {
				await fixture.api.finished(id, 1);
				await fixture.call(path, { prompts: promptsOf(path) });
			}
			const execution = successIn(await fixture.api.finished(id, isOld ? 1 : 2));

			assertBoughtOnce(path, execution, isOld ? 1 : 2);
			const crow = JSON.stringify(rowsOf(execution, 'Generate')[2]?.json);
			if (isOld) {
				// n8n 1 runs the same execution again: the node can't know whether it was charged.
				assert.match(crow, /The connection closed before the service responded/);
				assert.match(crow, /You may have been charged/);
			} else {
				assert.match(crow, /output_url/);
			}
		});
	});
}
