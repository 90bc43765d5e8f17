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
	const { publish, begin, runAgain, assertOnlyLogNames } = twoImages(fixture);
	const log = loggedPrompts(fixture, makesTable);

	const beginLogged = async (path: string): Promise<LoggedRun> => {
		const published = await log.publish(path);
		await log.begin(path, published.table);
		return { path, ...published };
	};
	/** Asserts that only n8n's log names the finished image, and that Retry buys it again. */
	const assertLost = async (path: string, prompt: string, workflowId: string, logText: string) => {
		const run = { workflowId, logText, status: 'crashed' };
		const executionId = await assertOnlyLogNames(prompt, run);

		assertSuccess(await fixture.api.retry(workflowId, executionId));
		assert.equal(fixture.charged(prompt).length, 3);
		// Nothing is left for the next run either.
		await runAgain(path, workflowId, prompt);
		assert.equal(fixture.charged(prompt).length, 5);
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
		let workflowId: string;
		let logText: string;
		let stopped: LoggedRun;
		before(async () => {
			stopped = await beginLogged('log-stopped');
			await fixture.api.stopAll(stopped.id);
			await fixture.api.finished(stopped.id, 1);
			workflowId = await publish('shutdown');
			fixture.sandbox.arm({ fault: 'delay-after', delayMs: 3000, after: 1, when: 'in time' });
			await fixture.call('shutdown', { prompt: 'in time' });
			fixture.sandbox.arm({ fault: 'hang', after: 1, when: 'too late' });
			await fixture.call('shutdown', { prompt: 'too late' });
			await until('both have bought one', () =>
				['in time', 'too late'].every((prompt) => fixture.calls(prompt).length === 2),
			);
			const [lost] = fixture.charged('too late');
			logText = await logged(fixture.n8n.log, lost?.outputUrl ?? '?');
			await fixture.restart('stop');
			fixture.sandbox.disarm();
		});

		it('lets a run finish that ends in time', async () => {
			const all = await fixture.api.executions(workflowId);
			const [done, ...others] = all.filter(({ status }) => status === 'success');
			assert.deepEqual(others, []);
			const finished = await fixture.api.execution(done?.id ?? '');
			fixture.assertDelivered(finished, 'Generate', 'in time');
			assert.equal(fixture.charged('in time').length, 2);
		});

		it('leaves only the log of what another run bought, and Retry buys everything again', async () => {
			await assertLost('shutdown', 'too late', workflowId, logText);
		});

		it('leaves what a stopped run bought to the next one by a Purchase Log', async () => {
			await assertTakenOver(await log.run(stopped.path, stopped.id), stopped, 'canceled');
		});
	});

	describe('A crash of n8n (SIGKILL)', { concurrency: true }, () => {
		let crash: string;
		let logText: string;
		let always: string;
		let next: LoggedRun;
		let retry: LoggedRun;
		before(async () => {
			always = (await log.publish('log-always', { reuse: 'always', concurrency: 5 })).id;
			assertSuccess(await log.run('log-always', always));
			// Saving the progress doesn't help: n8n saves after a node, not within it.
			crash = await publish('crash', { saveExecutionProgress: true });
			await begin('crash');
			next = await beginLogged('log-killed');
			retry = await beginLogged('log-retried');
			logText = await logged(fixture.n8n.log, fixture.charged('crash')[0]?.outputUrl ?? '?');
			await fixture.restart('kill');
			fixture.sandbox.disarm();
		});
		/** A run that meets a dead one waits for its lease. Asserts that it doesn't wait long. */
		const assertSoon = async (begin: () => Promise<Execution>, run: LoggedRun) => {
			const begun = Date.now();
			await assertTakenOver(await begin(), run, 'crashed');
			assert.ok(Date.now() - begun < 45_000);
		};

		it('leaves only the log, and Retry buys everything again', async () => {
			await assertLost('crash', 'crash', crash, logText);
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
