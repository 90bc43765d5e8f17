import { DayLimit } from '../../nodes/ImageGeneration/buy/dayLimit';
import { settle } from '../../nodes/ImageGeneration/failures/failures';
import { DataTable } from '../../nodes/ImageGeneration/recall/log/dataTable';
import { PurchaseLog } from '../../nodes/ImageGeneration/recall/log/purchaseLog';
import { Purchases } from '../../nodes/ImageGeneration/recall/purchases';
import type { Recording } from '../../nodes/ImageGeneration/recall/recording';
import type { N8nProcess } from '../../nodes/ImageGeneration/run/n8nProcess';
import { jobFor, resultOf } from '../support/jobs';
import { N8nTables } from '../support/n8nTables';
import { live } from '../support/purchases';
import { TestClock } from '../support/testClock';

const HOUR = 60 * 60 * 1000;
const { signal } = new AbortController();

let runs = 0;

/** A run of a node in a process. @param n8n Has its log; undefined without one. */
function runIn(process: N8nProcess, max: number, n8n?: N8nTables) {
	const run = `${process.name}.${++runs}`;
	process.journal.beginRun(run, live(signal));
	const table = n8n && new DataTable(n8n.contextOf(), process.tables, 'A log');
	const recording: Recording = {
		process,
		log: table && new PurchaseLog(table, process.pendingWritesOf(table.key), process),
		run,
		common: {
			accounts: ['an account'],
			node: 'a node',
			execution: `${runs}`,
			parent: '',
		},
		operation: 'generate',
		workflow: 'A workflow',
		onMissing: () => {},
	};
	const purchases = new Purchases(recording);
	const limit = new DayLimit(recording, max, false);
	const jobs = Array.from({ length: 9 }, (_, index) => jobFor(`${run} ${index}`));
	return {
		limit,
		/** Records a request of a job, and whether it got a place. */
		reserve: async (index = 0, stop = signal) => {
			const job = jobs[index] ?? jobFor('none');
			return 'value' in (await settle(limit.record(purchases, job, stop)));
		},
		free: (index = 0) => {
			purchases.notCharged(jobs[index] ?? jobFor('none'));
		},
		unclear: (index = 0) => {
			purchases.unclear(jobs[index] ?? jobFor('none'));
		},
		buy: async (index = 0) => {
			await purchases.bought(jobs[index] ?? jobFor('none'), resultOf(`${index}`));
		},
		end: async () => {
			await purchases.end(new Set(purchases.ofRun.map(({ entry }) => entry)), true);
		},
	};
}

