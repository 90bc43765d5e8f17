import {
	findDead,
	keepAlive,
	LEASE,
	RENEWAL,
	type NodeProcess,
} from '../../nodes/ImageGeneration/recall/leases';
import type { Condition, StoredRow } from '../../nodes/ImageGeneration/recall/purchaseTable';
import {
	noRows,
	type RecordingRun,
	type RunRows,
} from '../../nodes/ImageGeneration/recall/recordingRun';

const newProcess = (): NodeProcess => ({
	...{ name: 'here', names: 0, live: new Map(), sightings: new Map() },
});
const rowOf = (run: string, changed = 0): StoredRow => ({
	...{ id: 1, createdAt: '', updatedAt: new Date(changed).toISOString(), run, state: 'bought' },
	...{ image: '', link: 'https://example.com/owl', operation: '', workflow: '', execution: '2' },
	...{ node: 'a node', request: '', job: '', entry: 'an entry', result: '' },
});

it.each([-60_000, 0, 60_000])(
	'a run counts as alive while it changes rows, and for a lease after that, if its clock is %i ms off the database’s',
	(offset) => {
		const here = newProcess();
		const added: StoredRow[] = [];
		const renewed = rowOf('there.1');
		const looksDead = (at: number) => findDead(here, [renewed, ...added], at, at).size > 0;
		let at = 0;
		for (; at < 10 * LEASE; at += RENEWAL) {
			// The database dates what it adds, the process what it changes.
			if ((at / RENEWAL) % 10 < 5) added.push(rowOf('there.1', at));
			else renewed.updatedAt = new Date(at + offset).toISOString();

			expect(looksDead(at)).toBe(false);
		}
		at -= RENEWAL;

		expect(looksDead(at + LEASE - 1)).toBe(false);
		expect(looksDead(at + LEASE)).toBe(true);
	},
);

it.each([
	[1000, 1000],
	[2001, 2001],
])('what is known of other runs is bounded: of %i dead ones %i are found', (runs, found) => {
	const here = newProcess();
	const rows = Array.from({ length: runs }, (_, index) => rowOf(`there.${index}`));
	findDead(here, rows, 0, 0);

	expect(findDead(here, rows, LEASE, LEASE).size).toBe(found);
});

it('a row that somebody removes is no sign of life', () => {
	const here = newProcess();
	const rows = [rowOf('there.1'), { ...rowOf('there.1', 1), id: 2 }];
	findDead(here, rows, 0, 0);

	expect(findDead(here, rows.slice(1), LEASE, LEASE)).toEqual(new Set(['there.1']));
});

describe('a run that goes on', () => {
	/** Lets ten seconds pass. @returns when which rows were renewed, as far as the table has them. */
	async function renewals(rows: Partial<RunRows>, has: string[], isShared = true) {
		let now = 0;
		const ended = new AbortController();
		const renewed: Array<[at: number, ...Array<string | number>]> = [];
		const recording = {
			clock: {
				now: () => now,
				wait: async (ms: number) => {
					now += ms;
					if (now > 10_000) ended.abort();
					await Promise.resolve();
				},
			},
			place: { run: 'here.1' },
			rows: { ...noRows(), ...rows },
			table: {
				isShared,
				update: async ({ all }: { all: Condition[] }, change: object) => {
					expect(change).toEqual({ run: 'here.1' });
					const [[column = '', , value = ''] = [], ...rest] = all;
					expect(rest).toEqual([['run', 'eq', 'here.1']]);
					renewed.push([now, column, value]);
					if (value === 'unreachable') throw new Error('The table did not answer');
					return await Promise.resolve(has.includes(String(value)) ? [rowOf('here.1')] : []);
				},
			},
		} as unknown as RecordingRun;
		await keepAlive(recording, ended.signal);
		return renewed;
	}
	const lasting = ['entry', 'eq', 'bought'] as const;
	const unsettled = new Map(['sent', 'sent later'].map((entry) => [entry, rowOf('here.1')]));

	it('renews a row that stays every three seconds', async () => {
		expect(await renewals({ lasting, unsettled }, ['bought'])).toEqual(
			[0, 3000, 6000, 9000].map((at) => [at, 'entry', 'bought']),
		);
	});

	it('renews the row of an open request if no other one is there', async () => {
		const expected = [0, 3000, 6000, 9000].flatMap((at) => [
			[at, 'entry', 'bought'],
			[at, 'entry', 'sent'],
		]);

		expect(await renewals({ lasting, unsettled }, [])).toEqual(expected);
		expect(await renewals({ unsettled }, [])).toEqual(
			expected.filter(([, , entry]) => entry === 'sent'),
		);
		const unreachable = ['entry', 'eq', 'unreachable'] as const;
		expect((await renewals({ lasting: unreachable, unsettled }, [])).length).toBe(8);
	});

	it('renews none for three seconds after it has written one', async () => {
		expect(await renewals({ lasting, unsettled, renewedAt: 1000 }, ['bought'])).toEqual(
			[4000, 7000, 10_000].map((at) => [at, 'entry', 'bought']),
		);
	});

	it('renews nothing if there is nothing, or nobody else to see it', async () => {
		expect(await renewals({}, [])).toEqual([]);
		expect(await renewals({ lasting }, ['bought'], false)).toEqual([]);
	});
});
