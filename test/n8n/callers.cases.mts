import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Fixture } from '../support/wholeN8n/fixture.mjs';
import { FourImages, type Settings } from '../support/wholeN8n/FourImages.mjs';
import { until } from '../support/wholeN8n/until.mjs';

/** The node in a sub-workflow, whose execution n8n keeps apart from its caller's. */
export function callerCases(fixture: Fixture, hostName: string): void {
	const publish = async (path: string, settings: Settings = {}) =>
		await FourImages.publish(fixture, path, { caller: {}, ...settings });

	it('the images of a sub-workflow whose caller failed in a later node are there for the next run', async () => {
		const flow = await publish('caller-failed', { hasLaterNode: true });
		await flow.failLater();

		await flow.assertPaidOnce(await flow.run());
	});

	it('Stop of a caller reaches its sub-workflow, which n8n tells nothing: it sends no further request, and the next run has what was paid for', async () => {
		const flow = await publish('caller-stopped');
		const [, hare] = flow.prompts;
		fixture.sandbox.arm({ fault: 'delay-after', delayMs: 5000, when: hare });
		await flow.call();
		await until(`${hare} is charged`, () => fixture.charged(hare).length === 1);
		await flow.stop();
		await until('its answer has arrived', () => fixture.calls(hare)[0]?.status === 200);
		const next = await flow.run();

		await flow.assertPaidOnce(next);
		assert.deepEqual(
			flow.prompts.map((prompt) => fixture.calls(prompt).length),
			[1, 1, 1, 1],
		);
	});

	// The same in both (2.41.1 and 1.123.81).
	if (hostName === 'n8n-1') return;

	it('a sub-workflow that n8n starts again, because its caller has Retry On Fail, buys only what is missing', async () => {
		const caller = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const flow = await publish('caller-retries', { caller });
		const [, , crow] = flow.prompts;
		fixture.sandbox.arm({ fault: 'status', status: 400, when: crow });

		await flow.assertPaidOnce(await flow.run());
		assert.equal(fixture.calls(crow).length, 2);
	});
}
