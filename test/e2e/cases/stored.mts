import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CalledImages } from '../support/CalledImages.mjs';
import { hintsOf, idsIn } from '../support/execution.mjs';
import { logChoices, type Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import { Together } from '../support/Together.mjs';

const bought = /^4 images were bought\.$/m;
const takenOver = /^4 images were kept from a run that did not finish\.$/m;

/** What a run does with the images of another one, by what n8n has stored of that one's execution. */
export function storedCases(fixture: Fixture, hostName: string): void {
	describe('The images of an execution', () => {
		const together = new Together();
		for (const log of logChoices(hostName)) {
			describe(log ? 'with a Purchase Log' : 'without a Purchase Log', () => {
				laterNodeStories(fixture, together, log);
				failureStories(fixture, together, log);
				callerStories(fixture, together, log);
			});
		}
	});
}

const named = (path: string, log: boolean) => (log ? `${path}-logged` : path);
/** All these workflows have the same one, because a new table takes time. */
const logName = (log: boolean) => (log ? 'Stored or not' : '');

/** The node has delivered, and a later node runs. */
function laterNodeStories(fixture: Fixture, together: Together, log: boolean): void {
	const publish = async (path: string, settings = {}) =>
		await FourImages.publish(fixture, named(path, log), {
			log: logName(log),
			options: { concurrency: 4 },
			hasLaterNode: true,
			settings,
		});

	const stopped = together.share(async () => {
		const flow = await publish('stopped-later');
		await flow.hangLater();
		await fixture.api.stopAll(flow.id);
		assert.equal((await fixture.api.lastExecution(flow.id)).status, 'canceled');
		const next = await flow.run();
		const charges = flow.charges;
		return { flow, next, charges, another: await flow.run() };
	});

	it('that was stopped in a later node are there for the next run, once', async () => {
		const { flow, next, charges, another } = await stopped();
		assert.deepEqual(charges, [1, 1, 1, 1]);
		assert.deepEqual(idsIn(next, 'Generate'), flow.firstIds);
		assert.match(hintsOf(next, 'Generate'), takenOver);
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		await flow.assertDelivered(another);
		assert.match(hintsOf(another, 'Generate'), bought);
	});

	const timedOut = together.share(async () => {
		const flow = await publish('timed-out-later', { executionTimeout: 20 });
		await flow.hangLater();
		assert.equal((await fixture.api.lastExecution(flow.id)).status, 'canceled');
		return { flow, next: await flow.run() };
	});

	it('that timed out in a later node are there for the next run', async () => {
		const { flow, next } = await timedOut();
		assert.deepEqual(flow.charges, [1, 1, 1, 1]);
		await flow.assertDelivered(next);
		assert.match(hintsOf(next, 'Generate'), takenOver);
	});

	const goesOn = together.share(async () => {
		const flow = await publish('goes-on');
		await flow.hangLater();
		const [begun] = await fixture.api.executions(flow.id);
		const meanwhile = await flow.run();
		const charges = flow.charges;
		const all = await fixture.api.executions(flow.id);
		const status = all.find(({ id }) => id === begun?.id)?.status;
		await fixture.api.stopAll(flow.id);
		await fixture.api.finished(flow.id, 2);
		return { flow, meanwhile, charges, status, next: await flow.run() };
	});

	it('that goes on are its own, and are there for a run that begins after it was stopped', async () => {
		const { flow, meanwhile, charges, status, next } = await goesOn();
		assert.equal(status, 'running');
		assert.deepEqual(charges, [2, 2, 2, 2]);
		await flow.assertDelivered(meanwhile);
		assert.deepEqual(flow.charges, charges);
		assert.deepEqual(idsIn(next, 'Generate'), flow.firstIds);
		assert.match(hintsOf(next, 'Generate'), takenOver);
	});
}

/** The node itself was stopped, or has failed with two images finished. */
function failureStories(fixture: Fixture, together: Together, log: boolean): void {
	const publish = async (path: string, settings = {}) =>
		await FourImages.publish(fixture, named(path, log), { log: logName(log), settings });
	const notSaved = { saveDataErrorExecution: 'none' };

	const gone = together.share(async () => {
		const flow = await publish('gone');
		await flow.hang();
		await fixture.api.stopAll(flow.id);
		await fixture.api.finished(flow.id, 1);
		const [fox] = flow.prompts;
		const { pathname } = new URL(fixture.charged(fox)[0]?.outputUrl ?? '');
		fixture.sandbox.arm({ fault: 'download-404', times: 3, when: pathname });
		return { flow, next: await flow.run() };
	});

	it('that was stopped are bought again, with a hint, if their link is gone', async () => {
		const { flow, next } = await gone();
		assert.deepEqual(flow.charges, [2, 1, 1, 1]);
		await flow.assertDelivered(next);
		const hints = hintsOf(next, 'Generate');
		assert.match(hints, /3 images were bought, 1 image was kept from a run that did not finish\./);
		assert.match(hints, /The service no longer has (an|1) image/);
	});

	const unsaved = together.share(async () => {
		const flow = await publish('failed-unsaved', notSaved);
		await flow.failUnsaved();
		return { flow, next: await flow.run() };
	});

	it('that failed are there for the next run if n8n does not save failed executions', async () => {
		const { flow, next } = await unsaved();
		await flow.assertCompleted(next);
	});

	const deleted = together.share(async () => {
		const flow = await publish('failed-deleted');
		flow.refuseThird();
		const failed = await flow.run();
		assert.equal(failed.status, 'error');
		await fixture.api.deleteExecution(failed.id);
		return { flow, next: await flow.run() };
	});

	it('that failed are there for the next run if it was deleted', async () => {
		const { flow, next } = await deleted();
		await flow.assertCompleted(next);
	});

	const saved = together.share(async () => {
		const flow = await publish('failed-saved');
		flow.refuseThird();
		const failed = await flow.run();
		assert.equal(failed.status, 'error');
		const next = await flow.run();
		const charges = flow.charges;
		return { flow, next, charges, retry: await fixture.api.retry(flow.id, failed.id) };
	});

	it('that failed and was saved are there for Retry, and the next run buys its own', async () => {
		const { flow, next, charges, retry } = await saved();
		const [fox, hare] = flow.firstIds;
		assert.deepEqual(charges, [2, 2, 1, 1]);
		assert.equal(new Set([...idsIn(next, 'Generate'), fox, hare]).size, 6);
		assert.match(hintsOf(next, 'Generate'), bought);
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		const retried = idsIn(retry, 'Generate');
		assert.deepEqual(retried.slice(0, 2), [fox, hare]);
		assert.equal(new Set([...idsIn(next, 'Generate'), ...retried]).size, 8);
	});
}

/** The node runs in a sub-workflow, and a later node of the calling workflow runs. */
function callerStories(fixture: Fixture, together: Together, log: boolean): void {
	const publish = async (path: string, inLoop = false) =>
		await CalledImages.publish(fixture, named(path, log), {
			log: logName(log),
			inLoop,
			hasLaterNode: !inLoop,
		});

	const stopped = together.share(async () => {
		const flow = await publish('caller-stopped');
		await flow.hangLater();
		await flow.stop();
		return { flow, next: await flow.run() };
	});

	it('in a sub-workflow whose caller was stopped are there for the next run, unless n8n has stored the caller', async () => {
		const { flow, next } = await stopped();
		// n8n 1 stores what a stopped execution has (1.123.81); n8n 2 stores nothing (2.41.1).
		const isStored = !fixture.host.version.startsWith('2.');
		assert.deepEqual(flow.costs.charges, isStored ? [2, 2, 2] : [1, 1, 1]);
		flow.assertDelivered(next);
	});

	const failed = together.share(async () => {
		const flow = await publish('caller-failed');
		assert.equal((await flow.failLater()).status, 'error');
		return { flow, next: await flow.run() };
	});

	it('in a sub-workflow whose caller failed in a later node are stored, so the next run buys its own', async () => {
		const { flow, next } = await failed();
		assert.deepEqual(flow.costs.charges, [2, 2, 2]);
		flow.assertDelivered(next);
	});

	const looped = together.share(async () => {
		const flow = await publish('caller-loops', true);
		const [ant, bee] = flow.prompts;
		return { flow, execution: await flow.run([ant, ant, bee]) };
	});

	it('in a sub-workflow that a loop calls twice for the same are two', async () => {
		const { flow, execution } = await looped();
		assert.deepEqual(flow.costs.charges, [2, 1, 0]);
		assert.equal(new Set(idsIn(execution, 'Call')).size, 3);
	});
}
