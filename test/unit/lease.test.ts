import { LEASE } from '../../nodes/ImageGeneration/recall/process/lease';
import type { PurchaseTable } from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { memoryTable } from '../support/memoryTable';
import { TestClock } from '../support/testClock';

/** A process with the clock of the test, and its lease in a table. */
function leasing() {
	const clock = new TestClock();
	const process = clock.process('here');
	const log = memoryTable();
	const { lease } = process.stateOf(log.table);
	return { clock, process, log, lease, table: log.table };
}

describe('the row of a process', () => {
	it('is there before its first run writes, and goes with its last one', async () => {
		const { process, log, lease, table } = leasing();
		await Promise.all([lease.ensure(table, 'here.1'), lease.ensure(table, 'here.2')]);
		expect(log.rows).toMatchObject([{ state: 'running', run: 'here' }]);

		process.end('here.1');
		await lease.release(table);
		expect(log.rows.length).toBe(1);
		process.end('here.2');
		await lease.release(table);
		expect(log.rows).toStrictEqual([]);
	});

	it.each(['before', 'after'] as const)(
		'is there before the next run writes, even if the table is away %s the last one is removed',
		async (when) => {
			const { process, log, lease, table } = leasing();
			await lease.ensure(table, 'here.1');
			process.end('here.1');
			log.fail(when);
			await expect(lease.release(table)).rejects.toThrow('The table is away.');
			await lease.ensure(table, 'here.2');

			expect(log.rows.at(-1)).toMatchObject({ id: 2, state: 'running', run: 'here' });
		},
	);

	it('is renewed every three seconds while a run goes on, by one of the runs', async () => {
		const { clock, process, log, lease, table } = leasing();
		const renewals: number[] = [];
		const change: PurchaseTable['change'] = async (steps) => {
			renewals.push(clock.now);
			return await table.change(steps);
		};
		await lease.ensure(table, 'here.1');
		const ended = new AbortController();
		const runs = [1, 2].map(async () => {
			await lease.keep({ ...table, change }, ended.signal, async () => {});
		});
		await clock.run(process.wait(10_000));
		ended.abort();
		await Promise.all(runs);

		expect(renewals).toStrictEqual([3000, 6000, 9000]);
		expect(log.rows.length).toBe(1);
	});

	it('is renewed a second later if the table did not answer', async () => {
		const { clock, process, lease, table } = leasing();
		const calls: number[] = [];
		const change: PurchaseTable['change'] = async (steps) => {
			calls.push(clock.now);
			if (clock.now < 4500) throw new Error('The table did not answer.');
			return await table.change(steps);
		};
		await lease.ensure(table, 'here.1');
		const ended = new AbortController();
		const keeping = lease.keep({ ...table, change }, ended.signal, async () => {});
		await clock.run(process.wait(9000));
		ended.abort();
		await keeping;

		expect(calls).toStrictEqual([3000, 4000, 5000, 8000]);
	});

	it('is written again before anything else if others took this process for dead', async () => {
		const { clock, log, lease, table } = leasing();
		await lease.ensure(table, 'here.1');
		await table.remove(log.rows.map(({ id }) => id));
		clock.now = LEASE;
		await lease.ensure(table, 'here.1');

		expect(log.rows).toMatchObject([{ run: 'here', state: 'running' }]);
	});

	it('is not renewed as long as the table lacks what became of own runs', async () => {
		const { clock, process, log, lease, table } = leasing();
		await lease.ensure(table, 'here.1');
		const [{ updatedAt } = {}] = log.rows;
		const ended = new AbortController();
		const keeping = lease.keep(table, ended.signal, async () => {
			if (clock.now < 5000) await Promise.reject(new Error('The table is full.'));
		});
		await clock.run(process.wait(5000));
		expect(log.rows).toMatchObject([{ updatedAt }]);
		await clock.run(process.wait(2000));
		ended.abort();
		await keeping;

		expect(log.rows[0]?.updatedAt).not.toBe(updatedAt);
	});

	it('is not needed in the memory of the process itself', async () => {
		const { log, lease } = leasing();
		const own = { ...log.table, isShared: false };
		await lease.ensure(own, 'here.1');
		await lease.keep(own, new AbortController().signal, async () => {});

		expect(log.calls).toStrictEqual([]);
	});

	it('stops the run that can not write it, and only that one', async () => {
		const { log, lease, table } = leasing();
		log.fail('before');
		await expect(lease.ensure(table, 'here.1')).rejects.toThrow('The table is away.');
		await lease.ensure(table, 'here.2');

		expect(log.rows.length).toBe(1);
	});
});
