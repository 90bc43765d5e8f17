import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertSuccess, hintsOf, rowsOf, type Execution } from '../support/execution.mjs';
import type { Fixture } from '../support/fixture.mjs';
import { loggedPrompts, promptsOf, rowsOfTable } from '../support/purchaseLog.mjs';
import { logged, twoImages } from '../support/twoImages.mjs';
import { until } from '../support/until.mjs';

interface LoggedRun {
	path: string;
	id: string;
	table: string;
}

/**
 * What survives when n8n's process ends during a run, and what Retry and the next run take over. The
 * runs of a group begin together, so that n8n ends once for all of them.
 */
export function restartCases(fixture: Fixture, makesTable: boolean): void {
	const { publish, begin, runAgain } = twoImages(fixture);
	const log = loggedPrompts(fixture, makesTable);

	const beginLogged = async (path: string): Promise<LoggedRun> => {
		const published = await log.publish(path);
		await log.begin(path, published.table);
		return { path, ...published };
	};
	/**
	 * Asserts that this execution bought only the third and fourth image.
	 * @param before how the only other execution of the workflow ended
	 */
	const assertTakenOver = async (execution: Execution, run: LoggedRun, before: string) => {
		const { path, id, table } = run;
		assertSuccess(execution);
		const all = await fixture.api.executions(id);
		assert.deepEqual(
			all.map(({ mode, status }) => `${mode} ${status}`),
			[`${execution.mode} success`, `webhook ${before}`],
		);
		assert.equal(rowsOf(execution, 'Generate').length, 4);
		await fixture.assertStored(execution, 'Generate');
		const prompts = promptsOf(path);
		const [fox, hare, crow, owl] = prompts;
		for (const prompt of prompts) assert.equal(fixture.charged(prompt).length, 1);
		assert.equal(fixture.calls(crow).length, 2);
		const hints = hintsOf(execution, 'Generate');
		assert.match(hints, /2 images were bought, 2 images were kept from a stopped run/);
		const unclear = '1 request that was cut off may have been charged: Item 3, &quot;';
		assert.ok(hints.includes(unclear + crow), hints);
		const states = (await rowsOfTable(fixture, table)).map(({ image, state }) => [image, state]);
		assert.deepEqual(states.sort(), [
			[`Item 1, "${fox}"`, 'delivered'],
			[`Item 2, "${hare}"`, 'delivered'],
			[`Item 3, "${crow}"`, 'delivered'],
			[`Item 3, "${crow}"`, 'unclear'],
			[`Item 4, "${owl}"`, 'delivered'],
		]);
	};

	describe('A shutdown of n8n (SIGTERM)', () => {
		const path = 'in time';
		let id: string;
		let stopped: LoggedRun;
		before(async () => {
			stopped = await beginLogged('log-stopped');
			await fixture.api.stopAll(stopped.id);
			await fixture.api.finished(stopped.id, 1);
			id = await publish('shutdown');
			fixture.sandbox.arm({ fault: 'delay-after', delayMs: 3000, after: 1, when: path });
			await fixture.call('shutdown', { prompt: path });
			await until('it has bought one', () => fixture.calls(path).length === 2);
			await fixture.restart('stop');
			fixture.sandbox.disarm();
		});

		it('lets a run finish that ends in time', async () => {
			const finished = await fixture.api.lastExecution(id);
			assertSuccess(finished);
			fixture.assertDelivered(finished, 'Generate', path);
			assert.equal(fixture.charged(path).length, 2);
		});

		it('leaves what a stopped run bought to the next one by a Purchase Log', async () => {
			await assertTakenOver(await log.run(stopped.path, stopped.id), stopped, 'canceled');
		});
	});

	describe('A crash of n8n (SIGKILL)', { concurrency: true }, () => {
		const path = 'crash';
		let id: string;
		let logText: string;
		let always: string;
		let next: LoggedRun;
		let retry: LoggedRun;
		before(async () => {
			always = (await log.publish('log-always', { reuse: 'always', concurrency: 5 })).id;
			assertSuccess(await log.run('log-always', always));
			// Saving the progress doesn't help: n8n saves after a node, not within it.
			id = await publish(path, { saveExecutionProgress: true });
			await begin(path);
			next = await beginLogged('log-killed');
			retry = await beginLogged('log-retried');
			const [purchase] = fixture.charged(path);
			logText = await logged(fixture.n8n.log, purchase?.outputUrl ?? 'no link');
			await fixture.restart('kill');
			fixture.sandbox.disarm();
		});
		/** A run that meets a dead one waits for its lease. Asserts that it doesn't wait long. */
		const assertSoon = async (begin: () => Promise<Execution>, run: LoggedRun) => {
			const begun = Date.now();
			await assertTakenOver(await begin(), run, 'crashed');
			assert.ok(Date.now() - begun < 45_000);
		};

		it('leaves only the log, and Retry and the next run buy everything again', async () => {
			const crashed = await fixture.api.lastExecution(id);
			assert.equal(crashed.status, 'crashed');
			const { outputUrl } = fixture.charged(path)[0] ?? {};
			assert.ok(outputUrl !== undefined && logText.includes(`was bought: ${outputUrl}`));
			assert.ok(!JSON.stringify(crashed).includes(outputUrl));

			assertSuccess(await fixture.api.retry(id, crashed.id));
			assert.equal(fixture.charged(path).length, 3);
			await runAgain(path, id);
			assert.equal(fixture.charged(path).length, 5);
		});

		it('leaves what was bought to the next execution by a Purchase Log', async () => {
			await assertSoon(() => log.run(next.path, next.id), next);
		});

		it('leaves what was bought to Retry by a Purchase Log', async () => {
			const [crashed] = await fixture.api.executions(retry.id);
			await assertSoon(() => fixture.api.retry(retry.id, crashed?.id ?? ''), retry);
		});

		it('leaves every image to a run with Reuse Images set to Always, by a Purchase Log', async () => {
			const texts = [...promptsOf('log-always'), 'a new owl'];
			const execution = await log.run('log-always', always, texts);

			assertSuccess(execution);
			assert.equal(rowsOf(execution, 'Generate').length, 5);
			for (const text of texts) assert.equal(fixture.charged(text).length, 1);
			assert.match(
				hintsOf(execution, 'Generate'),
				/1 image was bought, 4 images were reused from an earlier run/,
			);
		});
	});
}
