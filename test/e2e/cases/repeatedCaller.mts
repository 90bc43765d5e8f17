import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { CalledImages, type CallSettings } from '../support/CalledImages.mjs';
import { assertSuccess, rowsOf, type Execution } from '../support/execution.mjs';
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
			let stored: CalledImages;
			let results: Record<'caller' | 'both' | 'failed' | 'unclear' | 'stored', Execution>;
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
				stored = await publish('stored', { caller: twice, savesProgress: true });
				const { sandbox } = fixture;
				sandbox.arm({ fault: 'status', status: 400, when: caller.prompts[2] });
				// The second one is an attempt of the same sub-workflow.
				sandbox.arm({ fault: 'status', status: 400, times: 2, when: both.prompts[2] });
				sandbox.arm({ fault: 'status', status: 400, when: parent.prompts[2] });
				sandbox.arm({ fault: 'reset-after', when: unclear.prompts[2] });
				sandbox.arm({ fault: 'reset-after', when: stored.prompts[2] });
				const [first, second, third, fourth, fifth] = await Promise.all(
					[caller, both, parent, unclear, stored].map(async (each) => await each.run()),
				);
				assert.ok(first && second && third && fourth && fifth);
				results = {
					caller: first,
					both: second,
					failed: third,
					unclear: fourth,
					stored: fifth,
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

			it('sends nothing again that may have been charged if its caller saves progress', () => {
				const message = JSON.stringify(results.stored.data.resultData.error);
				assert.match(message, /You may have been charged/);
				assert.deepEqual(stored.costs, { charges: [1, 1, 1], requests: 1 });
			});

			/** Calls it in a loop for two equal images, of which the first may have been charged. */
			const runLoop = async (path: string, savesProgress: boolean) => {
				const loop = await CalledImages.publish(fixture, `${path}-${log}`, {
					log: hasLog ? 'Log of callers' : '',
					inLoop: true,
					caller: { onError: 'continueRegularOutput' },
					savesProgress,
				});
				const [ant, bee] = loop.prompts;
				fixture.sandbox.arm({ fault: 'reset-after', when: ant });
				const execution = await loop.run([ant, ant, bee]);
				const { charges } = loop.costs;
				return { charges, failed: rowsOf(execution, 'Call').map(({ json }) => 'error' in json) };
			};

			it('buys the next image of a loop if its caller saves progress', async () => {
				assert.deepEqual(await runLoop('stored-loop', true), {
					charges: [2, 1, 0],
					failed: [true, false, false],
				});
			});

			it('does not send the next image of a loop if nothing tells it from a repeat', async () => {
				assert.deepEqual(await runLoop('loop', false), {
					charges: [1, 1, 0],
					failed: [true, true, false],
				});
			});
		});
	}
}
