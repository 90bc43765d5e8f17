import { findRequests } from '../../nodes/ImageGeneration/recall/findRequests';
import { LEASE, NodeProcess } from '../../nodes/ImageGeneration/recall/leases';
import { matcher, processTable } from '../../nodes/ImageGeneration/recall/processTable';
import type { PurchaseTable, StoredRow } from '../../nodes/ImageGeneration/recall/purchaseTable';
import { RecordedRun, type Recording } from '../../nodes/ImageGeneration/recall/recordingRun';
import type { Job } from '../../nodes/ImageGeneration/types';
import { FOX, jobFor, OWL } from '../support/jobs';

const LINK = 'https://example.com/owl';
/** Identifies a request of 'a node' for an owl. */
const AN_OWL = '_ky3oFKOMKkXQKKbkNyRtlMxEFPzmcQdgyeg1a7Vhxw';

let lastId = 0;

/** A row of execution 2: an owl that run `there.1` of another process bought. */
const rowWith = (more: Partial<StoredRow> = {}): StoredRow => ({
	...{ id: ++lastId, job: 'a job', createdAt: '', updatedAt: new Date(0).toISOString() },
	...{ run: 'there.1.2', state: 'bought', image: '', link: LINK, operation: '', workflow: '' },
	...{ execution: '2', node: 'a node', request: AN_OWL, entry: 'an entry', result: '' },
	...more,
});

const open = jest.fn(async () => await Promise.reject(new Error('Not readable')));
const file = { name: '', type: '', size: 1, open, sha256: undefined };
/** A job with a file. */
const jobs = [jobFor('', { request: { model: '', fields: {}, file } })];

beforeEach(() => open.mockClear());

/**
 * What a run of execution 3 finds that asks for an owl.
 * @param onSecond Called when a second has passed, with the number of seconds.
 */
async function findIn(
	rows: StoredRow[],
	{
		table = {},
		execution = '3',
		process = new NodeProcess('here'),
		all = true,
		jobs: wanted = [OWL],
		...more
	}: Partial<Omit<Recording, 'table'>> & {
		table?: Partial<PurchaseTable>;
		execution?: string;
		all?: boolean;
		jobs?: Job[];
	} = {},
	onSecond: (seconds: number) => void = () => {},
) {
	let now = 0;
	const removed: unknown[] = [];
	const clock = {
		now: () => now,
		wait: async (ms: number) => {
			now += ms;
			onSecond(now / 1000);
			if (now > LEASE) throw new Error('It waits longer than a lease');
			await Promise.resolve();
		},
	};
	// Another search of the same process has the same clock.
	if (!Object.hasOwn(process, 'now')) Object.assign(process, clock);
	const recording: Recording = {
		process,
		run: new RecordedRun(`here.1.${execution}`),
		place: { operation: 'generate', workflow: '', node: 'a node', execution },
		...{ repeats: false, onMissing: () => {}, signal: new AbortController().signal },
		...more,
		table: {
			...{ ...processTable, isShared: true },
			read: async (which) => await Promise.resolve(rows.filter(matcher(which))),
			find: async (column, values) =>
				await Promise.resolve(rows.filter((row) => values.includes(row[column]))),
			remove: async (which) => {
				removed.push(...rows.filter(matcher(which)));
				await Promise.resolve();
			},
			...table,
		},
	};
	const found = await findRequests(recording, wanted, all);
	const has = (isAbandoned: boolean) =>
		found.filter((each) => each.isAbandoned === isAbandoned).map(({ row }) => row);
	return { found, free: has(true), held: has(false), removed, waited: now };
}

