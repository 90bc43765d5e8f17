import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hintsOf, idsIn } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import type { SharedKill } from '../support/SharedKill.mjs';
import { until } from '../support/until.mjs';

const again = (count: number, execution: string) =>
	`Execution ${execution} had bought ${count} images of this run before n8n was restarted. If that execution did not end, add the option 'Reuse Images' and set it to 'Always' to use them instead of buying again.`;

/** The id of a workflow's latest execution, which was cut off. */
async function crashedId(fixture: Fixture, flow: FourImages): Promise<string> {
	const [crashed] = await fixture.api.executions(flow.id);
	assert.equal(crashed?.status, 'crashed');
	return crashed.id;
}

/** A later node is running when n8n is killed, so the node has delivered, and n8n has stored nothing. */
export function laterNodeCases(fixture: Fixture, kill: SharedKill): void {
	const publish = async (path: string, options = {}) =>
		await FourImages.publish(fixture, path, {
			log: true,
			options: { concurrency: 4, ...options },
			hasLaterNode: true,
		});

	describe('With a Purchase Log, while a later node runs', () => {
		const another = kill.share({
			publish: async () => await publish('later-then-run'),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => {
				const crashed = await crashedId(fixture, flow);
				return { flow, crashed, next: await flow.run() };
			},
		});

		it('lets another run buy its own images, and say which execution had bought how many', async () => {
			const { flow, crashed, next } = await another();
			assert.deepEqual(flow.charges, [2, 2, 2, 2]);
			await flow.assertDelivered(next);
			const hints = hintsOf(next, 'Generate');
			assert.match(hints, /4 images were bought\./);
			assert.ok(hints.includes(again(4, crashed)), hints);
		});

		const retried = kill.share({
			publish: async () => await publish('later-then-retry'),
			begin: async (flow) => {
				const earlier = await flow.run();
				await flow.hangLater();
				return earlier;
			},
			resume: async (flow) => {
				const crashed = await crashedId(fixture, flow);
				return { flow, crashed, retry: await fixture.api.retry(flow.id, crashed) };
			},
		});

		it('lets Retry buy nothing again, and take the images of the execution that it repeats', async () => {
			const { flow, crashed, retry } = await retried();
			// The first ones are of an earlier execution, which ended well.
			assert.deepEqual(flow.charges, [2, 2, 2, 2]);
			await flow.assertDelivered(retry);
			assert.equal(hintsOf(retry, 'Generate'), `4 images were kept from execution ${crashed}.`);
		});

		const reused = kill.share({
			publish: async () => await publish('later-then-reuse', { reuse: 'always' }),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => ({ flow, next: await flow.run() }),
		});

		it('lets a run with Reuse Images set to Always buy nothing again', async () => {
			const { flow, next } = await reused();
			await flow.assertDelivered(next);
			assert.deepEqual(flow.charges, [1, 1, 1, 1]);
			assert.match(hintsOf(next, 'Generate'), /^4 images are those that you bought /);
		});
	});

	const overlapped = kill.share({
		publish: async () => await publish('overlapped'),
		begin: async (flow) => {
			const [fox] = flow.prompts;
			fixture.sandbox.arm({ fault: 'delay', delayMs: 3000, times: 2, when: fox });
			await flow.call();
			await flow.call();
			await until('both executions wait for their first image', () => {
				const calls = fixture.calls(fox);
				return calls.length === 2 && calls.every(({ status }) => status === null);
			});
			const ended = await fixture.api.finished(flow.id, 2);
			assert.deepEqual(
				ended.map(({ status }) => status),
				['success', 'success'],
			);
		},
		resume: async (flow) => {
			const earlier = await fixture.api.executions(flow.id);
			return { flow, earlier, next: await flow.run() };
		},
	});

	it('With a Purchase Log, two executions that overlapped and ended well keep their images, and the next run buys its own', async () => {
		const { flow, earlier, next } = await overlapped();
		assert.deepEqual(flow.charges, [3, 3, 3, 3]);
		await flow.assertDelivered(next);
		const delivered = await Promise.all(earlier.map(({ id }) => fixture.api.execution(id)));
		const all = [...delivered, next].flatMap((execution) => idsIn(execution, 'Generate'));
		assert.equal(new Set(all).size, 12);
		assert.match(hintsOf(next, 'Generate'), /^4 images were bought\.$/m);
	});
}
