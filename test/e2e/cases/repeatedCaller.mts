import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { CalledImages, type CallSettings } from '../support/CalledImages.mjs';
import { assertSuccess, type Execution } from '../support/execution.mjs';
import { logChoices, type Fixture } from '../support/fixture.mjs';

/** A sub-workflow whose caller n8n repeats: each time with a new execution, which nobody can retry. */
export function repeatedCallerCases(fixture: Fixture, hostName: string): void {
	const twice = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
	for (const hasLog of logChoices(hostName)) {
		const log = hasLog ? 'log' : 'no-log';
		describe(`A sub-workflow ${hasLog ? 'with' : 'without'} a Purchase Log`, () => {
			let caller: CalledImages;
			let both: CalledImages;
			let parent: CalledImages;
			let unclear: CalledImages;
			let results: Record<'caller' | 'both' | 'failed' | 'unclear', Execution>;
			before(async () => {
				const publish = async (name: string, settings: Omit<CallSettings, 'log'> = {}) =>
					await CalledImages.publish(fixture, `${name}-${log}`, {
						log: hasLog ? 'Log of callers' : '',
						...settings,
					});
				caller = await publish('caller', { caller: twice });
				both = await publish('both', { caller: twice, node: twice });
				parent = await publish('parent');
				unclear = await publish('unclear', { caller: twice });
				const { sandbox } = fixture;
				sandbox.arm({ fault: 'status', status: 400, when: caller.prompts[2] });
				// The second one is an attempt of the same sub-workflow.
				sandbox.arm({ fault: 'status', status: 400, times: 2, when: both.prompts[2] });
				sandbox.arm({ fault: 'status', status: 400, when: parent.prompts[2] });
				sandbox.arm({ fault: 'reset-after', when: unclear.prompts[2] });
				const [first, second, third, fourth] = await Promise.all(
					[caller, both, parent, unclear].map(async (each) => await each.run()),
				);
				assert.ok(first && second && third && fourth);
				results = {
					caller: first,
					both: second,
					failed: third,
					unclear: fourth,
				};
			});

			it('pays once if its caller has Retry On Fail', () => {
				caller.assertCompleted(results.caller, 2);
			});

			it('pays once if both its caller and its node have Retry On Fail', () => {
				both.assertCompleted(results.both, 3);
			});

			it('pays once if its parent execution is retried in the list', async () => {
				assert.deepEqual(parent.costs, { charges: [1, 1, 0], requests: 1 });
				parent.assertCompleted(await parent.retry(results.failed), 2);
			});

			it('sends nothing again that may have been charged until somebody retries the parent execution', async () => {
				const message = JSON.stringify(results.unclear.data.resultData.error);
				assert.match(message, /You may have been charged/);
				assert.deepEqual(unclear.costs, { charges: [1, 1, 1], requests: 1 });

				assertSuccess(await unclear.retry(results.unclear));
				assert.deepEqual(unclear.costs, { charges: [1, 1, 2], requests: 2 });
			});
		});
	}
}
