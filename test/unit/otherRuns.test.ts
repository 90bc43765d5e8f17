import type { StoredExecution } from '../../nodes/ImageGeneration/execution';
import { requestKey } from '../../nodes/ImageGeneration/recall/requestKey';
import type {
	PurchaseTable,
	StoredRow,
} from '../../nodes/ImageGeneration/recall/table/purchaseTable';
import { FOX, jobFor, OWL } from '../support/jobs';
import { memoryTable, storedRow } from '../support/memoryTable';
import { recordingRun, stored, type Attempt } from '../support/recordingRun';
import { TestClock } from '../support/testClock';

const LINK = 'https://example.com/owl';
const HOUR = 3_600_000;
/** After every row. */
const LATER = Date.now() + HOUR;
/** Before every row. */
const EARLIER = Date.now() - 2 * HOUR;
const IN_OUTPUT = stored({ isComplete: true, links: [LINK], lastNodeEnd: LATER });
const GOES_ON = stored();
const HOUR_AGO = new Date(Date.now() - HOUR).toISOString();
const CUT_OFF = stored({ isFailed: true });
const NOT_SAVED = undefined;

/** The rows of these processes. */
const processes = (...names: string[]) =>
	names.map((run, index) => storedRow({ id: 100 + index, run, state: 'running', request: '' }));

/** A purchase of an owl by an earlier run, and a run that may ask for the same. */
async function after(
	row: Partial<StoredRow>,
	answers: Record<string, StoredExecution | undefined> = {},
	{ live = [], ...attempt }: Attempt & { live?: string[] } = {},
) {
	const request = await requestKey('a node', OWL);
	const log = memoryTable([storedRow({ id: 1, request, ...row }), ...processes(...live)]);
	const clock = new TestClock();
	const asked: string[] = [];
	const process = clock.process('here');
	const begin = (more: Attempt = {}) =>
		recordingRun({
			...attempt,
			...more,
			recording: {
				table: log.table,
				process,
				n8n: async (id) => {
					asked.push(id);
					if (!(id in answers)) throw new Error('n8n does not answer.');
					return await Promise.resolve(answers[id]);
				},
				...more.recording,
			},
		});
	return { log, clock, asked, process, begin };
}

/** Adds a purchase of an owl like the first one, with a link of its own. */
async function delivered(
	{ rows, table }: ReturnType<typeof memoryTable>,
	more: Partial<StoredRow>,
) {
	const link = `${LINK}?${rows.length}`;
	await table.insert({ ...(rows[0] as StoredRow), link, result: '', ...more });
}

/** Where a run has its owl from, if it need not buy it. The processes that live renew their rows meanwhile. */
async function source(...given: Parameters<typeof after>) {
	const { begin, clock, log } = await after(...given);
	const recalling = begin().recall([OWL]);
	const over = new AbortController();
	const renewing = (async () => {
		while (!over.signal.aborted) {
			await clock.process('there').wait(500);
			await log.table.change([{ which: { state: 'running' }, set: { state: 'running' } }]);
		}
	})();
	const { known } = await clock.run(recalling);
	over.abort();
	await clock.run(renewing);
	return known.get(OWL)?.from;
}

