import { requestKey } from '../../nodes/ImageGeneration/recall/requestKey';
import type {
	PurchaseTable,
	StoredRow,
} from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { FOX, jobFor, jobWith, OWL, resultOf } from '../support/jobs';
import { memoryTable, storedRow } from '../support/memoryTable';
import {
	afterStorage,
	executionState,
	recordingRun,
	stored,
	type Attempt,
} from '../support/recordingRun';
import { TestClock } from '../support/testClock';

/** Jobs that ask for the same. */
const owls = (count: number) =>
	Array.from({ length: count }, (_, index) => jobFor('Owl', { keys: [`0.${index}`] }));
const linkOf = (id: string) => resultOf(id).output_url;

/** A purchase of an owl by a run that was stopped. */
const left = async (id: number, more: Partial<StoredRow> = {}, job = OWL): Promise<StoredRow> =>
	storedRow({
		id,
		state: 'stopped',
		request: await requestKey('a node', job),
		link: linkOf(`row ${id}`),
		result: JSON.stringify(resultOf(`row ${id}`)),
		...more,
	});

/** A table of these rows, and runs of a process that use it. */
async function logOf(...rows: Array<StoredRow | Promise<StoredRow>>) {
	const log = memoryTable(await Promise.all(rows));
	const clock = new TestClock();
	const process = clock.process('here');
	const begin = ({ recording, ...attempt }: Attempt = {}) =>
		recordingRun({ ...attempt, recording: { table: log.table, process, ...recording } });
	return { log, clock, begin };
}

const away = async () => await Promise.reject(new Error('The table is away.'));

type Log = ReturnType<typeof memoryTable>;

/** The table of a run, to which this happens right before the run takes rows for the first time. */
const beforeTaking = (log: Log, happen: () => unknown): PurchaseTable => {
	let isFirst = true;
	const change: PurchaseTable['change'] = async (steps) => {
		if (isFirst && steps.some(({ set }) => set.run !== undefined)) {
			isFirst = false;
			await happen();
		}
		return await log.table.change(steps);
	};
	return { ...log.table, change };
};

describe('a job', () => {
	it('takes the n-th row of its request, the latest first, and each row serves one job', async () => {
		const { begin } = await logOf(left(1), left(2), left(3, {}, FOX));

		expect(await begin().take(...owls(3), FOX)).toStrictEqual([
			'row 2',
			'row 1',
			undefined,
			'row 3',
		]);
	});

	it('takes nothing that its execution knows under another job', async () => {
		const { begin } = await logOf(left(1), left(2));
		const finishedJobs = [['0.Owl', resultOf('row 2')]];
		const retry = begin({ state: executionState({ finishedJobs }) });

		expect(await retry.take(OWL, ...owls(2))).toStrictEqual(['row 2', 'row 1', undefined]);
	});

	it('has what its execution bought rather than what a stopped run left', async () => {
		const { begin, log } = await logOf(left(1));
		const run = begin();
		run.memory.add(OWL, { value: resultOf('own') });

		expect(await run.take(OWL)).toStrictEqual(['own']);
		expect(log.rows).toMatchObject([{ state: 'stopped' }]);
	});

	it('reuses nothing of a run that goes on, which may still be stopped', async () => {
		const { begin } = await logOf();
		const first = begin();
		await first.buy(OWL, resultOf('owl'));

		expect(await begin({ policy: { reuses: true } }).take(OWL)).toStrictEqual([undefined]);
	});

	it('takes a request that n8n repeats before an image, and an image that is free before one to reuse', async () => {
		const parent = { parent: '6' };
		const { begin } = await logOf(
			left(1, { ...parent, state: 'stopped', link: '', result: '' }),
			left(2),
			left(3, { state: 'delivered' }),
		);
		const run = begin({ common: parent, policy: { reuses: true } });

		expect(await run.take(...owls(3))).toStrictEqual([
			'an earlier run was cut off',
			'row 2',
			'row 3',
		]);
	});

	it.each([
		[false, false, undefined],
		[true, false, 'row 1'],
		[true, true, undefined],
	])(
		'that asks about an address: reuses %p, distrusts what is behind it %p, has %p after ten minutes',
		async (reuses, distrustsAddresses, expected) => {
			const textParts = { image: 'https://example.com/a' };
			const job = jobWith({ request: { model: 'background-remover', textParts } });
			const time = new Date(Date.now() - 601_000).toISOString();
			const { begin } = await logOf(left(1, { time, state: 'delivered' }, job));
			const policy = { reuses, distrustsAddresses };

			expect(await begin({ policy }).take(job)).toStrictEqual([expected]);
		},
	);

	it('reuses nothing that an earlier round of its loop returned before a pause, in which n8n forgot the rest', async () => {
		const { begin } = await logOf(left(1, { state: 'delivered' }), left(2, { state: 'delivered' }));
		const state = executionState({}, undefined, [linkOf('row 2')]);
		const round = begin({ state, policy: { reuses: true } });

		expect(await round.take(...owls(2))).toStrictEqual(['row 1', undefined]);
	});

	it('that is made equal to others by its file or text finds as many rows as it may need', async () => {
		const { begin, log } = await logOf(left(1));
		const wanted: number[] = [];
		const find: PurchaseTable['find'] = async (column, values, most = 0) => {
			if (column === 'request') wanted.push(values.length * most);
			return await log.table.find(column, values, most);
		};
		await begin({ recording: { table: { ...log.table, find } } }).recall(owls(50));
		await begin({ recording: { table: { ...log.table, find } } }).recall([OWL, FOX]);

		expect(wanted).toStrictEqual([1000, 40]);
	});
});

