import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, idsIn, rowsOf } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import {
	itsPrompt,
	loopOverItems,
	loopThrough,
	resumeUrl,
	splitOut,
	stock,
	untilCalled,
	webhook,
} from '../support/nodes.mjs';
import { until } from '../support/until.mjs';
import { chain } from '../support/workflow.mjs';

/** The node in a Loop Over Items. */
export function loopCases(fixture: Fixture): void {
	it('Loop Over Items leaves what all its rounds bought before Stop to the next execution, which buys the rest and keeps all images', async () => {
		const path = 'stopped-loop';
		const prompts = ['one', 'two', 'three', 'four'];
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
			options: { concurrency: 1 },
		};
		const nodes = [
			webhook(path, 'onReceived'),
			splitOut,
			loopOverItems(2),
			// Purchases remembered for Retry On Fail must not leak into the next batch.
			fixture.node('Generate', parameters, { retryOnFail: true }),
			stock('Done', 'noOp', 1),
		];
		const wires = [...loopThrough('Generate'), ...chain('Loop Over Items', 'Done')];
		const id = await fixture.publish(nodes, { wires });
		fixture.sandbox.arm({ fault: 'hang', when: 'four' });
		await fixture.call(path, { prompts });
		await until('the last request is in progress', () =>
			fixture.calls().some(({ fault }) => fault !== undefined),
		);
		await fixture.api.stopAll(id);
		await fixture.api.lastExecution(id);
		fixture.sandbox.disarm();
		const next = await fixture.api.run(id, () => fixture.call(path, { prompts }));

		assertSuccess(next);
		assert.deepEqual(
			fixture.charged().map(({ fields }) => fields.text),
			prompts,
		);
		assert.equal(next.data.resultData.runData.Generate?.length, 2);
		assert.equal(new Set(idsIn(next, 'Done')).size, 4);
		await fixture.assertStored(next, 'Done');
	});

	it('a loop that waits for a person after each image gets another one in each round, also if it reuses images', async () => {
		const path = 'waiting-loop';
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
			options: { reuse: 'always' },
		};
		const nodes = [
			webhook(path, 'onReceived'),
			splitOut,
			loopOverItems(),
			fixture.node('Generate', parameters),
			resumeUrl,
			untilCalled,
		];
		const wires = loopThrough('Generate', resumeUrl.name, untilCalled.name);
		const id = await fixture.publish(nodes, { wires });
		await fixture.call(path, { prompts: ['again', 'again'] });
		for (const round of [1, 2]) {
			let addresses: unknown[] = [];
			await until(`round ${round} waits`, async () => {
				const [waiting] = await fixture.api.executions(id);
				if (waiting?.status !== 'waiting') return false;
				const rows = rowsOf(await fixture.api.execution(waiting.id), resumeUrl.name);
				addresses = rows.map(({ json }) => json.url);
				return addresses.length === round;
			});
			assert.ok((await fetch(String(addresses.at(-1)), { method: 'POST' })).ok);
		}

		const execution = await fixture.api.lastExecution(id);
		assertSuccess(execution);
		fixture.assertDelivered(execution, 'Generate');
		assert.equal(fixture.charged().length, 2);
	});
}
