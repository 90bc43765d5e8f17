import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWebhook } from '../support/callWebhook.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { imageGeneration, splitOut, webhook } from '../support/nodes.mjs';
import { assertSuccess, rowsOf } from '../support/rows.mjs';
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

/** The node in a Loop Over Items. */
export function loopCases(fixture: Fixture): void {
	describe('Loop Over Items', () => {
		it('buys each item once, batch by batch, and keeps all images', async () => {
			const prompts = ['a fox', 'a boat', 'a fox', 'a tree', 'a house'];
			const id = await fixture.api.publish(
				workflow(
					'Loop',
					[
						webhook('loop', { responseData: 'noData' }),
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
							},
							// Purchases remembered for Retry On Fail must not leak into the next
							// batch.
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
				'/webhook/loop',
			);
			await callWebhook(fixture, 'loop', { prompts });
			const execution = await fixture.api.lastExecution(id);

			assertSuccess(execution);
			assert.equal(execution.data.resultData.runData.Generate?.length, 3);
			assert.deepEqual(
				fixture
					.charged()
					.map(({ fields }) => fields.text)
					.sort(),
				[...prompts].sort(),
			);
			const rows = rowsOf(execution, 'Done');
			assert.equal(rows.length, 5);
			assert.equal(new Set(rows.map(({ json }) => json.id)).size, 5);
			for (const { json, binary } of rows) {
				assert.ok(binary?.data);
				const kept = await fixture.api.bytesOf(binary.data);
				assert.deepEqual(kept, await fixture.sandbox.output(String(json.id)));
			}
		});
	});
}