describe('what a run of another process bought', () => {
	it('is free when its lease is over, if this run asks for the same', async () => {
		const row = rowWith();
		const { free, waited } = await findIn([row]);

		expect(free).toStrictEqual([row]);
		expect(waited).toBe(LEASE);
	});

	it('stays there if that run gives a sign of life, and others are free all the same', async () => {
		const living = rowWith();
		const dead = rowWith({ run: 'there.2.2', entry: 'another entry' });
		const rows = [living, dead];
		const late = rowWith({ run: 'there.3.2', entry: 'a late entry' });
		const { free, held, waited } = await findIn(rows, {}, (seconds) => {
			if (seconds === 3) living.updatedAt = new Date(1).toISOString();
			if (seconds === 5) rows.push(late);
		});

		expect({ free, held }).toStrictEqual({ free: [dead], held: [living, late] });
		expect(waited).toBe(LEASE);
	});

	it('is free although another run of this process sees rows that this one knows as its own', async () => {
		const row = rowWith({ run: 'there.1.3' });
		const rows = [row, rowWith({ run: 'there.1.3', execution: '3', entry: 'its own' })];
		const process = new NodeProcess('here');
		const other = { process, execution: '4', signal: AbortSignal.abort() };
		const { free, waited } = await findIn(rows, { process }, (seconds) => {
			if (seconds === 3) void findIn(rows, other);
		});

		expect(free).toStrictEqual([row]);
		expect(waited).toBe(LEASE);
	});

	it('is free when its lease is over, however many runs there are', async () => {
		const rows = Array.from({ length: 2001 }, (_, run) =>
			rowWith({ run: `there.${run}.2`, entry: `entry ${run}` }),
		);

		expect((await findIn(rows)).free).toStrictEqual(rows);
	});

	it('is free although somebody removes one of its rows, which is no sign of life', async () => {
		const rows = [rowWith(), rowWith({ entry: 'another entry' })];
		const { free, waited } = await findIn(rows, {}, (seconds) => {
			if (seconds === 3) rows.shift();
		});

		expect(free).toStrictEqual(rows);
		expect(waited).toBe(LEASE);
	});

	it('is found if another run takes it and delivers it meanwhile', async () => {
		const row = rowWith();
		const { held, waited } = await findIn([row], {}, (seconds) => {
			if (seconds === 5) Object.assign(row, { run: 'there.4.9', state: 'delivered' });
		});

		expect(held).toStrictEqual([row]);
		expect(waited).toBe(5000);
	});

	it('stays there at once if this run asks for something else, or is stopped', async () => {
		for (const more of [{ jobs: [FOX] }, { signal: AbortSignal.abort() }]) {
			const row = rowWith();

			expect(await findIn([row], more)).toMatchObject({ held: [row], free: [], waited: 0 });
		}
	});

	it('stays there if it was delivered or its end told, and is not even asked about', async () => {
		const rows = (['delivered', 'undelivered', 'unclear'] as const).map((state, index) =>
			rowWith({ state, entry: `entry ${index}` }),
		);
		expect(await findIn(rows, { jobs, all: false })).toMatchObject({ found: [], waited: 0 });
		expect(open).not.toHaveBeenCalled();
	});
});

it('what other runs of this process bought is free after their end, without a wait', async () => {
	const rows = ['here.5.2', 'here.6.2'].map((run) => rowWith({ run, entry: run }));
	const process = new NodeProcess('here');
	process.live.set('here.5.2', new AbortController().signal);
	const { free, held, waited } = await findIn(rows, { process, jobs, all: false });

	expect({ held, free, waited }).toStrictEqual({ held: [], free: [rows[1]], waited: 0 });
	expect(open).not.toHaveBeenCalled();
});

it('a run that begins while another one of its process reads the rows keeps its images', async () => {
	const process = new NodeProcess('here');
	const read = async () => {
		process.live.set('here.2', new AbortController().signal);
		return await Promise.resolve([rowWith({ run: 'here.2' })]);
	};

	expect(await findIn([], { process, table: { read } })).toMatchObject({ free: [], held: [{}] });
});

