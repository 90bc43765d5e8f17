import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { chargesPerPrompt, ITEMS } from '../support/batch.mjs';
import { callWebhook } from '../support/callWebhook.mjs';
import { loggedPrompts, prompts } from '../support/loggedPrompts.mjs';
import { pending, type Execution } from '../support/N8nApi.mjs';
import { rowsOfTable } from '../support/purchaseTable.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import type { Queue } from '../support/useQueue.mjs';

/** The Purchase Log, shared by two workers. */
export function queueLogCases(
	{ fixture, startWorker, stopWorkers }: Queue,
	{ repeats }: { repeats: boolean },
): void {
	const start = async (...names: string[]) =>
		await Promise.all(
			names.map(
				// n8n 1 as it ships gives a killed worker's executions to another one.
				async (name) => await startWorker(name, { QUEUE_WORKER_MAX_STALLED_COUNT: '1' }),
			),
		);
	const { publish, begin, asked } = loggedPrompts(fixture, !repeats);
	const settings = { onError: 'continueRegularOutput' } as const;
	/** How often each prompt was charged that did not hang. */
	const charges = () => {
		const counts = chargesPerPrompt(fixture.charged());
		return ['a fox', 'a hare', 'an owl'].map((prompt) => counts.get(prompt));
	};
	const finished = async (id: string, count: number): Promise<Execution[]> => {
		let over: string[] = [];
		await until(`${count} executions are over`, async () => {
			const all = await fixture.api.executions(id);
			over = all.filter(({ status }) => !pending.includes(status)).map((each) => each.id);
			return over.length >= count;
		});
		return await Promise.all(over.map(async (each) => await fixture.api.execution(each)));
	};

	describe('Purchase Log with two workers', () => {
		let workers: N8nProcess[];
		before(async () => {
			await stopWorkers();
			workers = await start('first', 'second');
		});

		it('gives each of ten executions its own images, also for the same request', async () => {
			const path = 'log-ten';
			const { id, table } = await publish(path, { concurrency: 5 }, settings);
			// The first two ask for the same.
			const promptsOf = (call: number) =>
				Array.from({ length: ITEMS }, (_, item) => `${Math.max(1, call)}.${item}`);
			fixture.sandbox.arm({ fault: 'delay', delayMs: 1000, times: 10 * ITEMS });
			const calls = Array.from({ length: 10 }, async (_, call) => {
				await callWebhook(fixture, path, { prompts: promptsOf(call) });
			});
			await Promise.all(calls);
			const executions = await finished(id, 10);

			for (const execution of executions) assertSuccess(execution);
			const reasons = executions.flatMap((each) =>
				rowsOf(each, 'Generate').flatMap(({ json }) => json.error ?? []),
			);
			assert.deepEqual(reasons, []);
			const links = executions.flatMap((each) =>
				rowsOf(each, 'Generate').map(({ json }) => json.output_url),
			);
			assert.equal(new Set(links).size, 10 * ITEMS);
			assert.equal(fixture.charged().length, 10 * ITEMS);
			const rows = await rowsOfTable(fixture, table);
			assert.equal(rows.length, 10 * ITEMS);
			assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['delivered']));
			assert.deepEqual(new Set(rows.map(({ link }) => link)), new Set(links));
		});

		it('takes over on another worker what a stopped run bought', async () => {
			const [first, second] = workers;
			await first?.stop();
			const path = 'log-stopped-worker';
			const { id, table } = await publish(path, {}, settings);
			await begin(path, table);
			await fixture.api.stopAll(id);
			await finished(id, 1);
			await second?.stop();
			fixture.sandbox.disarm();
			workers = await start('third');
			await callWebhook(fixture, path, { prompts });
			const executions = await finished(id, 2);
			const execution = executions.find(({ status }) => status === 'success');

			assert.ok(execution);
			assert.equal(rowsOf(execution, 'Generate').length, 4);
			assert.deepEqual(charges(), [1, 1, 1]);
			assert.equal(asked('a crow'), 2);
		});

		it('takes over what a killed worker bought, and never sends the rest of it twice', async () => {
			const path = 'log-worker';
			const { id, table } = await publish(path, {}, settings);
			await begin(path, table);
			// The only one.
			await workers[0]?.kill();
			fixture.sandbox.disarm();
			await start('fourth');
			if (!repeats) await finished(id, 1);
			if (!repeats) await callWebhook(fixture, path, { prompts });
			const executions = await finished(id, repeats ? 1 : 2);
			const execution = executions.find(({ status }) => status === 'success');
			assert.ok(execution);

			assert.deepEqual(charges(), [1, 1, 1]);
			const items = rowsOf(execution, 'Generate').map(({ json }) => json);
			assert.equal(items.length, 4);
			const crow = JSON.stringify(items[2]);
			if (repeats) {
				// n8n 1 runs the same execution again: the node can't know whether it was charged.
				assert.equal(asked('a crow'), 1);
				assert.match(crow, /The connection closed before the service responded/);
				assert.match(crow, /You may have been charged/);
			} else {
				assert.equal(asked('a crow'), 2);
				assert.match(crow, /output_url/);
			}
		});
	});
}