describe('an image of an earlier run', () => {
	it.each<[what: string, from: string | undefined, ...Parameters<typeof after>]>([
		['that was stopped is taken', 'stopped run', { state: 'stopped' }],
		['that was stopped and told of is taken', 'stopped run', { state: 'told' }],
		['that died is taken', 'stopped run', { state: 'bought' }, { 7: NOT_SAVED }],
		['that died is taken even if n8n does not answer', 'stopped run', { state: 'bought' }, {}],
		[
			'that died after n8n had stored its image, because the log was full, is not taken',
			undefined,
			{ state: 'bought' },
			{ 7: IN_OUTPUT },
		],

		['that ended well and is stored is not taken', undefined, {}, { 7: IN_OUTPUT }],
		[
			'that ended well is not taken if n8n does not save such executions',
			undefined,
			{},
			{ 7: NOT_SAVED },
		],
		[
			'that ended well is not taken if somebody has edited its link, not even after an hour',
			undefined,
			{ time: HOUR_AGO, updatedAt: HOUR_AGO },
			{ 7: stored({ isComplete: true, links: ['https://example.com/original'] }) },
		],
		['that ended well is not taken if n8n does not answer', undefined, {}],
		[
			'that ended well is taken if its execution was cut off while a later node ran',
			'stopped run',
			{},
			{ 7: CUT_OFF },
		],
		[
			'that ended well is not taken if its execution was cut off, but had saved its progress',
			undefined,
			{},
			{ 7: stored({ isFailed: true, links: [LINK], lastNodeEnd: LATER }) },
		],
		[
			'that ended well is not taken without an execution to ask about',
			undefined,
			{ execution: '' },
			{ '': CUT_OFF },
		],

		[
			'that failed is not taken if Retry finds it',
			undefined,
			{ state: 'failed' },
			{ 7: IN_OUTPUT },
		],
		[
			'that failed is taken if n8n does not have its data',
			'stopped run',
			{ state: 'failed' },
			{ 7: NOT_SAVED },
		],
		[
			'that failed is taken if its execution was cut off',
			'stopped run',
			{ state: 'failed' },
			{ 7: CUT_OFF },
		],
		[
			'that failed is not taken if Retry finds it, although no node had output',
			undefined,
			{ state: 'failed' },
			{ 7: stored({ isFailed: true, keptLinks: [LINK] }) },
		],
		[
			'that failed is not taken if n8n has another execution of that number',
			undefined,
			{ state: 'failed' },
			{ 7: stored({ isFailed: true, lastNodeEnd: LATER }) },
		],
		[
			'that ended well is not taken if n8n has another execution of that number',
			undefined,
			{},
			{ 7: stored({ isFailed: true, lastNodeEnd: LATER }) },
		],
		[
			'that ended well is not taken if an execution of that number failed before somebody brought the log into this database',
			undefined,
			{},
			{ 7: stored({ isFailed: true, isComplete: true, lastNodeEnd: EARLIER }) },
		],
		[
			'that ended well is taken if its execution was cut off after it had waited, or was Retry',
			'stopped run',
			{},
			{ 7: stored({ isFailed: true, lastNodeEnd: EARLIER }) },
		],
		[
			'that ended well is taken if its execution was cut off and began with the link as Retry',
			'stopped run',
			{},
			{ 7: stored({ isFailed: true, keptLinks: [LINK], lastNodeEnd: EARLIER }) },
		],
		[
			'that ended well is taken if n8n was killed, and noticed no error',
			'stopped run',
			{},
			{ 7: stored({ isRecovered: true }) },
		],
		[
			'that ended well is not taken if its execution goes on as Retry of a killed one',
			undefined,
			{},
			{ 7: stored({ isRecovered: true }) },
			{ live: ['there'] },
		],
		[
			'that ended well is not taken if n8n has data that came later, although the link is not in it',
			undefined,
			{},
			{ 7: stored({ lastNodeEnd: LATER }) },
		],
		[
			'that died is taken, although n8n has another execution of that number',
			'stopped run',
			{ state: 'bought' },
			{ 7: stored({ lastNodeEnd: LATER }) },
		],
		[
			'that died is taken although n8n keeps it with a failure, because it may have been stopped and not be offered for Retry',
			'stopped run',
			{ state: 'bought' },
			{ 7: stored({ isFailed: true, keptLinks: [LINK], lastNodeEnd: LATER }) },
		],
		[
			'that died is not taken if a later node failed and n8n has the image, because the log was full',
			undefined,
			{ state: 'bought' },
			{ 7: stored({ isFailed: true, links: [LINK], lastNodeEnd: LATER }) },
		],
		[
			'that died as Retry is taken, although its execution began with the link',
			'stopped run',
			{ state: 'bought' },
			{ 7: stored({ keptLinks: [LINK], lastNodeEnd: EARLIER }) },
		],
		[
			'that failed is taken without an execution that could be retried',
			'stopped run',
			{ state: 'failed', execution: '' },
		],
		['that failed is not taken if n8n does not answer', undefined, { state: 'failed' }],
	])('%s', async (_what, from, ...given) => {
		expect(await source(...given)).toBe(from);
	});
});

