import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { purchaseLogCases } from './cases/purchaseLog.mjs';
import { timeoutCases } from './cases/timeout.mjs';
import { assertSuccess, hintsOf, rowsOf, type Execution } from './support/execution.mjs';
import { useFixture } from './support/fixture.mjs';
import { FourImages } from './support/FourImages.mjs';
import { rowsOfTable } from './support/tables.mjs';
import { untilLogged } from './support/until.mjs';

/**
 * What survives when a run is cut off, and what Retry and the next run take over. The runs of a group
 * begin together, so that n8n ends once for all of them.
 */
for (const hostName of ['n8n-2', 'n8n-1']) {
	describe(`A run that is cut off, in n8n ${hostVersion(hostName)}`, () => {
		const settings = {
			N8N_DATA_TABLES_MAX_SIZE_BYTES: '1000000',
			N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
		};
		const prepare = () => Promise.resolve(settings);
		const fixture = useFixture({ hostName, name: `cut-off-${hostName}`, prepare });
		timeoutCases(fixture, hostName);

		const logged = { log: true } as const;
		/**
		 * Asserts that this execution bought only the third and fourth image.
		 * @param before how the only other execution of the workflow ended
		 */
		const assertTakenOver = async (execution: Execution, flow: FourImages, before: string) => {
			await flow.assertCompleted(execution);
			const all = await fixture.api.executions(flow.id);
			assert.deepEqual(
				all.map(({ mode, status }) => `${mode} ${status}`),
				[`${execution.mode} success`, `webhook ${before}`],
			);
			const [fox, hare, crow, owl] = flow.prompts;
			const hints = hintsOf(execution, 'Generate');
			assert.match(hints, /2 images were bought, 2 images were kept from a stopped run/);
			const unclear = '1 request that was cut off may have been charged: Item 3, &quot;';
			assert.ok(hints.includes(unclear + crow), hints);
			const rows = await rowsOfTable(fixture, flow.table);
			assert.deepEqual(rows.map(({ image, state }) => [image, state]).sort(), [
				[`Item 1, "${fox}"`, 'delivered'],
				[`Item 2, "${hare}"`, 'delivered'],
				[`Item 3, "${crow}"`, 'delivered'],
				[`Item 3, "${crow}"`, 'unclear'],
				[`Item 4, "${owl}"`, 'delivered'],
			]);
		};

		describe('A shutdown of n8n (SIGTERM)', () => {
			let inTime: FourImages;
			let stopped: FourImages;
			before(async () => {
				stopped = await FourImages.begin(fixture, 'log-stopped', logged);
				await fixture.api.stopAll(stopped.id);
				await fixture.api.finished(stopped.id, 1);
				inTime = await FourImages.publish(fixture, 'in-time');
				const [, , crow] = inTime.prompts;
				fixture.sandbox.arm({ fault: 'delay-after', delayMs: 3000, when: crow });
				await inTime.callUntil(crow);
				await fixture.restart('stop');
				fixture.sandbox.disarm();
			});

			it('lets a run finish that ends in time', async () => {
				await inTime.assertCompleted(await fixture.api.lastExecution(inTime.id), 1);
			});

			it('leaves what a stopped run bought to the next one by a Purchase Log', async () => {
				await assertTakenOver(await stopped.run(), stopped, 'canceled');
			});
		});

		describe('A crash of n8n (SIGKILL)', () => {
			let unlogged: FourImages;
			let link = '';
			let next: FourImages;
			let retry: FourImages;
			let always: FourImages;
			/** What these three ran after the crash, and the milliseconds that it took. */
			let after: [next: Execution, retry: Execution, always: Execution];
			let duration: number;
			let texts: string[];
			before(async () => {
				const options = { reuse: 'always', concurrency: 5 };
				always = await FourImages.publish(fixture, 'log-always', { ...logged, options });
				texts = [...always.prompts, 'a new owl'];
				assertSuccess(await always.run());
				// Saving the progress doesn't help: n8n saves after a node, not within it.
				const settings = { saveExecutionProgress: true };
				unlogged = await FourImages.begin(fixture, 'crash', { settings });
				next = await FourImages.publish(fixture, 'log-killed', logged);
				retry = await FourImages.publish(fixture, 'log-retried', logged);
				await next.hang();
				await retry.hang();
				link = fixture.charged(unlogged.prompts[0])[0]?.outputUrl ?? 'no link';
				await untilLogged(fixture.n8n.log, `was bought: ${link}`);
				await fixture.restart('kill');
				fixture.sandbox.disarm();
				const [crashed] = await fixture.api.executions(retry.id);
				const begun = Date.now();
				// No table is read before all have ended: in n8n 1.123.81, reading breaks off another's write.
				const again = fixture.api.retry(retry.id, crashed?.id ?? '');
				after = await Promise.all([next.run(), again, always.run(texts)]);
				duration = Date.now() - begun;
			});

			it('leaves nothing but the line in n8n’s log, and Retry and the next run buy everything again', async () => {
				const crashed = await fixture.api.lastExecution(unlogged.id);
				assert.equal(crashed.status, 'crashed');
				assert.ok(!JSON.stringify(crashed).includes(link));

				const charges = () => unlogged.prompts.map((prompt) => fixture.charged(prompt).length);
				assertSuccess(await fixture.api.retry(unlogged.id, crashed.id));
				assert.deepEqual(charges(), [2, 2, 1, 1]);
				assertSuccess(await unlogged.run());
				assert.deepEqual(charges(), [3, 3, 2, 2]);
			});

			it('leaves what was bought to the next execution by a Purchase Log', async () => {
				await assertTakenOver(after[0], next, 'crashed');
			});

			it('leaves what was bought to Retry by a Purchase Log', async () => {
				await assertTakenOver(after[1], retry, 'crashed');
			});

			it('makes no run wait long for one that is dead', () => {
				assert.ok(duration < 45_000, `${duration} ms`);
			});

			it('leaves every image to a run with Reuse Images set to Always, by a Purchase Log', () => {
				const [, , execution] = after;
				assertSuccess(execution);
				assert.equal(rowsOf(execution, 'Generate').length, 5);
				for (const text of texts) assert.equal(fixture.charged(text).length, 1);
				assert.match(
					hintsOf(execution, 'Generate'),
					/1 image was bought\.[^]*4 images are those that you bought/,
				);
			});
		});

		purchaseLogCases(fixture);
	});
}
