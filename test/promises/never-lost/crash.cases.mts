import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Beforehand } from '../../support/wholeN8n/Beforehand.mjs';
import { assertSuccess, hintsOf } from '../../support/wholeN8n/execution.mjs';
import type { Fixture } from '../../support/wholeN8n/fixture.mjs';
import { FourImages, type Settings } from '../../support/wholeN8n/FourImages.mjs';
import {
	itsPrompt,
	loopOverItems,
	loopThrough,
	splitOut,
	webhook,
} from '../../support/wholeN8n/nodes.mjs';
import { until, untilLogged } from '../../support/wholeN8n/until.mjs';
import { allKept } from './nextRun.cases.mjs';

const LOG = 'Log of crashes';

/** n8n is asked to end (SIGTERM), and starts again. */
export function shutdownCase(fixture: Fixture): void {
	it('a shutdown of n8n (SIGTERM) lets a run finish that ends in time', async () => {
		const flow = await FourImages.publish(fixture, 'in-time');
		await flow.beginSlowly(3);
		await fixture.restart('stop');
		await flow.assertPaidOnce(await fixture.api.lastExecution(flow.id));
	});
}

/** n8n is killed (SIGKILL) once, and starts again before the tests, because it starts slowly. */
export function crashCases(fixture: Fixture): void {
	describe('A crash of n8n (SIGKILL)', { concurrency: 5 }, () => {
		const crash = new Beforehand();
		before(async () => {
			await crash.begin();
			await fixture.restart('kill');
			fixture.sandbox.disarm();
		});
		const unlogged = crash.add(async () => {
			const flow = await FourImages.publish(fixture, 'crash', { hasLaterNode: true });
			await flow.hangLater();
			const [fox] = flow.prompts;
			const link = fixture.charged(fox)[0]?.outputUrl ?? 'no link';
			await untilLogged(fixture.n8n.log, `was bought: ${link}`);
			return { flow, link };
		});

		it('leaves nothing but the lines in n8n’s log without a Purchase Log, and Retry and the next run buy everything again', async () => {
			const { flow, link } = await unlogged();
			const crashed = await fixture.api.lastExecution(flow.id);
			assert.equal(crashed.status, 'crashed');
			assert.ok(!JSON.stringify(crashed).includes(link));

			await flow.assertDelivered(await fixture.api.retry(flow.id, crashed.id));
			assert.deepEqual(flow.charges, [2, 2, 2, 2]);
			await flow.assertDelivered(await flow.run());
			assert.deepEqual(flow.charges, [3, 3, 3, 3]);
		});

		loggedCases(fixture, crash);
	});
}

/** With a Purchase Log, which they share, because a new table takes time. */
function loggedCases(fixture: Fixture, crash: Beforehand): void {
	const publish = async (path: string, settings: Settings = {}) =>
		await FourImages.publish(fixture, path, {
			log: LOG,
			hasLaterNode: true,
			...settings,
			options: { concurrency: 4, ...settings.options },
		});
	const hangingLater = (path: string, settings?: Settings) =>
		crash.add(async () => {
			const flow = await publish(path, settings);
			await flow.hangLater();
			return flow;
		});

	const twice = crash.add(async () => {
		const flow = await publish('killed-then-run');
		assertSuccess(await flow.run());
		await flow.hangLater();
		return flow;
	});
	it('in a later node leaves the images to the next run, once, and not those of an execution before it that ended well', async () => {
		const flow = await twice();
		const next = await flow.run();
		assert.deepEqual(flow.charges, [2, 2, 2, 2]);
		await flow.assertDelivered(next);
		assert.match(hintsOf(next, 'Generate'), allKept);

		await flow.assertDelivered(await flow.run());
		assert.deepEqual(flow.charges, [3, 3, 3, 3]);
	});

	const retried = hangingLater('killed-then-retry');
	it('in a later node leaves the images to Retry, which n8n begins at the trigger', async () => {
		const flow = await retried();
		const [crashed] = await fixture.api.executions(flow.id);
		await flow.assertPaidOnce(await fixture.api.retry(flow.id, crashed?.id ?? ''));
	});

	const inNode = crash.add(async () => {
		const flow = await publish('killed-in-node', { options: { concurrency: 1 } });
		const [, , crow] = flow.prompts;
		fixture.sandbox.arm({ fault: 'hang', when: crow });
		await flow.call();
		await until(`${crow} is in progress`, () => fixture.calls(crow).length === 1);
		return flow;
	});
	it('in the node itself leaves what it had bought to the next run', async () => {
		const flow = await inNode();
		const [fox, hare] = flow.prompts;
		const next = await flow.run([fox, hare, 'a new crow']);
		assertSuccess(next);
		assert.deepEqual(flow.charges, [1, 1, 0, 0]);
		assert.match(hintsOf(next, 'Generate'), /^1 image was bought\. 2 images are used again /m);
	});

	const looped = crash.add(async () => await hangInLoop(fixture, 'killed-loop'));
	it('in a later round of a loop, to which n8n adds no error, leaves the images to the next run', async () => {
		const { id, path, prompts } = await looped();
		const [crashed] = await fixture.api.executions(id);
		assert.equal(crashed?.status, 'crashed');
		await fixture.call(path, { prompts });
		const [next] = await fixture.api.finished(id, 2);
		assert.ok(next);
		assertSuccess(next);
		const charges = prompts.map((prompt) => fixture.charged(prompt).length);
		assert.deepEqual(charges, [1, 1, 1, 1, 1]);
	});

	const waited = hangingLater('killed-after-wait', { waits: true });
	it('leaves the images to the next run although n8n has stored what came before a pause, and until when it waited', async () => {
		const flow = await waited();
		await flow.assertPaidOnce(await flow.run());
	});

	const called = hangingLater('killed-caller', { caller: {} });
	it('leaves the images of a sub-workflow, which n8n has stored as ended, to the next run of its caller', async () => {
		const flow = await called();
		await flow.assertPaidOnce(await flow.run());
	});
}

/** Runs a loop in rounds of two images, and hangs in the third. */
async function hangInLoop(fixture: Fixture, path: string) {
	const prompts = ['fox', 'hare', 'crow', 'owl', 'bear'].map((animal) => `${path} ${animal}`);
	const parameters = {
		operation: 'generate',
		prompt: itsPrompt,
		options: { purchaseLog: LOG },
	};
	const nodes = [
		webhook(path, 'onReceived'),
		splitOut,
		loopOverItems(2),
		fixture.node('Generate', parameters),
	];
	const id = await fixture.publish(nodes, { wires: loopThrough('Generate') });
	const [last = ''] = prompts.slice(-1);
	fixture.sandbox.arm({ fault: 'hang', when: last });
	await fixture.call(path, { prompts });
	await until(`${last} is in progress`, () => fixture.calls(last).length === 1);
	return { id, path, prompts };
}
