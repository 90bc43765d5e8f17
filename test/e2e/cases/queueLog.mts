import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertSuccess, rowsOf, type Execution } from '../support/execution.mjs';
import { loggedPrompts, promptsOf, rowsOfTable } from '../support/purchaseLog.mjs';
import type { Queue } from '../support/useQueue.mjs';

const settings = { onError: 'continueRegularOutput' } as const;

/** Ten executions at once on two workers. @param isOld whether the user makes the table */
export function concurrentLogCase({ fixture, workers }: Queue, isOld: boolean): void {
	it('A Purchase Log gives each of ten executions on two workers its own images, also for the same request', async () => {
		await workers(2);
		const { publish } = loggedPrompts(fixture, !isOld);
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
}

/**
 * What another worker takes over by a Purchase Log.
 * @param isOld whether the user makes the table, and n8n, as it ships, repeats the executions of a
 * killed worker
 */
export function otherWorkerCases({ fixture, workers, end }: Queue, isOld: boolean): void {
	const { publish, begin } = loggedPrompts(fixture, !isOld);
	const [stopped, killed] = ['log-stopped-worker', 'log-killed-worker'] as const;
	const ids = new Map<string, string>();
	/** Asserts that each image was bought once but the third, which was asked for this often. */
	const assertBoughtOnce = async (path: string, executions: number, asked: number) => {
		const all = await fixture.api.finished(ids.get(path) ?? '', executions);
		const execution = all.find(({ status }) => status === 'success') as Execution;
		const [fox, hare, crow, owl] = promptsOf(path);
		assert.equal(rowsOf(execution, 'Generate').length, 4);
		for (const prompt of [fox, hare, owl]) assert.equal(fixture.charged(prompt).length, 1);
		assert.equal(fixture.calls(crow).length, asked);
		return JSON.stringify(rowsOf(execution, 'Generate')[2]?.json);
	};

	describe('By a Purchase Log, another worker', () => {
		before(async () => {
			const [only] = await workers(1, true);
			for (const path of [stopped, killed]) {
				const { id, table } = await publish(path, {}, settings);
				ids.set(path, id);
				await begin(path, table);
				if (path === killed) continue;
				await fixture.api.stopAll(id);
				await fixture.api.finished(id, 1);
			}
			assert.ok(only);
			await end(only, 'kill');
			fixture.sandbox.disarm();
			await workers(1, true);
		});

		it('takes over what a stopped run bought', async () => {
			await fixture.call(stopped, { prompts: promptsOf(stopped) });

			await assertBoughtOnce(stopped, 2, 2);
		});

		it('takes over what a killed worker bought, and never sends the rest of it twice', async () => {
			// n8n 1 runs the same execution again: the node can't know whether it was charged.
			if (isOld) {
				const crow = await assertBoughtOnce(killed, 1, 1);
				assert.match(crow, /The connection closed before the service responded/);
				assert.match(crow, /You may have been charged/);
				return;
			}
			await fixture.api.finished(ids.get(killed) ?? '', 1);
			await fixture.call(killed, { prompts: promptsOf(killed) });

			assert.match(await assertBoughtOnce(killed, 2, 2), /output_url/);
		});
	});
}
