import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { callBatches, chargesPerPrompt, ITEMS } from '../support/batch.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import type { Queue } from '../support/useQueue.mjs';
import { paidIn, startedBy } from '../support/workerLog.mjs';

/** What n8n 1 does by default. The node cannot change it, so docs/scaling.md warns about it. */
export function queueRunsAgainCases(queue: Queue): void {
	const { fixture, startWorker, stopWorkers, executionIds, executionsAfter } = queue;
	describe('with one worker killed and QUEUE_WORKER_MAX_STALLED_COUNT at n8n 1’s default', () => {
		let one: N8nProcess;
		let two: N8nProcess;
		before(async () => {
			await stopWorkers();
			const asShipped = { QUEUE_WORKER_MAX_STALLED_COUNT: '1' };
			[one, two] = await Promise.all([
				startWorker('one-as-shipped', asShipped),
				startWorker('two-as-shipped', asShipped),
			]);
		});

		it('repeats that worker’s executions and pays for their images twice', async () => {
			const earlier = await executionIds();
			fixture.sandbox.arm({ fault: 'delay-after', delayMs: 1500, times: 20 * ITEMS });
			const calls = callBatches(fixture, 'again', 20);
			// Earlier, the worker may not have bought anything.
			await until('both have begun, and the first has images', async () => {
				const begun = await Promise.all([startedBy(one), startedBy(two)]);
				return begun.every(({ size }) => size > 0) && (await paidIn(one)).size > 0;
			});
			await one.kill();
			const answers = await Promise.all(calls);
			const executions = await executionsAfter(earlier, 20);

			assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
			for (const execution of executions) assertSuccess(execution);
			const [begunByOne, begunByTwo] = [await startedBy(one), await startedBy(two)];
			const runAgain = executions.filter(({ id }) => begunByOne.has(id) && begunByTwo.has(id));
			assert.ok(runAgain.length > 0);
			const charges = chargesPerPrompt(fixture.charged());
			assert.equal(charges.size, 20 * ITEMS);
			const twice = [...charges].flatMap(([prompt, times]) => (times > 1 ? [prompt] : []));
			assert.ok(twice.length > 0);
			assert.deepEqual(new Set(twice.map((prompt) => charges.get(prompt))), new Set([2]));
			const theirs = new Set(
				runAgain.flatMap((execution) =>
					rowsOf(execution, 'Split Out').map(({ json }) => json['body.prompts']),
				),
			);
			assert.deepEqual(
				twice.filter((prompt) => !theirs.has(prompt)),
				[],
			);
			console.log(
				`${runAgain.length} of 20 executions ran again; ${twice.length} images were paid twice.`,
			);
		});
	});
}
