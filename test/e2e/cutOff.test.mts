import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { hostVersion } from '../../scripts/host/installHost.mjs';
import { noPurchaseLogCase, purchaseLogCases } from './cases/purchaseLog.mjs';
import { timeoutCases } from './cases/timeout.mjs';
import { assertSuccess, hintsOf, rowsOf, type Execution } from './support/execution.mjs';
import { useFixture, type Fixture } from './support/fixture.mjs';
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

		const isNew = hostName === 'n8n-2';
		describe('A shutdown of n8n (SIGTERM)', () => {
			let inTime: FourImages;
			let stopped: FourImages | undefined;
			before(async () => {
				if (isNew) {
					stopped = await FourImages.begin(fixture, 'log-stopped', logged);
					await fixture.api.stopAll(stopped.id);
					await fixture.api.finished(stopped.id, 1);
				}
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

			if (!isNew) return;
			it('leaves what a stopped run bought to the next one by a Purchase Log', async () => {
				assert.ok(stopped);
				await assertTakenOver(fixture, await stopped.run(), stopped, 'canceled');
			});
		});

		describe('A crash of n8n (SIGKILL)', () => {
			let unlogged: FourImages;
			let link = '';
			let logs: LoggedFlows | undefined;
			before(async () => {
				if (isNew) logs = await LoggedFlows.publish(fixture);
				// Saving the progress doesn't help: n8n saves after a node, not within it.
				const settings = { saveExecutionProgress: true };
				unlogged = await FourImages.begin(fixture, 'crash', { settings });
				await logs?.hang();
				link = fixture.charged(unlogged.prompts[0])[0]?.outputUrl ?? 'no link';
				await untilLogged(fixture.n8n.log, `was bought: ${link}`);
				await fixture.restart('kill');
				fixture.sandbox.disarm();
				await logs?.run();
			});

			it('leaves nothing but the line in n8n’s log, and Retry and the next run buy everything again', async () => {
				const crashed = await fixture.api.lastExecution(unlogged.id);
				assert.equal(crashed.status, 'crashed');
				assert.ok(!JSON.stringify(crashed).includes(link));

				assertSuccess(await fixture.api.retry(unlogged.id, crashed.id));
				assert.deepEqual(unlogged.charges, [2, 2, 1, 1]);
				assertSuccess(await unlogged.run());
				assert.deepEqual(unlogged.charges, [3, 3, 2, 2]);
			});

			if (!isNew) return;
			it('leaves what was bought to the next execution by a Purchase Log', async () => {
				const { next, after } = logs ?? assert.fail();
				assert.ok(after);
				await assertTakenOver(fixture, after.next, next, 'crashed');
			});

			it('leaves what was bought to Retry by a Purchase Log', async () => {
				const { retried, after } = logs ?? assert.fail();
				assert.ok(after);
				await assertTakenOver(fixture, after.retry, retried, 'crashed');
			});

			it('makes no run wait long for one that is dead', () => {
				const { duration = Infinity } = logs?.after ?? {};
				assert.ok(duration < 45_000, `${duration} ms`);
			});

			it('leaves every image to a run with Reuse Images set to Always, by a Purchase Log', () => {
				const { texts, after } = logs ?? assert.fail();
				assert.ok(after);
				assertSuccess(after.always);
				assert.equal(rowsOf(after.always, 'Generate').length, 5);
				for (const text of texts) assert.equal(fixture.charged(text).length, 1);
				assert.match(
					hintsOf(after.always, 'Generate'),
					/1 image was bought\.[^]*4 images are those that were bought/,
				);
			});
		});

		if (isNew) purchaseLogCases(fixture);
		else noPurchaseLogCase(fixture);
	});
}

const logged = { log: true } as const;

/** Workflows with a Purchase Log, of which two run as n8n is killed. */
class LoggedFlows {
	/** What they ran after the crash, and the milliseconds that it took. */
	after: { next: Execution; retry: Execution; always: Execution; duration: number } | undefined;

	private constructor(
		private readonly fixture: Fixture,
		readonly next: FourImages,
		readonly retried: FourImages,
		private readonly always: FourImages,
	) {}

	static async publish(fixture: Fixture): Promise<LoggedFlows> {
		const options = { reuse: 'always', concurrency: 5 };
		const always = await FourImages.publish(fixture, 'log-always', { ...logged, options });
		assertSuccess(await always.run());
		const next = await FourImages.publish(fixture, 'log-killed', logged);
		const retried = await FourImages.publish(fixture, 'log-retried', logged);
		return new LoggedFlows(fixture, next, retried, always);
	}

	/** What the third one asks for after the crash. */
	get texts(): string[] {
		return [...this.always.prompts, 'a new owl'];
	}

	async hang(): Promise<void> {
		await this.next.hang();
		await this.retried.hang();
	}

	async run(): Promise<void> {
		const { fixture, next, retried, always, texts } = this;
		const [crashed] = await fixture.api.executions(retried.id);
		const begun = Date.now();
		const again = fixture.api.retry(retried.id, crashed?.id ?? '');
		const [one, two, three] = await Promise.all([next.run(), again, always.run(texts)]);
		this.after = { next: one, retry: two, always: three, duration: Date.now() - begun };
	}
}

/**
 * Asserts that an execution bought only the third and fourth image.
 * @param before how the only other execution of the workflow ended
 */
async function assertTakenOver(
	fixture: Fixture,
	execution: Execution,
	flow: FourImages,
	before: string,
): Promise<void> {
	await flow.assertCompleted(execution);
	const all = await fixture.api.executions(flow.id);
	assert.deepEqual(
		all.map(({ mode, status }) => `${mode} ${status}`),
		[`${execution.mode} success`, `webhook ${before}`],
	);
	const [fox, hare, crow, owl] = flow.prompts;
	const hints = hintsOf(execution, 'Generate');
	assert.match(hints, /2 images were bought, 2 images were kept from a run that did not finish/);
	const unclear = '1 request that was cut off may have been charged: Item 3, &quot;';
	assert.ok(hints.includes(unclear + crow), hints);
	const rows = await rowsOfTable(fixture, flow.table);
	const bought = rows.filter(({ link }) => link);
	assert.deepEqual(bought.map(({ image, state }) => [image, state]).sort(), [
		[`Item 1, "${fox}"`, 'delivered'],
		[`Item 2, "${hare}"`, 'delivered'],
		[`Item 3, "${crow}"`, 'delivered'],
		[`Item 4, "${owl}"`, 'delivered'],
	]);
	// The request that was cut off stays, for people who compare the table with their bill.
	const others = rows.filter(({ link, image }) => !link && image);
	assert.deepEqual(
		others.map(({ image }) => image),
		[`Item 3, "${crow}"`],
	);
}
