import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { pending } from '../support/N8nApi.mjs';
import { imageGeneration, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import { chain, workflow } from '../support/workflow.mjs';

/** Where two versions of n8n differ. */
export interface CutOffMarks {
	/** Whether n8n keeps what the node says after the workflow's timeout. */
	keepsMessage: boolean;
}

/** What n8n keeps of a run that it cuts off, and what Retry and the next run take over. */
export function cutOffCases(fixture: Fixture, { keepsMessage }: CutOffMarks): void {
	/** Generates two images of the prompt that `/webhook/<path>` is called with. */
	const publish = async (path: string, settings: Record<string, unknown> = {}) =>
		await fixture.api.publish(
			workflow(
				`Cut off by ${path}`,
				[
					webhook(path, { responseMode: 'onReceived' }),
					imageGeneration(
						'Generate',
						{
							operation: 'generate',
							prompt: '={{ $json.body.prompt }}',
							options: { numberOfImages: 2, concurrency: 1 },
						},
						{ credentials: fixture.credentials },
					),
				],
				chain('Webhook', 'Generate'),
				settings,
			),
			`/webhook/${path}`,
		);
	const callsFor = (prompt: string) =>
		fixture.calls().filter(({ fields }) => fields.text === prompt);
	const chargedFor = (prompt: string) =>
		fixture.charged().filter(({ fields }) => fields.text === prompt);
	const secondIsUnderWay = async (prompt: string) => {
		await until(`the second call for ${prompt} is under way`, () => callsFor(prompt).length === 2);
	};
	/** The ids of the jobs that a new run delivers. */
	const runAgain = async (path: string, workflowId: string, prompt: string) => {
		const earlier = new Set((await fixture.api.executions(workflowId)).map(({ id }) => id));
		await callWebhook(fixture, path, { prompt });
		let next: string | undefined;
		await until('the next run is over', async () => {
			const all = await fixture.api.executions(workflowId);
			next = all.find(({ id, status }) => !earlier.has(id) && !pending.includes(status))?.id;
			return next !== undefined;
		});
		const execution = await fixture.api.execution(next ?? '');
		assertSuccess(execution);
		return rowsOf(execution, 'Generate').map(({ json }) => json.id);
	};

	describe('by the timeout of the workflow', () => {
		const timedOut = async (path: string) => {
			const workflowId = await publish(path, { executionTimeout: 4 });
			fixture.sandbox.arm({ fault: 'hang', after: 1 });
			await callWebhook(fixture, path, { prompt: path });
			await secondIsUnderWay(path);
			const execution = await fixture.api.lastExecution(workflowId);
			fixture.sandbox.disarm();
			return { workflowId, execution };
		};

		it('leaves the finished image to the next run', async () => {
			const path = 'timeout-then-run';
			const { workflowId, execution } = await timedOut(path);
			assert.equal(execution.status, 'canceled');
			assert.equal(execution.customData?.imagesPaid, '1');

			assert.deepEqual(
				await runAgain(path, workflowId, path),
				chargedFor(path).map(({ jobId }) => jobId),
			);
			assert.equal(chargedFor(path).length, 2);
		});

		if (keepsMessage) {
			it('keeps the message with the link, and Retry buys only what is missing', async () => {
				const path = 'timeout-then-retry';
				const { workflowId, execution } = await timedOut(path);
				const { error } = execution.data.resultData;
				assert.ok(error?.description?.includes(chargedFor(path)[0]?.outputUrl ?? 'no link'));

				await fixture.api.retry(execution.id, 'currently saved');
				const again = await fixture.api.lastRetry(workflowId);
				assertSuccess(again);
				assert.deepEqual(
					rowsOf(again, 'Generate').map(({ json }) => json.id),
					chargedFor(path).map(({ jobId }) => jobId),
				);
				assert.equal(chargedFor(path).length, 2);
			});
		} else {
			it('keeps no message, and Retry runs nothing', async () => {
				const path = 'timeout-then-retry';
				const { workflowId, execution } = await timedOut(path);
				assert.equal(execution.data.resultData.error, undefined);

				await fixture.api.retry(execution.id, 'currently saved');
				const again = await fixture.api.lastRetry(workflowId);
				assert.deepEqual(rowsOf(again, 'Generate'), []);
				assert.equal(chargedFor(path).length, 1);
			});
		}
	});

	/** Nothing but n8n's log knows the finished image: Retry buys it a second time. */
	const isLost = async (path: string, workflowId: string, log: string, prompt: string) => {
		const [paid] = chargedFor(prompt);
		assert.ok(log.includes(`is paid for: ${paid?.outputUrl}`));
		let cutOff: string | undefined;
		await until('n8n marks the execution as crashed', async () => {
			const all = await fixture.api.executions(workflowId);
			cutOff = all.find(({ status }) => status === 'crashed')?.id;
			return cutOff !== undefined;
		});
		const execution = await fixture.api.execution(cutOff ?? '');
		assert.ok(!JSON.stringify(execution).includes(paid?.outputUrl ?? 'no link'));

		fixture.sandbox.disarm();
		await fixture.api.retry(execution.id, 'currently saved');
		const again = await fixture.api.lastRetry(workflowId);
		assertSuccess(again);
		assert.equal(chargedFor(prompt).length, 3);
		// Nothing is left for the next run either.
		await runAgain(path, workflowId, prompt);
		assert.equal(chargedFor(prompt).length, 5);
	};

	describe('by a shutdown of n8n (SIGTERM)', () => {
		it('is finished if it ends in time; if not, only the log knows what is paid for', async () => {
			const path = 'shutdown';
			const workflowId = await publish(path);
			const slow = { delayMs: 2000, after: 1, when: 'in time' } as const;
			fixture.sandbox.arm({ fault: 'delay-after', ...slow });
			fixture.sandbox.arm({ fault: 'hang', after: 1, when: 'too late' });
			await callWebhook(fixture, path, { prompt: 'in time' });
			await callWebhook(fixture, path, { prompt: 'too late' });
			await Promise.all(['in time', 'too late'].map(secondIsUnderWay));
			const { log } = fixture.n8n;
			await until('the log names both', async () => {
				const said = await readFile(log, 'utf8');
				return said.split('is paid for: ').length > 2;
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
			await isLost(path, workflowId, said, 'too late');
		});
	});

	describe('by a crash of n8n (SIGKILL)', () => {
		it('is lost but for the log, and Retry buys everything again', async () => {
			const path = 'crash';
			// Saving the progress doesn't help: n8n saves after a node, not within it.
			const workflowId = await publish(path, { saveExecutionProgress: true });
			fixture.sandbox.arm({ fault: 'hang', after: 1 });
			await callWebhook(fixture, path, { prompt: path });
			await secondIsUnderWay(path);
			const { log } = fixture.n8n;
			await until('the log names the image', async () =>
				(await readFile(log, 'utf8')).includes('is paid for: '),
			);
			const said = await readFile(log, 'utf8');
			await fixture.restart('kill');

			await isLost(path, workflowId, said, path);
		});
	});
}
