import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CalledImages } from '../support/CalledImages.mjs';
import { hintsOf, idsIn } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { FourImages, type Settings } from '../support/FourImages.mjs';
import type { SharedKill } from '../support/SharedKill.mjs';
import { rowsOfTable } from '../support/tables.mjs';
import { until } from '../support/until.mjs';

/** Waits until a workflow has no execution, because n8n does not save those that have ended. */
async function untilForgotten(fixture: Fixture, flow: FourImages): Promise<void> {
	await until('n8n has forgotten the execution', async () => {
		return (await fixture.api.executions(flow.id)).length === 0;
	});
}

/** n8n is killed after the node has delivered, with a Purchase Log. */
export function laterNodeCases(fixture: Fixture, kill: SharedKill): void {
	// One for all, because each run looks for ten seconds at a table that a dead process has used.
	const log = 'Killed later';
	const publish = async (path: string, { options, ...more }: Settings = {}) =>
		await FourImages.publish(fixture, path, {
			log,
			options: { concurrency: 4, ...options },
			hasLaterNode: true,
			...more,
		});
	/** The id of a workflow's latest execution, which was cut off. */
	const crashedId = async (flow: FourImages) => {
		const [crashed] = await fixture.api.executions(flow.id);
		assert.equal(crashed?.status, 'crashed');
		return crashed.id;
	};

	describe('While a later node runs', () => {
		const another = kill.share({
			publish: async () => await publish('later-then-run'),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => {
				const next = await flow.run();
				const charges = flow.charges;
				return { flow, next, charges, another: await flow.run() };
			},
		});

		it('leaves the images to the next run, once', async () => {
			const { flow, next, charges, another: own } = await another();
			assert.deepEqual(charges, [1, 1, 1, 1]);
			assert.deepEqual(idsIn(next, 'Generate'), flow.firstIds);
			assert.match(
				hintsOf(next, 'Generate'),
				/^4 images were kept from a run that did not finish\.$/m,
			);
			assert.deepEqual(flow.charges, [2, 2, 2, 2]);
			await flow.assertDelivered(own);
		});

		const retried = kill.share({
			publish: async () => await publish('later-then-retry'),
			begin: async (flow) => {
				await flow.run();
				await flow.hangLater();
			},
			resume: async (flow) => {
				return { flow, retry: await fixture.api.retry(flow.id, await crashedId(flow)) };
			},
		});

		it('leaves the images to Retry, and not those of an execution before it that ended well', async () => {
			const { flow, retry } = await retried();
			assert.deepEqual(flow.charges, [2, 2, 2, 2]);
			await flow.assertDelivered(retry);
			assert.match(
				hintsOf(retry, 'Generate'),
				/^4 images were kept from a run that did not finish\.$/m,
			);
		});

		const twice = kill.share({
			publish: async () => await publish('later-then-two'),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => {
				await Promise.all([flow.call(), flow.call()]);
				return { flow, executions: await fixture.api.finished(flow.id, 3) };
			},
		});

		it('leaves each image to one of two runs that begin at once', async () => {
			const { flow, executions } = await twice();
			assert.deepEqual(
				executions.map(({ status }) => status),
				['success', 'success', 'crashed'],
			);
			assert.deepEqual(flow.charges, [2, 2, 2, 2]);
			const delivered = executions.flatMap((execution) => idsIn(execution, 'Generate'));
			assert.equal(delivered.length, 8);
			assert.equal(new Set(delivered).size, 8);
		});

		const reused = kill.share({
			publish: async () => await publish('later-then-reuse', { options: { reuse: 'always' } }),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => ({ flow, next: await flow.run() }),
		});

		it('lets a run with Reuse Images set to Always buy nothing again', async () => {
			const { flow, next } = await reused();
			await flow.assertDelivered(next);
			assert.deepEqual(flow.charges, [1, 1, 1, 1]);
		});

		const saved = kill.share({
			publish: async () =>
				await publish('later-saved', { settings: { saveExecutionProgress: true } }),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => {
				const retry = await fixture.api.retry(flow.id, await crashedId(flow));
				const charges = flow.charges;
				return { flow, retry, charges, next: await flow.run() };
			},
		});

		it('leaves the images to Retry if n8n saves the progress, and the next run buys its own', async () => {
			const { flow, retry, charges, next } = await saved();
			assert.deepEqual(charges, [1, 1, 1, 1]);
			assert.deepEqual(idsIn(retry, 'Generate'), flow.firstIds);
			assert.deepEqual(flow.charges, [2, 2, 2, 2]);
			await flow.assertDelivered(next);
		});

		const waited = kill.share({
			publish: async () => await publish('later-waited', { waits: true }),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => ({ flow, next: await flow.run() }),
		});

		it('leaves the images to the next run, although n8n has stored what came before a pause', async () => {
			const { flow, next } = await waited();
			assert.deepEqual(flow.charges, [1, 1, 1, 1]);
			await flow.assertDelivered(next);
		});

		const retrying = kill.share({
			publish: async () => await publish('later-in-retry'),
			begin: async (flow) => {
				flow.refuseThird();
				const failed = await flow.run();
				assert.equal(failed.status, 'error');
				await flow.hangLater(() => fixture.api.beginRetry(failed.id));
			},
			resume: async (flow) => ({ flow, next: await flow.run() }),
		});

		it('leaves the images of Retry to the next run, those of the failed execution included', async () => {
			const { flow, next } = await retrying();
			assert.deepEqual(flow.charges, [1, 1, 1, 1]);
			await flow.assertDelivered(next);
		});

		const called = kill.share({
			publish: async () =>
				await CalledImages.publish(fixture, 'caller-killed', { log, hasLaterNode: true }),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => ({ flow, next: await flow.run() }),
		});

		it('leaves the images of a sub-workflow to the next run of its caller', async () => {
			const { flow, next } = await called();
			flow.assertCompleted(next, 1);
		});

		const calledAgain = kill.share({
			publish: async () =>
				await CalledImages.publish(fixture, 'caller-retried', { log, hasLaterNode: true }),
			begin: async (flow) => await flow.hangLater(),
			resume: async (flow) => ({ flow, retry: await flow.retryCrashed() }),
		});

		it('leaves the images of a sub-workflow to Retry of its caller', async () => {
			const { flow, retry } = await calledAgain();
			flow.assertCompleted(retry, 1);
		});
	});

	const stopped = kill.share({
		publish: async () => await publish('later-stopped'),
		begin: async (flow) => {
			await flow.hangLater();
			await fixture.api.stopAll(flow.id);
			assert.equal((await fixture.api.lastExecution(flow.id)).status, 'canceled');
		},
		resume: async (flow) => ({ flow, next: await flow.run() }),
	});

	it('leaves the images of an execution that was stopped in a later node to the next run', async () => {
		const { flow, next } = await stopped();
		assert.deepEqual(flow.charges, [1, 1, 1, 1]);
		await flow.assertDelivered(next);
	});

	const failed = kill.share({
		publish: async () =>
			await FourImages.publish(fixture, 'killed-unsaved', {
				log,
				settings: { saveDataErrorExecution: 'none' },
			}),
		begin: async (flow) => await flow.failUnsaved(),
		resume: async (flow) => ({ flow, next: await flow.run() }),
	});

	it('leaves the images of a failed execution that n8n did not save to the next run', async () => {
		const { flow, next } = await failed();
		await flow.assertCompleted(next);
	});

	const unknown = kill.share({
		publish: async () =>
			await FourImages.publish(fixture, 'success-unsaved', {
				log,
				options: { concurrency: 4 },
				settings: { saveDataSuccessExecution: 'none' },
			}),
		begin: async (flow) => {
			await flow.call();
			await until('all are charged', () => flow.charges.every((count) => count === 1));
			await untilForgotten(fixture, flow);
		},
		resume: async (flow) => {
			await flow.call();
			await until('all are charged again', () => flow.charges.every((count) => count === 2), 60);
			await untilForgotten(fixture, flow);
			return { flow, rows: await rowsOfTable(fixture, flow.table) };
		},
	});

	it('leaves nothing of an execution that ended well and was not saved, so the next run buys its own', async () => {
		const { flow, rows } = await unknown();
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		const delivered = rows.filter(
			({ state, workflow }) => state === 'delivered' && workflow === flow.path,
		);
		assert.equal(new Set(delivered.map(({ link }) => link)).size, 8);
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

	it('leaves nothing of two executions that overlapped and ended well, so the next run buys its own', async () => {
		const { flow, earlier, next } = await overlapped();
		assert.deepEqual(flow.charges, [3, 3, 3, 3]);
		await flow.assertDelivered(next);
		const delivered = await Promise.all(earlier.map(({ id }) => fixture.api.execution(id)));
		const all = [...delivered, next].flatMap((execution) => idsIn(execution, 'Generate'));
		assert.equal(new Set(all).size, 12);
		assert.match(hintsOf(next, 'Generate'), /^4 images were bought\.$/m);
	});
}
