import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertSuccess, hintsOf } from '../../support/wholeN8n/execution.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { FourImages, type Settings } from '../../support/wholeN8n/FourImages.mjs';
import { rowsOfTable } from '../../support/wholeN8n/tables.mjs';
import { untilN8n } from '../../support/wholeN8n/until.mjs';

export const allKept = /^4 images are used again /m;
const allBought = /^4 images were bought\.$/m;

/** What the next run has of an execution, by what n8n stores and tells of that. */
export function nextRunCases(fixture: Fixture, hostName: string): void {
	const publish = async (path: string, settings: Settings = {}) =>
		await FourImages.publish(fixture, path, {
			options: { concurrency: 4 },
			hasLaterNode: true,
			...settings,
		});

	it('the images of an execution that failed in a later node are there for the next run, for Retry as well, and for no run after that', async () => {
		const flow = await publish('later-failed');
		const failed = await flow.failLater();
		const next = await flow.run();
		await flow.assertPaidOnce(next);
		assert.match(hintsOf(next, 'Generate'), allKept);

		await flow.assertPaidOnce(await fixture.api.retry(flow.id, failed.id));

		const another = await flow.run();
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		await flow.assertDelivered(another);
		assert.match(hintsOf(another, 'Generate'), allBought);
	});

	it('the images of an execution that failed in a later node are bought again if the workflow does not save failed executions', async () => {
		const flow = await publish('later-unsaved', { settings: { saveDataErrorExecution: 'none' } });
		await flow.run();
		await flow.callIntoFailure();
		await untilN8n('it has failed, and n8n has forgotten it', async () => {
			const isOver = flow.charges.every((count) => count === 2);
			return isOver && (await fixture.api.executions(flow.id)).length === 1;
		});

		await flow.assertDelivered(await flow.run());
		assert.deepEqual(flow.charges, [3, 3, 3, 3]);
	});

	it('the images of an execution whose time was over in a later node are bought again, because n8n tells nothing of that', async () => {
		const flow = await publish('later-timed-out', { settings: { executionTimeout: 15 } });
		await flow.hangLater();
		assert.equal((await fixture.api.lastExecution(flow.id)).status, 'canceled');

		await flow.assertDelivered(await flow.run());
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
	});

	// n8n 1.123.81 stores of a stopped execution the same as of one that ended well.
	if (hostName === 'n8n-1') return;

	it('the images of an execution that goes on are its own, and are there for a run that begins after it was stopped', async () => {
		const flow = await publish('later-goes-on');
		await flow.hangLater();
		const first = flow.firstIds;
		const meanwhile = await flow.run();
		await flow.assertDelivered(meanwhile);
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		await fixture.api.stopAll(flow.id);
		await fixture.api.finished(flow.id, 2);

		const next = await flow.run();
		assertSuccess(next);
		assert.deepEqual(flow.idsIn(next), first);
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
	});
}

/** A workflow's time limit that ends the node itself. */
export function timeLimitCase(fixture: Fixture, log?: string): void {
	const withLog =
		log === undefined ? '' : ', and in the Purchase Log, which n8n no longer answers then';
	it(`a request in progress when the time of the workflow is over is awaited, and there for the next run${withLog}`, async () => {
		const flow = await FourImages.publish(
			fixture,
			log === undefined ? 'time-limit' : 'time-limit-logged',
			{ ...(log !== undefined && { log }), settings: { executionTimeout: 30 } },
		);
		await flow.beginSlowly(34);
		assert.equal((await fixture.api.lastExecution(flow.id)).status, 'canceled');
		const rowsOf = async () => {
			const rows = log === undefined ? [] : await rowsOfTable(fixture, log);
			return rows.filter(({ workflow }) => workflow === flow.path);
		};
		if (log !== undefined) {
			await untilN8n('the log has the answer that was awaited', async () => {
				const left = (await rowsOf()).filter(({ link, holder }) => link && !holder);
				return left.length === 3;
			});
		}
		const next = await flow.run();

		await flow.assertPaidOnce(next);
		assert.match(hintsOf(next, 'Generate'), /^1 image was bought\. 3 images are used again /m);
		const holders = (await rowsOf()).map(({ holder }) => String(holder));
		assert.deepEqual(holders, log === undefined ? [] : flow.prompts.map(() => next.id));
	});
}
