import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hintsOf } from '../support/execution.mjs';
import { logChoices, type Fixture } from '../support/fixture.mjs';
import { FourImages } from '../support/FourImages.mjs';
import { until } from '../support/until.mjs';

/** n8n stands still for longer than Timeout, as in a virtual machine that is paused. */
export function standstillCases(fixture: Fixture, hostName: string): void {
	describe('A standstill of n8n that lasts longer than Timeout', () => {
		for (const log of logChoices(hostName)) {
			it(`delivers every image that arrived meanwhile, ${log ? 'with' : 'without'} a Purchase Log`, async () => {
				const path = log ? 'frozen-logged' : 'frozen';
				const options = { concurrency: 4, timeout: 5 };
				const flow = await FourImages.publish(fixture, path, { log, options });
				fixture.sandbox.arm({ fault: 'delay-after', delayMs: 2000, times: 4, when: path });
				const run = flow.run();
				await until('all images are in progress', () => fixture.calls().length === 4);
				assert.ok(fixture.calls().every(({ status }) => status === null));
				await fixture.pauseUntil(sleep(8000));

				const execution = await run;
				await flow.assertCompleted(execution, 1);
				assert.equal(hintsOf(execution, 'Generate'), '4 images were bought.');
			});
		}
	});
}