describe('an image of a sub-workflow', () => {
	const called = { parent: '6' };

	it.each<[what: string, from: string | undefined, ...Parameters<typeof after>]>([
		[
			'that ended well is not taken if its caller goes on',
			undefined,
			called,
			{ 7: IN_OUTPUT, 6: GOES_ON },
		],
		[
			'that ended well is not taken if its caller is stored',
			undefined,
			called,
			{ 7: IN_OUTPUT, 6: stored({ lastNodeEnd: LATER }) },
		],
		[
			'that ended well is not taken if its caller failed in a later node, because its data is stored',
			undefined,
			called,
			{ 7: IN_OUTPUT, 6: stored({ isFailed: true, lastNodeEnd: LATER }) },
		],
		[
			'that ended well is taken if its caller was stopped or killed',
			'stopped run',
			called,
			{ 7: IN_OUTPUT, 6: CUT_OFF },
		],
		[
			'that ended well is taken if a later node of the sub-workflow failed',
			'stopped run',
			called,
			{ 7: stored({ isFailed: true, links: [LINK], lastNodeEnd: LATER }), 6: GOES_ON },
		],
		[
			'that ended well is not taken because a sub-workflow of that number failed in another database',
			undefined,
			called,
			{ 7: stored({ isFailed: true, lastNodeEnd: LATER }), 6: GOES_ON },
		],
		[
			'that died is taken although n8n has its failed execution, because nobody can retry that',
			'stopped run',
			{ ...called, state: 'bought' },
			{ 7: stored({ isFailed: true, links: [LINK], lastNodeEnd: LATER }) },
		],
		[
			'that ended well is taken if its caller was cut off after it had waited',
			'stopped run',
			called,
			{ 7: IN_OUTPUT, 6: stored({ isFailed: true, lastNodeEnd: EARLIER }) },
		],
		[
			'that ended well is not taken if its caller goes on as Retry of a killed one',
			undefined,
			called,
			{ 7: IN_OUTPUT, 6: stored({ isRecovered: true }) },
			{ live: ['there'] },
		],
		['that was cut off itself is taken', 'stopped run', called, { 7: CUT_OFF, 6: GOES_ON }],
		[
			'that ended well is not taken if n8n does not save its caller',
			undefined,
			called,
			{ 7: IN_OUTPUT, 6: NOT_SAVED },
		],
	])('%s', async (_what, from, ...given) => {
		expect(await source(...given)).toBe(from);
	});

	it('is taken even if its own process bought it, because the caller has a signal of its own', async () => {
		const answers = { 7: IN_OUTPUT, 6: CUT_OFF };

		expect(await source({ ...called, run: 'here.1' }, answers)).toBe('stopped run');
	});
});

describe('an execution of which n8n has stored neither output nor end', () => {
	const unfinished = { 7: GOES_ON };
	const before = (ms: number) => {
		const time = new Date(Date.now() - ms).toISOString();
		return { time, updatedAt: time };
	};

	it.each<[what: string, from: string | undefined, ...Parameters<typeof after>]>([
		['goes on for an hour', undefined, before(HOUR - 10_000), unfinished],
		['is lost after an hour', 'stopped run', before(HOUR), unfinished],
		[
			'goes on as long as its process lives',
			undefined,
			before(HOUR),
			unfinished,
			{ live: ['there'] },
		],
		['goes on if its row has no date that can be read', undefined, { updatedAt: '' }, unfinished],
		['goes on if it is of this process', undefined, { ...before(HOUR), run: 'here.1' }, unfinished],
		[
			'is lost after an hour if it failed',
			'stopped run',
			{ ...before(HOUR), state: 'failed' },
			unfinished,
		],
		[
			'has ended if nothing is left to run, such as a caller that does not wait for its sub-workflow',
			undefined,
			{ ...before(HOUR), parent: '6' },
			{ 7: IN_OUTPUT, 6: stored({ isComplete: true, lastNodeEnd: EARLIER }) },
		],
		[
			'is lost after an hour if it runs a sub-workflow',
			'stopped run',
			{ ...before(HOUR), parent: '6' },
			{ 7: IN_OUTPUT, 6: GOES_ON },
		],
	])('%s', async (_what, from, ...given) => {
		expect(await source(...given)).toBe(from);
	});

	it('is lost once its process has not renewed its row for ten seconds, if n8n was killed in a loop', async () => {
		const killed = { 7: stored({ isRecovered: true }) };
		const { begin, clock } = await after({}, killed, { live: ['there'] });
		const { known } = await clock.run(begin().recall([OWL]));

		expect(known.get(OWL)?.from).toBe('stopped run');
		expect(clock.now).toBeGreaterThanOrEqual(10_000);
	});

	it('is lost an hour after its row was changed last', async () => {
		const time = new Date(Date.now() - HOUR).toISOString();
		const old = { time, createdAt: time, updatedAt: time, state: 'bought' } as const;
		const { begin, clock, log } = await after(old, unfinished);
		await log.table.change([{ which: { id: 1 }, set: { state: 'delivered' } }]);
		clock.now = HOUR - 10_000;
		expect((await clock.run(begin().recall([OWL]))).known.size).toBe(0);

		clock.now = HOUR + 10_000;
		expect((await clock.run(begin().recall([OWL]))).known.get(OWL)?.from).toBe('stopped run');
	});
});