describe('taking over', () => {
	/** Another run of the process is faster. */
	const meeting = ({ log, begin }: Awaited<ReturnType<typeof logOf>>, id: number) =>
		beforeTaking(log, () => {
			log.edit(id, { run: begin().record.name, state: 'bought' });
		});

	it('makes the row its own, which no later run takes', async () => {
		const { begin, log } = await logOf(left(1));
		const run = begin();
		await run.take(OWL);
		const { execution, record } = run;
		expect(log.rows[0]).toMatchObject({ state: 'bought', execution, run: record.name });
		await run.end('delivered');

		expect(log.rows).toMatchObject([{ state: 'delivered' }]);
		expect(await begin().take(OWL)).toStrictEqual([undefined]);
	});

	it('is not what a run does with an image that it only reuses, in no attempt', async () => {
		const { begin, log } = await logOf(left(1, { state: 'failed', execution: 'x' }));
		const attempt = { state: executionState(), hasAttempts: true, policy: { reuses: true } };
		const first = begin(attempt);
		expect(await first.take(OWL)).toStrictEqual(['row 1']);
		await first.end('continued');
		const second = begin(attempt);
		expect(await second.take(OWL)).toStrictEqual(['row 1']);
		await second.end('delivered');

		expect(log.rows[0]).toMatchObject({ state: 'failed', execution: 'x', run: storedRow().run });
	});

	it('looks again if another run was faster, and takes what that one left', async () => {
		const world = await logOf(left(1), left(2));
		const run = world.begin({ recording: { table: meeting(world, 2) } });

		expect(await run.take(OWL)).toStrictEqual(['row 1']);
		expect(world.log.rows[0]).toMatchObject({ run: run.record.name, state: 'bought' });
	});

	it('leaves the job to be bought if another run was faster and nothing is left', async () => {
		const world = await logOf(left(1));
		const run = world.begin({ recording: { table: meeting(world, 1) } });

		expect(await run.take(OWL)).toStrictEqual([undefined]);
		expect(run.memory.isEmpty()).toBe(true);
	});

	it('loses only what the other run has, and remembers the rest', async () => {
		const world = await logOf(left(1), left(2, {}, FOX));
		const run = world.begin({ recording: { table: meeting(world, 1) } });

		expect(await run.take(OWL, FOX)).toStrictEqual([undefined, 'row 2']);
		expect(run.memory.recall(FOX)).toBeDefined();
	});

	it.each<[what: string, edit: (log: Log) => unknown]>([
		['deleted', async ({ table }) => await table.remove([1])],
		[
			'cleared',
			({ edit }) => {
				edit(1, { run: '', request: '' });
			},
		],
	])('buys nothing because somebody has %s the row meanwhile', async (_what, edit) => {
		const { begin, log } = await logOf(left(1));
		const run = begin({ recording: { table: beforeTaking(log, async () => await edit(log)) } });

		expect(await run.take(OWL)).toStrictEqual(['row 1']);
	});

	it.each(['before', 'after'] as const)(
		'stops the attempt if the table is away %s the change, and the next run has the image, once',
		async (when) => {
			const { begin, log } = await logOf(left(1));
			const table = beforeTaking(log, () => log.fail(when));
			const run = begin({ recording: { table } });

			await expect(run.take(OWL)).rejects.toThrow('The table is away.');
			expect(run.memory.isEmpty()).toBe(true);
			await run.end('failed');
			expect(await begin().take(...owls(2))).toStrictEqual(['row 1', undefined]);
			expect(log.rows.filter(({ state }) => state !== 'running')).toHaveLength(1);
		},
	);

	it('is done by one of two runs that meet', async () => {
		const { begin } = await logOf(left(1), left(2));
		const [first, second] = [begin(), begin()];
		const both = await Promise.all([first.take(OWL), second.take(OWL)]);

		expect(both.flat().sort()).toStrictEqual(['row 1', 'row 2']);
	});
});