describe.each(['without a log', 'with a log'])('Max Images per Day, %s,', (how) => {
	let clock: TestClock;
	let n8n: N8nTables | undefined;
	beforeEach(() => {
		clock = new TestClock();
		n8n = how === 'with a log' ? new N8nTables({ clock, latency: () => 20 }) : undefined;
	});
	const bought = async (process: N8nProcess, count: number, max = 9) => {
		for (let index = 0; index < count; index++) {
			const run = runIn(process, max, n8n);
			expect(await clock.run(run.reserve())).toBe(true);
			await clock.run(run.buy());
			await clock.run(run.end());
		}
	};

	it('counts what the node bought in the last 24 hours, and says when the next place is free', async () => {
		const process = clock.process('here');
		await bought(process, 1);
		await clock.pass(HOUR);
		await bought(process, 2);
		const { limit } = runIn(process, 3, n8n);
		expect(await clock.run(limit.refusal(1))).toMatchObject({ max: 3, bought: 3, needed: 1 });
		expect(await clock.run(limit.refusal(0))).toBeUndefined();
		const { freeIn = 0 } = (await clock.run(limit.refusal(1))) as { freeIn?: number };
		expect(freeIn).toBeGreaterThan(22.9 * HOUR);
		// Clocks of several machines differ by a minute at most.
		expect(freeIn).toBeLessThanOrEqual(23 * HOUR + 60_000);

		await clock.pass(freeIn + 1);
		expect(await clock.run(limit.refusal(1))).toBeUndefined();
		expect(await clock.run(limit.refusal(2))).toMatchObject({ bought: 2 });
	});

	it('refuses a request beyond it at once if nothing in progress may turn out to be free', async () => {
		const process = clock.process('here');
		await bought(process, 2);
		const before = clock.now;

		expect(await clock.run(runIn(process, 2, n8n).reserve())).toBe(false);
		expect(clock.now - before).toBeLessThan(500);
	});

	it('refuses a request at once after an unclear one of its own run, which goes on', async () => {
		const process = clock.process('here');
		const run = runIn(process, 1, n8n);
		await clock.run(run.reserve());
		run.unclear();
		const before = clock.now;

		expect(await clock.run(run.reserve(1))).toBe(false);
		expect(clock.now - before).toBeLessThan(500);
	});

	it('gives the place of a request that turned out to be free to one that waits for it', async () => {
		const process = clock.process('here');
		const first = runIn(process, 1, n8n);
		await clock.run(first.reserve());
		const waiting = runIn(process, 1, n8n).reserve();
		await clock.pass(5000);
		first.free();

		expect(await clock.run(waiting)).toBe(true);
	});

	it('lets a request wait for two minutes at most', async () => {
		const process = clock.process('here');
		await clock.run(runIn(process, 1, n8n).reserve());
		const before = clock.now;

		expect(await clock.run(runIn(process, 1, n8n).reserve())).toBe(false);
		expect(clock.now - before).toBeGreaterThanOrEqual(120_000);
		expect(clock.now - before).toBeLessThan(123_000);
	});

	it('ends a wait by Stop', async () => {
		const process = clock.process('here');
		await clock.run(runIn(process, 1, n8n).reserve());
		const stop = new AbortController();
		const waiting = runIn(process, 1, n8n).reserve(0, stop.signal);
		await clock.pass(1000);
		stop.abort();

		expect(await clock.run(waiting)).toBe(false);
		expect(clock.now).toBeLessThan(3000);
	});

	it('refuses a run only once the request that takes its place has turned out to be charged', async () => {
		const process = clock.process('here');
		const first = runIn(process, 2, n8n);
		await clock.run(first.reserve());
		let isDecided = false;
		const refusal = runIn(process, 2, n8n)
			.limit.refusal(2, signal)
			.finally(() => {
				isDecided = true;
			});
		await clock.pass(5000);
		expect(isDecided).toBe(false);
		const before = clock.now;
		await clock.run(first.buy());

		expect(await clock.run(refusal)).toMatchObject({ bought: 1, needed: 2, isNothingSent: true });
		expect(clock.now - before).toBeLessThan(2000);
	});

	it('lets a run begin once the request that takes its place has turned out to be free', async () => {
		const process = clock.process('here');
		const first = runIn(process, 2, n8n);
		await clock.run(first.reserve());
		const refusal = runIn(process, 2, n8n).limit.refusal(2, signal);
		await clock.pass(5000);
		first.free();

		expect(await clock.run(refusal)).toBeUndefined();
	});

	it('lets a run wait for two minutes at most before it refuses it, however often it looks', async () => {
		const process = clock.process('here');
		await clock.run(runIn(process, 1, n8n).reserve());
		const { limit } = runIn(process, 1, n8n);
		const before = clock.now;
		for (let look = 0; look < 3; look++) {
			expect(await clock.run(limit.refusal(1, signal))).toMatchObject({ bought: 1 });
		}

		expect(clock.now - before).toBeGreaterThanOrEqual(120_000);
		expect(clock.now - before).toBeLessThan(123_000);
	});

	it.each([
		['a Dry Run', 1, 1, undefined],
		['a run that needs more than the requests in progress take', 2, 3, signal],
	])('refuses %s at once', async (_what, max, needed, stop) => {
		const process = clock.process('here');
		await clock.run(runIn(process, max, n8n).reserve());
		const before = clock.now;

		expect(await clock.run(runIn(process, max, n8n).limit.refusal(needed, stop))).toMatchObject({
			bought: 1,
			needed,
		});
		expect(clock.now - before).toBeLessThan(500);
	});

	it('ends the wait of a run by Stop, without a refusal', async () => {
		const process = clock.process('here');
		await clock.run(runIn(process, 1, n8n).reserve());
		const stop = new AbortController();
		const refusal = runIn(process, 1, n8n).limit.refusal(1, stop.signal);
		await clock.pass(1000);
		stop.abort();

		expect(await clock.run(refusal)).toBeUndefined();
		expect(clock.now).toBeLessThan(3000);
	});

	it('is never exceeded by requests that meet', async () => {
		const process = clock.process('here');
		const run = runIn(process, 3, n8n);
		const reserved = await clock.run(
			Promise.all(Array.from({ length: 9 }, async (_, index) => await run.reserve(index))),
		);

		expect(reserved.filter(Boolean).length).toBeLessThanOrEqual(3);
		expect(reserved.filter(Boolean).length).toBeGreaterThan(0);
	});
});

it('with a log, Max Images per Day is never exceeded by processes that meet, and counts over a restart', async () => {
	for (let seed = 1; seed <= 5; seed++) {
		const clock = new TestClock();
		let random = seed;
		const latency = () => (random = (random * 48_271) % 2_147_483_647) % 200;
		const n8n = new N8nTables({ clock, latency });
		const processes = ['a', 'b', 'c'].map((name) => runIn(clock.process(name), 2, n8n));
		const reserved = await clock.run(
			Promise.all(processes.map(async ({ reserve }) => await reserve())),
		);
		expect(reserved.filter(Boolean).length).toBeLessThanOrEqual(2);

		await clock.pass(HOUR);
		const restarted = runIn(clock.process('d'), reserved.filter(Boolean).length, n8n);
		expect(await clock.run(restarted.reserve())).toBe(false);
	}
});