describe('n8n is asked', () => {
	it('about an execution once by a process, if that has ended', async () => {
		const { begin, asked, clock } = await after({}, { 7: IN_OUTPUT });
		for (let count = 0; count < 3; count++) await clock.run(begin().recall([OWL]));

		expect(asked).toStrictEqual(['7']);
	});

	it('again about one that had not ended', async () => {
		const { begin, asked, clock } = await after({}, { 7: GOES_ON });
		for (let count = 0; count < 2; count++) await clock.run(begin().recall([OWL]));

		expect(asked).toStrictEqual(['7', '7']);
	});

	it('again if it did not answer, because nothing follows then', async () => {
		const { begin, asked, clock } = await after({});
		for (let count = 0; count < 2; count++) await clock.run(begin().recall([OWL]));

		expect(asked).toStrictEqual(['7', '7']);
	});

	it('once about each execution, however many equal images it has', async () => {
		const { begin, asked, clock, log } = await after({}, { 7: IN_OUTPUT, 8: IN_OUTPUT });
		for (const execution of ['7', '8', '8']) {
			await log.table.insert({
				...(log.rows[0] as StoredRow),
				execution,
				link: `${LINK}?${asked.length}`,
			});
		}
		await clock.run(begin().recall([OWL, jobFor('Owl'), jobFor('Owl')]));

		expect(asked.toSorted()).toStrictEqual(['7', '8']);
	});

	it('about as many executions as it takes to find one that was cut off', async () => {
		const others = Array.from(
			{ length: 30 },
			(_, index) => [String(8 + index), IN_OUTPUT] as const,
		);
		const answers = { 7: CUT_OFF, ...Object.fromEntries(others) };
		const { begin, asked, clock, log } = await after({}, answers);
		// These are of an n8n process that is gone.
		for (const [execution] of others.slice(0, 15)) await delivered(log, { execution });
		// These are of this process, which knows that they ended well.
		for (const [execution] of others.slice(15)) await delivered(log, { execution, run: 'here.1' });

		expect((await clock.run(begin().recall([OWL]))).known.get(OWL)?.purchase?.row.id).toBe(1);
		expect(asked).toHaveLength(16);
	});

	it.each<[what: string, row: Partial<StoredRow>, attempt: Attempt]>([
		['if the execution knows the job', {}, {}],
		['if a stopped run has left the image', { state: 'stopped' }, {}],
		['if the run reuses the image', {}, { policy: { reuses: true } }],
		['for an agent’s tool, which buys another image', {}, { isTool: true }],
		['about an image without a usable link', { link: 'nowhere' }, {}],
		['about an execution whose process lives, and has seen its signal', { run: 'here.1' }, {}],
	])('not at all %s', async (what, row, attempt) => {
		const { begin, asked, clock } = await after(row, { 7: IN_OUTPUT });
		const run = begin(attempt);
		if (what.startsWith('if the execution')) run.memory.add(OWL, { value: { output_url: LINK } });
		await clock.run(run.recall([OWL, FOX]));

		expect(asked).toStrictEqual([]);
	});

	it('not at all about an address whose image is too old to be taken, unless this is Retry', async () => {
		const textParts = { image: 'https://example.com/photo' };
		const job = jobFor('', { request: { model: 'background-remover', textParts } });
		const time = new Date(Date.now() - 11 * 60_000).toISOString();
		const request = await requestKey('a node', job);
		const { begin, asked, clock } = await after({ request, time }, { 7: CUT_OFF });
		await clock.run(begin().recall([job]));
		expect(asked).toStrictEqual([]);

		const { known } = await clock.run(begin({ policy: { isRetry: true } }).recall([job]));
		expect(asked).toStrictEqual(['7']);
		expect(known.get(job)?.from).toBe('stopped run');
	});
});

