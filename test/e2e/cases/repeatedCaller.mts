import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CalledImages, type CallSettings } from '../support/CalledImages.mjs';
import { assertSuccess, rowsOf } from '../support/execution.mjs';
import { logChoices, type Fixture } from '../support/fixture.mjs';
import { Together } from '../support/Together.mjs';

/** A sub-workflow whose caller n8n repeats: each time with a new execution. */
export function repeatedCallerCases(fixture: Fixture, hostName: string): void {
	for (const hasLog of logChoices(hostName)) {
		describe(`A sub-workflow ${hasLog ? 'with' : 'without'} a Purchase Log`, () => {
			const together = new Together();
			const publish = async (name: string, settings: Omit<CallSettings, 'log'> = {}) =>
				await CalledImages.publish(fixture, `${name}-${hasLog ? 'log' : 'no-log'}`, {
					log: hasLog ? 'Log of callers' : '',
					...settings,
				});
			repeatStories(fixture, together, publish);
			loopStories(fixture, together, publish);
		});
	}
}

type Publish = (name: string, settings?: Omit<CallSettings, 'log'>) => Promise<CalledImages>;

const twice = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };

/** Its third image is refused, or cut off, and n8n repeats the caller. */
function repeatStories(fixture: Fixture, together: Together, publish: Publish): void {
	/** @param times How often the service refuses the third image. */
	const refused = (name: string, settings: Omit<CallSettings, 'log'>, times = 1) =>
		together.share(async () => {
			const flow = await publish(name, settings);
			fixture.sandbox.arm({ fault: 'status', status: 400, times, when: flow.prompts[2] });
			return { flow, execution: await flow.run() };
		});
	const cutOff = (name: string, settings: Omit<CallSettings, 'log'>) =>
		together.share(async () => {
			const flow = await publish(name, settings);
			fixture.sandbox.arm({ fault: 'reset-after', when: flow.prompts[2] });
			return { flow, execution: await flow.run() };
		});

	const repeated = refused('caller', { caller: twice });
	it('pays once if its caller has Retry On Fail', async () => {
		const { flow, execution } = await repeated();
		flow.assertCompleted(execution, 2);
	});

	// The second refusal is of an attempt of the same sub-workflow.
	const both = refused('both', { caller: twice, node: twice }, 2);
	it('pays once if both its caller and its node have Retry On Fail', async () => {
		const { flow, execution } = await both();
		flow.assertCompleted(execution, 3);
	});

	const failed = refused('parent', {});
	it('pays once if its parent execution is retried in the list', async () => {
		const { flow, execution } = await failed();
		assert.deepEqual(flow.costs, { charges: [1, 1, 0], requests: 1 });
		flow.assertCompleted(await flow.retry(execution), 2);
	});

	const unclear = cutOff('unclear', { caller: twice });
	it('sends nothing again that may have been charged until somebody retries the parent execution', async () => {
		const { flow, execution } = await unclear();
		const message = JSON.stringify(execution.data.resultData.error);
		assert.match(message, /You may have been charged/);
		assert.deepEqual(flow.costs, { charges: [1, 1, 1], requests: 1 });

		assertSuccess(await flow.retry(execution));
		assert.deepEqual(flow.costs, { charges: [1, 1, 2], requests: 2 });
	});

	const stored = cutOff('stored', { caller: twice, savesProgress: true });
	it('sends nothing again that may have been charged if its caller saves progress', async () => {
		const { flow, execution } = await stored();
		const message = JSON.stringify(execution.data.resultData.error);
		assert.match(message, /You may have been charged/);
		assert.deepEqual(flow.costs, { charges: [1, 1, 1], requests: 1 });
	});
}

/** A loop calls it for two equal images, of which the first may have been charged, and then for another one. */
function loopStories(fixture: Fixture, together: Together, publish: Publish): void {
	const looped = (name: string, savesProgress: boolean) =>
		together.share(async () => {
			const caller = { onError: 'continueRegularOutput' } as const;
			const flow = await publish(name, { inLoop: true, caller, savesProgress });
			const [ant, bee] = flow.prompts;
			fixture.sandbox.arm({ fault: 'reset-after', when: ant });
			const rows = rowsOf(await flow.run([ant, ant, bee]), 'Call');
			return { charges: flow.costs.charges, failed: rows.map(({ json }) => 'error' in json) };
		});

	const stored = looped('loop-stored', true);
	it('buys the next image of a loop if its caller saves progress', async () => {
		assert.deepEqual(await stored(), { charges: [2, 1, 0], failed: [true, false, false] });
	});

	const notStored = looped('loop-unknown', false);
	it('does not send the next image of a loop if nothing tells it from a repeat', async () => {
		assert.deepEqual(await notStored(), { charges: [1, 1, 0], failed: [true, true, false] });
	});
}