describe('Retry', () => {
	it('makes the rows of the failed execution its own, so that no later run asks n8n for them', async () => {
		const { begin, log } = await logOf(left(1, { state: 'failed' }));
		const state = executionState({ finishedJobs: [['0.Owl', resultOf('row 1')]] });
		const retry = begin({ state, policy: { isRetry: true } });
		expect(await retry.take(OWL)).toStrictEqual(['row 1']);
		await retry.end('delivered');

		const { execution } = retry;
		expect(log.rows).toMatchObject([{ state: 'delivered', execution }]);
	});

	it('makes the rows of earlier rounds its own, which nobody takes when the failed execution is deleted', async () => {
		const { begin, log } = await logOf(left(1, { state: 'failed' }, FOX));
		const retry = begin({
			state: executionState({}, undefined, [linkOf('row 1')]),
			policy: { isRetry: true },
		});
		await retry.take(OWL);
		await retry.end('delivered');

		const { execution } = retry;
		expect(log.rows).toMatchObject([{ state: 'delivered', execution }]);
		const n8n = async () => await Promise.resolve(undefined);
		expect(await begin({ recording: { n8n } }).take(FOX)).toStrictEqual([undefined]);
	});

	it('makes them its own in its next attempt if the table did not answer', async () => {
		const { begin, log } = await logOf(left(1, { state: 'failed' }, FOX));
		const attempt = {
			state: executionState({}, undefined, [linkOf('row 1')]),
			policy: { isRetry: true },
		};
		const first = begin({ ...attempt, recording: { table: { ...log.table, find: away } } });
		await first.takeOver([OWL], { known: new Map(), withoutLink: [] });
		await first.end('continued');
		const second = begin(attempt);
		await second.take(OWL);
		await second.end('delivered');

		expect(log.rows).toMatchObject([{ state: 'delivered', execution: second.execution }]);
	});

	it('leaves the rows of other nodes alone, whose images it has from elsewhere', async () => {
		const { begin, log } = await logOf(left(1, { node: 'another' }));
		const state = executionState({}, undefined, [linkOf('row 1')]);
		const retry = begin({ state, policy: { isRetry: true } });
		await retry.take(FOX);
		await retry.end('delivered');

		expect(log.rows).toMatchObject([{ state: 'stopped', node: 'another' }]);
	});

	it('adds a row for an image of which the log has none', async () => {
		const { begin, log } = await logOf();
		const state = executionState({ finishedJobs: [['0.Owl', resultOf('before the log')]] });
		const retry = begin({ state, policy: { isRetry: true } });
		await retry.take(OWL);
		await retry.end('delivered');

		expect(log.rows).toMatchObject([{ link: linkOf('before the log'), state: 'delivered' }]);
	});
});

