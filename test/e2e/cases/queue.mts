import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { batch, callBatches, chargesPerPrompt, ITEMS } from '../support/batch.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { startedBy } from '../support/startedBy.mjs';
import { until } from '../support/until.mjs';
import type { Queue } from '../support/useQueue.mjs';

/** Many executions at once, on two workers, one of which goes away. */
export function queueCases({ house, startWorker }: Queue): void {
	let workflowId = '';
	let one: N8nProcess;
	let two: N8nProcess;
	before(async () => {
		workflowId = await house.api.publish(batch(house), '/webhook/batch');
		[one, two] = await Promise.all([startWorker('one'), startWorker('two')]);
	});

	/** The executions that began after a moment, once all of them are over. */
	const executionsAfter = async (earlier: ReadonlySet<string>, count: number) => {
		const later = async () =>
			(await house.api.executions(workflowId)).filter(({ id }) => !earlier.has(id));
		await until(`${count} executions are over`, async () => {
			const found = await later();
			return found.length === count && found.every(({ status }) => !isPending(status));
		});
		return await Promise.all((await later()).map(({ id }) => house.api.execution(id)));
	};
	const idsNow = async () => new Set((await house.api.executions(workflowId)).map(({ id }) => id));

	describe('with both workers', () => {
		it('spreads 40 executions of 5 items, every image right and charged once', async () => {
			const earlier = await idsNow();
			const answers = await Promise.all(callBatches(house, 'even', 40));

			assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
			const charges = chargesPerPrompt(house.charged());
			assert.equal(charges.size, 40 * ITEMS);
			assert.deepEqual(new Set(charges.values()), new Set([1]));
			for (const execution of await executionsAfter(earlier, 40)) {
				assertSuccess(execution);
				const rows = rowsOf(execution, 'Generate');
				assert.equal(rows.length, ITEMS);
				for (const { json, binary } of rows) {
					assert.match(binary?.data?.id ?? '', /^database/);
					const kept = binary?.data && (await house.api.bytesOf(binary.data));
					assert.deepEqual(kept, await house.sandbox.output(String(json.id)));
				}
			}
			const shares = [await startedBy(one), await startedBy(two)].map(({ size }) => size);
			console.log(`The workers ran ${shares.join(' and ')} executions.`);
			assert.equal(
				shares.reduce((sum, share) => sum + share),
				40,
			);
			assert.ok(Math.min(...shares) >= 5, `spread: ${shares.join(' and ')}`);
		});
	});

	describe('with one worker stopped gently', () => {
		it('loses nothing and pays nothing twice', async () => {
			house.sandbox.arm({ fault: 'delay', delayMs: 1500, times: 20 * ITEMS });
			const calls = callBatches(house, 'gentle', 20);
			await until('work has begun', () => house.charged().length >= ITEMS);
			await one.stop();
			const answers = await Promise.all(calls);

			assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
			const charges = chargesPerPrompt(house.charged());
			assert.equal(charges.size, 20 * ITEMS);
			assert.deepEqual(new Set(charges.values()), new Set([1]));
			one = await startWorker('one-again');
		});
	});

	describe('with one worker killed', () => {
		it('loses what that worker had begun, and pays nothing twice', async () => {
			const earlier = await idsNow();
			house.sandbox.arm({ fault: 'delay-after', delayMs: 1500, times: 20 * ITEMS });
			const calls = callBatches(house, 'killed', 20);
			await until('both have begun', async () => {
				const begun = await Promise.all([startedBy(one), startedBy(two)]);
				return house.charged().length >= 2 * ITEMS && begun.every(({ size }) => size > 0);
			});
			await one.kill();
			const answers = await Promise.all(calls);
			const executions = await executionsAfter(earlier, 20);

			const charges = chargesPerPrompt(house.charged());
			assert.deepEqual(new Set(charges.values()), new Set([1]));
			const begun = await startedBy(one);
			const failed = executions.filter(({ status }) => status !== 'success');
			assert.ok(failed.length > 0);
			assert.ok(failed.every(({ id }) => begun.has(id)));
			assert.equal(answers.filter(({ status }) => status !== 200).length, failed.length);
			const rest = executions.filter(({ status }) => status === 'success');
			assert.ok(rest.every((execution) => rowsOf(execution, 'Generate').length === ITEMS));
			// n8n keeps nothing of what they had done: those images are in the service's account only.
			const paid = charges.size - rest.length * ITEMS;
			const reasons = new Set(failed.map(({ data }) => data.resultData.error?.message));
			console.log(
				`The killed worker had begun ${failed.length} of 20 executions; they failed, with ` +
					`${paid} images paid for: ${[...reasons].join(', ')}`,
			);
		});
	});
}

function isPending(status: string): boolean {
	return ['new', 'running', 'waiting'].includes(status);
}
