import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertSuccess, rowsOf } from '../support/execution.mjs';
import { FourImages } from '../support/FourImages.mjs';
import { rowsOfTable } from '../support/tables.mjs';
import type { Queue } from '../support/useQueue.mjs';

/** Ten executions at once on two workers. */
export function concurrentLogCase({ fixture, workers }: Queue): void {
	it('A Purchase Log gives each of ten executions on two workers its own images, also for the same request', async () => {
		await workers(2);
		const options = { concurrency: 5 };
		const flow = await FourImages.publish(fixture, 'log-ten', { log: true, options });
		fixture.sandbox.arm({ fault: 'delay', delayMs: 1000, times: 40 });
		const calls = Array.from({ length: 10 }, async (_, call) => {
			// The first two ask for the same.
			await flow.call(flow.prompts.map((prompt) => `${prompt} ${Math.max(1, call)}`));
		});
		await Promise.all(calls);
		const executions = await fixture.api.finished(flow.id, 10);

		for (const execution of executions) assertSuccess(execution);
		const items = executions.flatMap((each) => rowsOf(each, 'Generate'));
		const links = new Set(items.map(({ json }) => json.output_url));
		assert.equal(links.size, 40);
		assert.equal(fixture.charged().length, 40);
		const rows = await rowsOfTable(fixture, flow.table);
		assert.equal(rows.length, 40);
		assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['delivered']));
		assert.deepEqual(new Set(rows.map(({ link }) => link)), links);
	});
}

/** What another worker takes over. */
export function otherWorkerCases({ fixture, workers, end }: Queue): void {
	describe('By a Purchase Log, another worker', () => {
		let stopped: FourImages;
		let killed: FourImages;
		before(async () => {
			const [only] = await workers(1);
			const settings = { log: true, node: { onError: 'continueRegularOutput' } } as const;
			stopped = await FourImages.begin(fixture, 'log-stopped-worker', settings);
			await fixture.api.stopAll(stopped.id);
			await fixture.api.finished(stopped.id, 1);
			killed = await FourImages.begin(fixture, 'log-killed-worker', settings);
			assert.ok(only);
			await end(only, 'kill');
			fixture.sandbox.disarm();
			await workers(1);
		});

		it('takes over what a stopped run bought', async () => {
			await stopped.assertTakenOver();
		});

		it('takes over what a killed worker bought', async () => {
			await fixture.api.finished(killed.id, 1);
			await killed.assertTakenOver();
		});
	});
}