describe('a request of another process', () => {
	const sent = { state: 'sent', link: '', result: '' } as const;

	it.each([{ state: 'bought' } as const, sent])(
		'is left alone while that process renews its row: %j',
		async (row) => {
			const { begin, clock, log } = await after(row, {}, { live: ['there'] });
			const renewing = (async () => {
				await clock.process('there').wait(500);
				await log.table.change([{ which: { id: 100 }, set: { state: 'running' } }]);
			})();
			const { known } = await clock.run(begin().recall([OWL]));
			await renewing;

			expect(known.size).toBe(0);
			expect(clock.now).toBeLessThan(3000);
		},
	);

	it('is taken once its process has not renewed its row for ten seconds', async () => {
		const { begin, clock } = await after({ state: 'bought' }, {}, { live: ['there'] });
		const { known } = await clock.run(begin().recall([OWL]));

		expect(known.get(OWL)?.from).toBe('stopped run');
		expect(clock.now).toBeGreaterThanOrEqual(10_000);
	});

	it('is not waited for if nobody asks for the same', async () => {
		const { begin, clock } = await after({ state: 'bought' }, {}, { live: ['there'] });
		await clock.run(begin().recall([FOX]));

		expect(clock.now).toBe(0);
	});

	it('is not waited for after Stop', async () => {
		const { begin, clock } = await after({ state: 'bought' }, {}, { live: ['there'] });
		const run = begin();
		const recalling = run.recall([OWL]);
		await new Promise(setImmediate);
		run.stop();
		const { known } = await clock.run(recalling);

		expect(known.size).toBe(0);
		expect(clock.now).toBeLessThan(3000);
	});

	it('is left alone if its process wrote it after the rows of processes had been read', async () => {
		const { begin, clock, log } = await after({ state: 'bought' });
		const find: PurchaseTable['find'] = async (column, values, most) => {
			const found = await log.table.find(column, values, most);
			// Between the first look and the second one, its run ends.
			if (column === 'request') log.edit(1, { state: 'delivered' });
			return found;
		};
		const table = { ...log.table, find };
		const { known } = await clock.run(begin({ recording: { table } }).recall([OWL]));

		expect(known.size).toBe(0);
	});

	it('is taken although another run tells of it meanwhile', async () => {
		const { begin, clock, log } = await after({ state: 'bought' });
		const read: PurchaseTable['read'] = async (which) => {
			const found = await log.table.read(which);
			log.edit(1, { state: 'told', run: 'elsewhere.1' });
			return found;
		};
		const table = { ...log.table, read };
		const { known } = await clock.run(begin({ recording: { table } }).recall([OWL]));

		expect(known.get(OWL)?.from).toBe('stopped run');
	});

	it('is taken with its result if its process replaces it and is stopped meanwhile', async () => {
		const { begin, clock, log } = await after({ ...sent, result: '' });
		const [before] = log.rows as [StoredRow];
		const read: PurchaseTable['read'] = async (which) => {
			await log.table.insert({ ...before, state: 'stopped', link: LINK });
			await log.table.remove([before.id]);
			return await log.table.read(which);
		};
		const table = { ...log.table, read };
		const { known } = await clock.run(begin({ recording: { table } }).recall([OWL]));

		expect(known.get(OWL)?.from).toBe('stopped run');
	});

	it('is one with the row that has replaced it, which its process could not remove before it died', async () => {
		const { begin, clock, log } = await after(sent);
		await log.table.insert({ ...(log.rows[0] as StoredRow), state: 'bought', link: LINK });
		const run = begin();
		const { known } = await clock.run(run.recall([OWL, jobFor('Owl')]));
		expect(known.get(OWL)?.purchase?.row.link).toBe(LINK);
		expect(known.size).toBe(1);

		expect((await run.purchases.tell()).map(({ row }) => row.link)).toStrictEqual([LINK]);
		expect(log.rows.filter(({ state }) => state === 'told')).toHaveLength(1);
	});

	it('is left alone if another run takes it meanwhile', async () => {
		const { begin, clock, log } = await after({ state: 'bought' });
		const read: PurchaseTable['read'] = async (which) => {
			const found = await log.table.read(which);
			log.edit(1, { run: 'elsewhere.1' });
			return found;
		};
		const table = { ...log.table, read };
		const { known } = await clock.run(begin({ recording: { table } }).recall([OWL]));

		expect(known.size).toBe(0);
	});
});