describe('Retry of an execution that bought an owl', () => {
	/** A failed execution, and Retry of it. */
	async function failed() {
		const { begin, log } = await logOf();
		const store = {};
		const links = [linkOf('owl')];
		const n8n = async (id: string) =>
			await Promise.resolve(
				id === first.execution
					? stored({ isFailed: true, keptLinks: links })
					: stored({ links, lastNodeEnd: Date.now() + 1000 }),
			);
		const first = begin({ state: executionState(store), recording: { n8n } });
		await first.buy(OWL, resultOf('owl'));
		await new Promise(setImmediate);
		const retry = (recording: Attempt['recording'] = {}) =>
			begin({
				state: executionState(afterStorage(store)),
				recording: { n8n, ...recording },
				policy: { isRetry: true },
			});
		const purchases = () => log.rows.filter(({ state }) => state !== 'running');
		return { log, begin: () => begin({ recording: { n8n } }), first, retry, purchases };
	}

	it.each(['before', 'after'] as const)(
		'delivers it, and leaves it to nobody, although the table is away %s its change',
		async (when) => {
			const { log, begin, first, retry, purchases } = await failed();
			await first.end('failed');
			const second = retry({ table: beforeTaking(log, () => log.fail(when)) });
			expect(await second.take(OWL)).toStrictEqual(['owl']);
			await second.end('delivered');

			expect(purchases()).toMatchObject([{ state: when === 'before' ? 'failed' : 'delivered' }]);
			expect(await begin().take(OWL)).toStrictEqual([undefined]);
		},
	);

	it('tells nothing of it, and leaves it to nobody, although the full table lacks how the execution ended', async () => {
		const { log, begin, first, retry, purchases } = await failed();
		log.fail('before');
		await first.end('failed');
		expect(purchases()).toMatchObject([{ state: 'bought' }]);
		const restarted = new TestClock().process('after a restart');
		const second = retry({ process: restarted });
		expect(await second.take(OWL)).toStrictEqual(['owl']);

		expect(await second.purchases.tell()).toStrictEqual([]);
		await second.end('delivered');
		expect(purchases()).toMatchObject([{ state: 'delivered' }]);
		expect(await begin().take(OWL)).toStrictEqual([undefined]);
	});

	it.each(['away', 'full'])('needs no table for it: it is %s', async (what) => {
		const { log, first, retry } = await failed();
		const refuse = async () => await Promise.reject(new Error('size limit exceeded'));
		Object.assign(log.table, { insert: refuse, change: refuse });
		if (what === 'away') Object.assign(log.table, { read: refuse, find: refuse, remove: refuse });
		await first.end('failed');

		expect(await retry().take(OWL)).toStrictEqual(['owl']);
	});
});

