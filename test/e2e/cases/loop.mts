import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSuccess, idsIn } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { itsPrompt, splitOut, stock, webhook } from '../support/nodes.mjs';
import { until } from '../support/until.mjs';
import { chain, type WorkflowNode } from '../support/workflow.mjs';

/** The node in a Loop Over Items of two. */
export function loopCases(fixture: Fixture): void {
	const nodes = (start: WorkflowNode): WorkflowNode[] => [
		start,
		splitOut,
		stock('Loop Over Items', 'splitInBatches', 3, { batchSize: 2, options: {} }),
		fixture.node(
			'Generate',
			{
				operation: 'generate',
				prompt: itsPrompt,
				size: 'custom',
				...{ width: 128, height: 128 },
				options: { concurrency: 1 },
			},
			// Purchases remembered for Retry On Fail must not leak into the next batch.
			{ retryOnFail: true },
		),
		stock('Done', 'noOp', 1),
	];
	const wires = [
		...chain('Webhook', 'Split Out', 'Loop Over Items', 'Done'),
		{ from: 'Loop Over Items', output: 1, to: 'Generate' },
		...chain('Generate', 'Loop Over Items'),
	];
	const chargedTexts = () => fixture.charged().map(({ fields }) => fields.text);

	describe('Loop Over Items', () => {
		it('buys each item once, batch by batch, and keeps all images', async () => {
			const prompts = ['a fox', 'a boat', 'a fox', 'a tree', 'a house'];
			const execution = await fixture.run(nodes(webhook('loop')), { prompts }, { wires });

			assertSuccess(execution);
			assert.equal(execution.data.resultData.runData.Generate?.length, 3);
			assert.deepEqual(chargedTexts(), prompts);
			assert.equal(new Set(idsIn(execution, 'Done')).size, 5);
			await fixture.assertStored(execution, 'Done');
		});

		it('leaves what a stopped round finished to the next execution', async () => {
			const path = 'stopped-loop';
			const prompts = ['one', 'two', 'three', 'four'];
			const id = await fixture.publish(nodes(webhook(path, 'onReceived')), { wires });
			fixture.sandbox.arm({ fault: 'hang', when: 'four' });
			await fixture.call(path, { prompts });
			await until('the last request is in progress', () =>
				fixture.calls().some(({ fault }) => fault !== undefined),
			);
			await fixture.api.stopAll(id);
			fixture.sandbox.disarm();
			await fixture.call(path, { prompts });
			await fixture.api.finished(id, 2);

			assert.deepEqual(chargedTexts(), ['one', 'two', 'three', 'one', 'two', 'four']);
		});
	});
}
