import {
	keepAlive,
	LEASE,
	PurchasingProcess,
	ProcessView,
} from '../../nodes/ImageGeneration/recall/leases';
import type {
	PurchaseRow,
	PurchaseTable,
	StoredRow,
	TableStep,
} from '../../nodes/ImageGeneration/recall/purchaseTable';

/** A process with a clock of its own, and a table that counts its changes. */
function processWith(clock = { now: 0 }) {
	const process = Object.assign(new PurchasingProcess('here'), {
		now: () => clock.now,
		wait: async (ms: number) => {
			clock.now += ms;
			await Promise.resolve();
		},
	});
	const rows: StoredRow[] = [];
	const table = {
		isShared: true,
		name: 'a table',
		insert: async (row: PurchaseRow) => {
			const at = String(clock.now);
			rows.push({ ...row, id: rows.length + 1, createdAt: at, updatedAt: at });
			await Promise.resolve();
		},
		change: async ([step]: readonly TableStep[]) => {
			const found = rows.filter(({ entry }) => entry === step?.which.entry);
			for (const row of found) row.updatedAt = String(clock.now);
			return await Promise.resolve(found);
		},
		remove: async (entry: string) => {
			rows.splice(
				rows.findIndex((row) => row.entry === entry),
				1,
			);
			await Promise.resolve();
		},
	} as unknown as PurchaseTable;
	return { process, table, rows, clock };
}

describe('the row of a process', () => {
	it('is there before its first run writes, and goes with its last one', async () => {
		const { process, table, rows } = processWith();
		const lease = process.leaseOf(table);
		await Promise.all([lease.ensure(table, 'here.1'), lease.ensure(table, 'here.2')]);
		expect(rows).toMatchObject([{ state: 'running', run: 'here' }]);

		process.end('here.1');
		await lease.release(table);
		expect(rows.length).toBe(1);
		process.end('here.2');
		await lease.release(table);
		expect(rows).toStrictEqual([]);
	});

	it('is renewed every three seconds while a run goes on, by one of the runs', async () => {
		const { process, table, rows, clock } = processWith();
		await process.leaseOf(table).ensure(table, 'here.1');
		const ended = new AbortController();
		const renewed = new Set<string>();
		const stop = {
			get aborted() {
				renewed.add(rows[0]?.updatedAt ?? '');
				return clock.now > 10_000;
			},
		} as AbortSignal;
		await keepAlive(process, table, stop);
		ended.abort();

		expect([...renewed]).toStrictEqual(['0', '3000', '6000', '9000']);
	});

	it('is written again before anything else if others took this process for dead', async () => {
		const { process, table, rows, clock } = processWith();
		const lease = process.leaseOf(table);
		await lease.ensure(table, 'here.1');
		rows.splice(0);
		clock.now = LEASE;
		await lease.ensure(table, 'here.1');

		expect(rows).toMatchObject([{ run: 'here', updatedAt: String(LEASE) }]);
	});
});

describe('another process', () => {
	const row = (updatedAt: string) => ({ id: 1, run: 'there', updatedAt }) as StoredRow;

	it('is dead without a row, or once its row has stood still for the length of a lease', () => {
		const { process, table } = processWith();
		const sightings = process.sightingsIn(table);
		const isDead = (rows: StoredRow[], at: number) => {
			sightings.note(rows, at);
			return new ProcessView(process, sightings, rows, at).isDead('there.1');
		};

		expect(isDead([], 0)).toBe(true);
		expect(isDead([row('a')], 1000)).toBe(false);
		expect(isDead([row('a')], 1000 + LEASE - 1)).toBe(false);
		expect(isDead([row('a')], 1000 + LEASE)).toBe(true);
		expect(isDead([row('b')], 1001 + LEASE)).toBe(false);
	});

	it('may be gone, unless it was seen alive', () => {
		const { process, table } = processWith();
		const sightings = process.sightingsIn(table);
		sightings.note([row('a')], 0);
		expect(process.mayBeGone('there')).toBe(true);
		sightings.note([row('b')], 1);

		expect(process.mayBeGone('there')).toBe(false);
		expect(process.mayBeGone('here')).toBe(false);
		expect(process.mayBeGone('elsewhere')).toBe(true);
	});
	it('shows no sign of life by having another row in another table', () => {
		const { process, table } = processWith();
		const other = { ...table, name: 'another table' };
		process.sightingsIn(table).note([row('a')], 0);
		process.sightingsIn(other).note([row('b')], 1);
		process.sightingsIn(table).note([row('a')], 2);

		expect(process.sightingsIn(table).lastSign('there')).toBe(0);
		expect(process.mayBeGone('there')).toBe(true);
	});
});