describe('a row that somebody has edited', () => {
	/** What a run makes of it, beside a row that nobody has edited, of another request. */
	async function edited(more: Partial<StoredRow>, policy: Attempt['policy'] = {}) {
		const { begin, log } = await logOf(left(1, more), left(2, {}, FOX));
		const run = begin({ policy });
		const recalled = await run.recall([OWL, FOX]);
		const { known, withoutLink } = await run.takeOver([OWL, FOX], recalled);
		const told = await run.purchases.tell();
		await run.end('delivered');
		expect(known.get(FOX)?.outcome).toStrictEqual({ value: resultOf('row 2') });
		const outcome = known.get(OWL)?.outcome;
		const value = outcome !== undefined && 'value' in outcome ? outcome.value : undefined;
		return { value, withoutLink: withoutLink.map(({ row }) => row.id), told, log };
	}

	it.each([
		['no address', 'see the sheet'],
		['of another host', 'https://elsewhere.example/owl.png'],
		['of no host', 'https://'],
		['no web address', 'file:///etc/passwd'],
	])('whose link is %s is named by its number, and the image bought', async (_what, link) => {
		const { value, withoutLink } = await edited({ link });

		expect(value).toBeUndefined();
		expect(withoutLink).toStrictEqual([1]);
	});

	it('whose link is no address is not named if its image would not be used anyway', async () => {
		const { withoutLink } = await edited({ state: 'delivered', link: 'see the sheet' });

		expect(withoutLink).toStrictEqual([]);
	});

	it('whose link is of another host counts if the credential allows it, or the service gave it', async () => {
		const link = 'https://cdn.example/owl.png';
		expect((await edited({ link }, { allowsOtherHosts: true })).value?.output_url).toBe(link);

		const result = JSON.stringify({ id: 'owl', output_url: link });
		expect((await edited({ link, result })).value).toStrictEqual({ id: 'owl', output_url: link });
	});

	it.each(['', 'null', '7', '[]', '={{ $json }}', '{ "output_url": "nowhere" }'])(
		'whose result is %j counts by its link',
		async (result) => {
			expect((await edited({ result })).value).toStrictEqual({ output_url: linkOf('row 1') });
		},
	);

	it('whose link was cleared counts by its result', async () => {
		expect((await edited({ link: '' })).value).toStrictEqual(resultOf('row 1'));
	});

	it('whose link and result were cleared counts as a request that may have been charged', async () => {
		const { value, withoutLink, told } = await edited({ link: '', result: '' });

		expect(value).toBeUndefined();
		expect(withoutLink).toStrictEqual([]);
		expect(told.map(({ row }) => row.id)).toStrictEqual([1]);
	});

	it.each([
		{ execution: '' },
		{ execution: 'x'.repeat(100_000) },
		{ run: '' },
		{ run: '={{ $json }}' },
		{ entry: '' },
		{ time: 'yesterday' },
		{ image: '', operation: '', workflow: '', quality: '', size: '' },
	])('in other cells counts as before: %j', async (more) => {
		expect((await edited(more)).value).toStrictEqual(resultOf('row 1'));
	});

	it('whose request or node was cleared belongs to no job', async () => {
		expect((await edited({ request: '' })).value).toBeUndefined();
		expect((await edited({ request: '', node: '' })).told).toStrictEqual([]);
	});
});

describe('an image that the service no longer has', () => {
	it('is used by no later run', async () => {
		const { begin, log } = await logOf(left(1));
		const run = begin();
		const { known } = await run.takeOver([OWL], await run.recall([OWL]));
		const purchase = known.get(OWL)?.purchase;
		if (purchase === undefined) throw new Error('It was not taken.');
		await run.purchases.markGone(purchase);
		await run.end('delivered');

		expect(log.rows).toMatchObject([{ request: 'gone', state: 'delivered' }]);
		const reusing = begin({ policy: { reuses: true } });
		expect(await reusing.take(OWL)).toStrictEqual([undefined]);
		expect(await reusing.purchases.tell()).toStrictEqual([]);
	});

	it('needs no table that answers', async () => {
		const { begin, log } = await logOf(left(1));
		const run = begin();
		const { known } = await run.recall([OWL]);
		const purchase = known.get(OWL)?.purchase;
		if (purchase === undefined) throw new Error('It is not known.');
		log.fail('before');

		await expect(run.purchases.markGone(purchase)).resolves.toBeUndefined();
	});
});

it('a table that does not answer stops the run before it buys', async () => {
	const { begin, log } = await logOf(left(1));
	const run = begin();
	await new Promise(setImmediate);
	log.fail('before');
	await expect(run.recall([OWL])).rejects.toThrow('The table is away.');
	log.fail('before', 'before');
	await expect(run.purchases.send(OWL)).rejects.toThrow('The table is away.');
});

it('n8n is asked after all that is free, so that one image serves one job', async () => {
	const n8n = async () => await Promise.resolve(stored({ isFailed: true }));
	const { begin } = await logOf(left(1), left(2, { state: 'delivered' }));

	expect(await begin({ recording: { n8n } }).take(...owls(3))).toStrictEqual([
		'row 1',
		'row 2',
		undefined,
	]);
});
