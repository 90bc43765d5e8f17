import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { N8nProcess } from '../../../scripts/host/startN8n.mjs';
import { assertSuccess, idsIn, rowsOf } from '../support/execution.mjs';
import { itsPrompt, splitOut, webhook } from '../support/nodes.mjs';
import { until } from '../support/until.mjs';
import { paidIn, startedBy, type Queue } from '../support/useQueue.mjs';

const EXECUTIONS = 20;
/** Images per execution. */
const ITEMS = 5;
/** How many of them are bought at once. */
const AT_ONCE = 2;
/**
 * Imitates real generation. n8n never responds if an execution ends before its main process waits for
 * it (seen on 2.41.1 and 1.123.81, on a busy machine).
 */
const delayMs = 1500;

/** The prompts of one of many calls. */
const promptsOf = (name: string, call: number) =>
	Array.from({ length: ITEMS }, (_, item) => `${name} ${call}.${item}`);

/** Many executions on two workers, one of which is stopped or killed. */
export function queueCases({ fixture, workers, end }: Queue, isOld: boolean): void {
	/** Starts the second of two workers, and many executions at once, each with other prompts. */
	const begin = async (path: string, fault: 'delay' | 'delay-after', repeats = false) => {
		const [one, two] = (await workers(2, repeats)) as [N8nProcess, N8nProcess];
		const earlier = await startedBy(one);
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
			// Some finish while others are still running, as in longer lists.
			options: { concurrency: AT_ONCE },
		};
		const node = fixture.node('Generate', parameters);
		const id = await fixture.publish([webhook(path), splitOut, node]);
		fixture.sandbox.arm({ fault, delayMs, times: EXECUTIONS * ITEMS });
		const calls = Array.from({ length: EXECUTIONS }, async (_, call) => {
			const { status } = await fixture.call(path, { prompts: promptsOf(path, call) });
			return status;
		});
		/** Waits until both have begun, and the first has bought a part of an execution's images. */
		const firstIsBusy = async () => {
			await until('both have begun, and the first has images', async () => {
				const begun = await startedBy(one);
				const log = await readFile(one.log, 'utf8');
				const countOf = (execution: string) =>
					log.split(`(execution ${execution}): Item`).length - 1;
				const isBusy = [...begun].some(
					(each) => !earlier.has(each) && countOf(each) >= AT_ONCE && countOf(each) < ITEMS,
				);
				return isBusy && (await startedBy(two)).size > 0;
			});
		};
		return { one, two, id, calls, firstIsBusy };
	};
	/** How often each prompt was charged since the test began. */
	const charges = () => {
		const counts = new Map<string, number>();
		for (const { fields } of fixture.charged()) {
			const prompt = fields.text ?? '';
			counts.set(prompt, (counts.get(prompt) ?? 0) + 1);
		}
		return counts;
	};
	const assertAnswered = async (calls: Promise<number>[]) => {
		assert.deepEqual(new Set(await Promise.all(calls)), new Set([200]));
	};

	describe('Two workers', () => {
		it('share 20 executions of 5 items, lose nothing and buy nothing twice if one is stopped gracefully', async () => {
			const { one, two, id, calls } = await begin('gentle', 'delay');
			await until('work has begun', () => fixture.charged().length >= ITEMS);
			await end(one, 'stop');
			await assertAnswered(calls);

			assert.equal(charges().size, EXECUTIONS * ITEMS);
			assert.deepEqual(new Set(charges().values()), new Set([1]));
			const executions = await fixture.api.finished(id, EXECUTIONS);
			for (const worker of [one, two]) {
				const begun = await startedBy(worker);
				assert.ok(executions.some((execution) => begun.has(execution.id)));
			}
			for (const execution of executions) {
				assertSuccess(execution);
				assert.equal(rowsOf(execution, 'Generate').length, ITEMS);
				await fixture.assertStored(execution, 'Generate');
			}
		});

		it('lose the executions of one that is killed, repeat none and log what was paid for', async () => {
			const { one, two, id, calls, firstIsBusy } = await begin('killed', 'delay-after');
			await firstIsBusy();
			const killed = Date.now();
			await end(one, 'kill');
			const answers = await Promise.all(calls);
			const executions = await fixture.api.finished(id, EXECUTIONS);

			assert.deepEqual(new Set(charges().values()), new Set([1]));
			const failed = executions.filter(({ status }) => status !== 'success');
			assert.ok(failed.length > 0);
			// A worker logs an execution only after reading it from the database. What the killed
			// worker had taken but not logged is lost as well (seen on 1.123.81), so check the
			// remaining worker.
			const begunByTwo = await startedBy(two);
			assert.deepEqual(
				failed.filter((execution) => begunByTwo.has(execution.id)),
				[],
			);
			assert.equal(answers.filter((status) => status !== 200).length, failed.length);
			const rest = executions.filter(({ status }) => status === 'success');
			for (const execution of rest) assert.equal(rowsOf(execution, 'Generate').length, ITEMS);
			// n8n keeps no results of the lost executions. The worker's log has every purchase it
			// received; on a busy machine, reading a response takes up to a second.
			const delivered = new Set(rest.flatMap((execution) => idsIn(execution, 'Generate')));
			const lost = fixture.charged().filter(({ jobId }) => !delivered.has(jobId));
			const inLog = await paidIn(one);
			const unanswered = new Set(
				fixture.calls().flatMap(({ status, fields }) => (status === null ? [fields.text] : [])),
			);
			const wasReceived = ({ at, fields }: (typeof lost)[number]) =>
				!unanswered.has(fields.text) && Date.parse(at) + delayMs < killed - 1000;
			assert.deepEqual(
				lost.filter((entry) => !inLog.has(entry.jobId) && wasReceived(entry)),
				[],
			);
			const example = lost.find(({ jobId }) => inLog.has(jobId));
			assert.ok(example);
			assert.ok(!JSON.stringify(failed).includes(example.outputUrl));

			// n8n keeps the error of a lost execution in its data, and the retry ends with it.
			const charged = fixture.charged().length;
			const again = await fixture.api.retry(id, failed[0]?.id ?? '');
			const { error, runData } = again.data.resultData;
			assert.match(error?.message ?? '', /failed to be processed too many times/);
			assert.deepEqual(runData, {});
			assert.equal(fixture.charged().length, charged);

			// The next run for the same prompts buys its own images.
			fixture.sandbox.arm({ fault: 'delay', delayMs, times: ITEMS });
			const [, call = ''] = /(\d+)\./.exec(example.fields.text ?? '') ?? [];
			await fixture.call('killed', { prompts: promptsOf('killed', Number(call)) });
			assert.equal(fixture.charged().length, charged + ITEMS);
		});

		// The node cannot change it, so docs/scaling.md warns about it.
		it(
			'pay twice if one is killed and QUEUE_WORKER_MAX_STALLED_COUNT is at n8n 1’s default',
			{ skip: !isOld },
			async () => {
				const { one, two, id, calls, firstIsBusy } = await begin('again', 'delay-after', true);
				await firstIsBusy();
				await end(one, 'kill');
				await assertAnswered(calls);
				const executions = await fixture.api.finished(id, EXECUTIONS);

				for (const execution of executions) assertSuccess(execution);
				const [byOne, byTwo] = [await startedBy(one), await startedBy(two)];
				const runAgain = executions.filter((each) => byOne.has(each.id) && byTwo.has(each.id));
				assert.equal(charges().size, EXECUTIONS * ITEMS);
				const twice = [...charges()].filter(([, times]) => times > 1);
				assert.deepEqual(new Set(twice.map(([, times]) => times)), new Set([2]));
				const theirs = new Set(
					runAgain.flatMap((execution) =>
						rowsOf(execution, 'Split Out').map(({ json }) => json['body.prompts']),
					),
				);
				assert.deepEqual(
					twice.filter(([prompt]) => !theirs.has(prompt)),
					[],
				);
			},
		);
	});
}
