import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { pending } from '../support/N8nApi.mjs';
import { imageGeneration, splitOut, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
import { until } from '../support/until.mjs';
import { chain, workflow, type WorkflowNode } from '../support/workflow.mjs';

const loop: WorkflowNode = {
	name: 'Loop Over Items',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { batchSize: 2, options: {} },
};

const done: WorkflowNode = {
	name: 'Done',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

/** The node in a Loop Over Items of two. */
export function loopCases(fixture: Fixture): void {
	const publish = async (path: string, response: Record<string, unknown>): Promise<string> =>
		await fixture.api.publish(
			workflow(
				path,
				[
					webhook(path, response),
					splitOut('prompts'),
					loop,
					imageGeneration(
						'Generate',
						{
							operation: 'generate',
							prompt: "={{ $json['body.prompts'] }}",
							size: 'custom',
							width: 128,
							height: 128,
							options: { concurrency: 1 },
						},
						// Purchases remembered for Retry On Fail must not leak into the next batch.
						{ credentials: fixture.credentials, retryOnFail: true },
					),
					done,
				],
				[
					...chain('Webhook', 'Split Out', 'Loop Over Items', 'Done'),
					{ from: 'Loop Over Items', output: 1, to: 'Generate' },
					...chain('Generate', 'Loop Over Items'),
				],
			),
			`/webhook/${path}`,
		);
	const chargedTexts = () => fixture.charged().map(({ fields }) => fields.text);

	describe('Loop Over Items', () => {
		it('buys each item once, batch by batch, and keeps all images', async () => {
			const prompts = ['a fox', 'a boat', 'a fox', 'a tree', 'a house'];
			const id = await publish('loop', { responseData: 'noData' });
			await callWebhook(fixture, 'loop', { prompts });
			const execution = await fixture.api.lastExecution(id);

			assertSuccess(execution);
			assert.equal(execution.data.resultData.runData.Generate?.length, 3);
			assert.deepEqual(chargedTexts(), prompts);
			const rows = rowsOf(execution, 'Done');
			assert.equal(rows.length, 5);
			assert.equal(new Set(rows.map(({ json }) => json.id)).size, 5);
			for (const { json, binary } of rows) {
				assert.ok(binary?.data);
				const kept = await fixture.api.bytesOf(binary.data);
				assert.deepEqual(kept, await fixture.sandbox.output(String(json.id)));
			}
		});

		it('leaves what a stopped round finished to the next execution', async () => {
			const prompts = ['one', 'two', 'three', 'four'];
			const id = await publish('stopped-loop', { responseMode: 'onReceived' });
			fixture.sandbox.arm({ fault: 'hang', when: 'four' });
			await callWebhook(fixture, 'stopped-loop', { prompts });
			await until('the last request is in progress', () =>
				fixture.calls().some(({ fault }) => fault !== undefined),
			);
			await fixture.api.stopAll(id);
			fixture.sandbox.disarm();
			await callWebhook(fixture, 'stopped-loop', { prompts });
			await until('the second execution is over', async () => {
				const all = await fixture.api.executions(id);
				return all.length === 2 && all.every(({ status }) => !pending.includes(status));
			});

			assert.deepEqual(chargedTexts(), ['one', 'two', 'three', 'one', 'two', 'four']);
		});
	});
}