describe('of the rows of a request', () => {
	const sent = rowWith({ state: 'sent', link: '' });

	it('the one with its image counts, and the others go', async () => {
		const stopped = rowWith({ state: 'stopped' });
		const expected = { free: [stopped], held: [], removed: [sent] };

		expect(await findIn([sent, stopped])).toMatchObject(expected);
		expect(await findIn([stopped, sent])).toMatchObject(expected);
	});

	it('none goes while its run goes on', async () => {
		const process = new NodeProcess('here');
		process.live.set('here.5.2', new AbortController().signal);
		const rows = [sent, rowWith()].map((row) => ({ ...row, run: 'here.5.2' }));

		expect(await findIn(rows, { process })).toMatchObject({ held: [rows[1]], removed: [] });
	});

	it('the delivered image counts if its run ends between two reads', async () => {
		const delivered = rowWith({ state: 'delivered' });

		const { found, removed } = await findIn([sent, delivered]);

		expect(found).toMatchObject([{ row: delivered, isAbandoned: false }]);
		expect(removed).toStrictEqual([]);
	});
});

describe('what an execution bought before its process died', () => {
	const dead = rowWith({ state: 'bought' });

	it('is its own if n8n repeats it in another process, delivered or not', async () => {
		for (const row of [dead, { ...dead, state: 'delivered' } as const]) {
			const { found } = await findIn([row], { execution: '2', repeats: true });

			const isAbandoned = row.state === 'bought';
			expect(found).toMatchObject([{ row, keys: ['a', 'job'], isAbandoned }]);
		}
		expect((await findIn([dead], { execution: '2', repeats: false })).found).toStrictEqual([]);
	});

	it.each<[string, Partial<StoredRow>]>([
		['another node bought', { node: 'another node', state: 'delivered' }],
		['another execution took over', { run: 'there.1.3', state: 'delivered' }],
		['this process still buys', { run: 'here.5.2' }],
		['an earlier attempt asked for', { run: 'here.1.2', link: '' }],
	])('does not include what %s', async (_what, more) => {
		const process = new NodeProcess('here');
		process.live
			.set('here.5.2', new AbortController().signal)
			.set('here.1.2', new AbortController().signal);
		const search = { execution: '2', repeats: true, process, all: false };
		const found = await findIn([{ ...dead, ...more }], search);

		expect(found.found).toStrictEqual([]);
	});
});

describe('what was delivered', () => {
	it('is found on request, that of the latest run first, and in the order of each run', async () => {
		const rows = [1, 2, 3, 4].map((number) =>
			rowWith({
				...{ state: number < 3 ? 'delivered' : 'undelivered', entry: `entry ${number}` },
				...{ run: `there.${number % 2}.2` },
			}),
		);
		const [one, two, three, four] = rows;

		expect((await findIn(rows)).held).toStrictEqual([two, four, one, three]);
		expect((await findIn(rows, { all: false })).found).toStrictEqual([]);
	});

	it.each<[string, Partial<StoredRow>]>([
		['its own execution bought', { execution: '3', run: 'there.1.3' }],
		['was for another request', { request: 'a fox' }],
		['is not known', { state: 'unclear', link: '' }],
	])('does not include what %s', async (_what, more) => {
		const row = rowWith({ state: 'delivered', ...more });

		expect((await findIn([row])).found).toStrictEqual([]);
	});

	it('is looked for only if this process has bought anything, because that takes the files', async () => {
		const search = { jobs, table: { isShared: false } };
		const others = rowWith({ state: 'delivered', node: 'another node' });
		expect((await findIn([others], search)).found).toStrictEqual([]);

		const row = rowWith({ state: 'delivered' });
		await findIn([others, row], search);
		expect(open).toHaveBeenCalled();
	});

	it('takes one call of a Purchase Log, however long that is', async () => {
		const calls: string[] = [];
		const nothing = (call: string) => async () => {
			calls.push(call);
			return await Promise.resolve([]);
		};
		await findIn([], { table: { read: nothing('read'), find: nothing('find') } });
		expect(calls).toStrictEqual(['read', 'find']);
	});
});
