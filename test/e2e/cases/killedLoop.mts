import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSuccess, idsIn, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import {
	itsPrompt,
	loopOverItems,
	loopThrough,
	splitOut,
	stock,
	webhook,
} from '../support/nodes.mjs';
import type { SharedKill } from '../support/SharedKill.mjs';
import { until } from '../support/until.mjs';
import { chain } from '../support/workflow.mjs';

/** A workflow that generates an image in each round of a loop. */
class ImageLoop {
	private constructor(
		private readonly fixture: Fixture,
		private readonly path: string,
		readonly id: string,
	) {}

	static async publish(fixture: Fixture, path: string): Promise<ImageLoop> {
		const parameters = {
			operation: 'generate',
			prompt: itsPrompt,
			size: '128x128',
			options: { purchaseLog: 'Log of killed loops' },
		};
		const nodes = [
			webhook(path, 'onReceived'),
			splitOut,
			loopOverItems(),
			fixture.node('Generate', parameters),
			stock('Done', 'noOp', 1),
		];
		const wires = [...loopThrough('Generate'), ...chain('Loop Over Items', 'Done')];
		return new ImageLoop(fixture, path, await fixture.publish(nodes, { wires }));
	}

	/** What its rounds ask for. */
	get prompts(): string[] {
		return ['one', 'two', 'three', 'four'].map((round) => `${this.path} ${round}`);
	}

	async call(): Promise<void> {
		await this.fixture.call(this.path, { prompts: this.prompts });
	}

	/** Begins an execution whose third round hangs. */
	async hang(): Promise<void> {
		const third = `${this.path} three`;
		this.fixture.sandbox.arm({ fault: 'hang', when: third });
		await this.call();
		await until(`${third} is in progress`, () => this.fixture.calls(third).length === 1);
	}

	/** Asserts that an execution delivered all images, each of which was charged once. */
	async assertCompleted(execution: Execution): Promise<void> {
		const { fixture, prompts } = this;
		assertSuccess(execution);
		assert.deepEqual(
			prompts.map((prompt) => fixture.charged(prompt).map(({ jobId }) => jobId)),
			idsIn(execution, 'Done').map((id) => [id]),
		);
		assert.deepEqual(
			prompts.map((prompt) => fixture.calls(prompt).length),
			[1, 1, 2, 1],
		);
		await fixture.assertStored(execution, 'Done');
	}
}

/** A loop of four is in its third round when n8n is killed. */
export function killedLoopCases(fixture: Fixture, kill: SharedKill): void {
	describe('In the third round of a loop', () => {
		const next = kill.share({
			publish: async () => await ImageLoop.publish(fixture, 'loop-then-run'),
			begin: async (loop) => await loop.hang(),
			resume: async (loop) => ({
				loop,
				execution: await fixture.api.run(loop.id, async () => await loop.call()),
			}),
		});

		it('leaves the images of both earlier rounds to the next run', async () => {
			const { loop, execution } = await next();
			await loop.assertCompleted(execution);
		});

		const retry = kill.share({
			publish: async () => await ImageLoop.publish(fixture, 'loop-then-retry'),
			begin: async (loop) => await loop.hang(),
			resume: async (loop) => {
				const [crashed] = await fixture.api.executions(loop.id);
				return { loop, execution: await fixture.api.retry(loop.id, crashed?.id ?? '') };
			},
		});

		it('leaves the images of both earlier rounds to Retry', async () => {
			const { loop, execution } = await retry();
			await loop.assertCompleted(execution);
		});
	});
}
