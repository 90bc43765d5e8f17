import { getEventListeners } from 'node:events';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Execution } from '../../nodes/ImageGeneration/execution';
import {
	ExecutionMemory,
	RememberedJobs,
} from '../../nodes/ImageGeneration/recall/executionMemory';
import { thisProcess } from '../../nodes/ImageGeneration/recall/leases';
import { openPurchases } from '../../nodes/ImageGeneration/recall/openPurchases';
import { processTable } from '../../nodes/ImageGeneration/recall/processTable';
import { recall, takeOver } from '../../nodes/ImageGeneration/recall/recall';
import { abandon, newRun, RepeatedRuns } from '../../nodes/ImageGeneration/recall/runRecord';
import type { Job, JobResult } from '../../nodes/ImageGeneration/types';
import { FOX, jobFor, OWL, resultOf, shown } from '../support/jobs';

/** The contexts of all executions, whose ids are their numbers, and what their runs share. */
const executions = new Map<object, { id: string; jobs: RememberedJobs; runs: RepeatedRuns }>();

beforeEach(async () => {
	jest.useRealTimers();
	await processTable.change([{ which: {}, remove: true }]);
});

/** A node's context after n8n stored its execution. */
const afterStorage = (store: object) => JSON.parse(JSON.stringify(store)) as object;

/** A run of the node, which is alone in its execution unless `store` is given. */
function runOf({
	/** The node's context in its execution. */
	store = {},
	node: id = 'a node',
	workflow = 'a workflow',
	account = 'an account',
	name = '0',
	reuses = false,
	isTool = false,
	retryOnFail = true,
	/** The execution that runs this one as a sub-workflow. */
	parentId = '',
	/** Stops the execution when aborted. */
	stop = new AbortController(),
} = {}) {
	const shared = executions.get(store) ?? {
		id: String(executions.size),
		jobs: new RememberedJobs(store),
		runs: new RepeatedRuns(),
	};
	executions.set(store, shared);
	const { signal } = stop;
	const context = {
		getNode: () => ({ id, parameters: { operation: 'generate' } }),
	} as unknown as IExecuteFunctions;
	const execution: Execution = {
		id: shared.id,
		parentId,
		workflow: { id: workflow, name: 'A workflow' },
		isManual: false,
		isSubWorkflow: parentId !== '',
		context: store as Execution['context'],
		signal,
	};
	const memory = new ExecutionMemory(shared.jobs, name, retryOnFail);
	const isRepeated = retryOnFail && !isTool;
	const record = isRepeated ? shared.runs.beginAttempt(thisProcess, name, 3) : newRun(thisProcess);
	const purchases = openPurchases(context, execution, account, '', {
		record,
		onMissing: () => {},
	});
	const policy = { reuses, isStartedOver: false, isTool, signal };
	const recallAll = async (...jobs: Job[]) => {
		const recalled = await recall({ memory, purchases }, policy, jobs);
		return { ...recalled, leftOver: recalled.leftOver.filter(({ isSpokenFor }) => !isSpokenFor) };
	};
	return {
		memory,
		purchases,
		record,
		stop: () => stop.abort(),
		recall: recallAll,
		/** Recalls the jobs, takes what is known and returns its links, or what else is known. */
		take: async (...jobs: Job[]) => {
			const recalled = await recallAll(...jobs);
			await takeOver({ memory, purchases }, recalled);
			return jobs.map((job) => shown(recalled.known.get(job)?.outcome));
		},
		/** Buys a job. */
		buy: async (job: Job, result: JobResult) => {
			memory.add(job, { value: result });
			await purchases.send(job);
			await purchases.bought(job, result);
		},
	};
}

const jobWithFile = (open: () => Promise<Uint8Array[]>): Job =>
	jobFor('a file', {
		request: {
			model: 'background-remover',
			textParts: {},
			file: { name: 'photo.png', type: 'image/png', size: 3, open, sha256: undefined },
		},
	});
const bytes = (text: string) => async () => await Promise.resolve([Buffer.from(text)]);

/** A run that bought these jobs, each with its text as its id, and was stopped before it output them. */
async function stopped(jobs: Job[], input: Parameters<typeof runOf>[0] = {}) {
	const run = runOf(input);
	for (const job of jobs)
		await run.buy(job, resultOf(`${job.label} ${job.request.textParts.text}`));
	run.stop();
	return run;
}

describe('what an attempt bought', () => {
	it('is known to the next one, also after n8n stored the execution', async () => {
		const store = {};
		await runOf({ store }).buy(OWL, resultOf('owl'));
		runOf({ store }).memory.end(false);
		expect(store).toStrictEqual({ finishedJobs: [['0.Owl', resultOf('owl')]] });

		const next = runOf({ store: afterStorage(store) });
		expect(await next.take(OWL, FOX)).toStrictEqual(['owl', undefined]);
		expect(await runOf().take(OWL)).toStrictEqual([undefined]);
	});

	it('is kept without its image if no other attempt follows by itself', async () => {
		const run = runOf({ retryOnFail: false });
		await run.buy(OWL, resultOf('owl'));
		run.memory.addImage(OWL, { data: '', mimeType: 'image/png' });

		expect(run.memory.outcomeOf(OWL)).toStrictEqual({ value: resultOf('owl') });
		expect(run.memory.outcomeOf(FOX)).toBeUndefined();
		expect(run.memory.imageOf(OWL)).toBeUndefined();
	});

	it('is known by any of its keys, the first one first', async () => {
		const store = {};
		const first = runOf({ store });
		await first.buy(jobFor('', { keys: ['0.a?1', '0.a'] }), resultOf('one'));
		await first.buy(jobFor('', { keys: ['0.a?2'] }), resultOf('two'));
		first.memory.end(false);
		const wanted = [['0.a?2', '0.a'], ['0.a?3', '0.a'], ['0.a?4']];
		const jobs = wanted.map((keys) => jobFor('', { keys }));

		const expected = ['two', 'one', undefined];
		expect(await runOf({ store }).take(...jobs)).toStrictEqual(expected);
		expect(await runOf({ store: afterStorage(store) }).take(...jobs)).toStrictEqual(expected);
	});

	it('includes a failure that may have been charged, if only Retry On Fail starts the next one', async () => {
		for (const retryOnFail of [true, false]) {
			const store = {};
			const first = runOf({ store, retryOnFail });
			first.memory.add(OWL, { failure: { kind: 'interrupted', message: 'Cut off' } });
			first.memory.end(false);

			expect(store).toStrictEqual({});
			expect(await runOf({ store }).take(OWL)).toStrictEqual([retryOnFail ? 'Cut off' : undefined]);
		}
	});

	it('is forgotten once n8n has the output, and other runs keep theirs', async () => {
		const store = {};
		const first = runOf({ store });
		const second = runOf({ store });
		await first.buy(OWL, resultOf('owl'));
		await second.buy(OWL, resultOf('other'));
		first.memory.end(true);
		second.memory.end(false);
		expect(await runOf({ store }).take(OWL, jobFor('Owl'))).toStrictEqual(['other', undefined]);

		const stored = afterStorage(store);
		const last = runOf({ store: stored });
		await last.take(OWL);
		last.memory.end(true);
		expect(last.memory.isEmpty()).toBe(true);
		expect(stored).toStrictEqual({});
	});

	it('is told if later ones do not ask for it, until n8n has the output of one', async () => {
		const store: { finishedJobs?: unknown } = {};
		const first = runOf({ store });
		await first.buy(OWL, resultOf('owl'));
		await first.buy(FOX, resultOf('fox'));
		await first.buy(jobFor('Owl', { keys: ['1.Owl'] }), resultOf('of another run'));
		first.memory.end(false);
		const second = runOf({ store });
		await second.take(FOX);

		expect(second.memory.surplus()).toStrictEqual([resultOf('owl')]);
		second.memory.end(false);
		const third = runOf({ store });
		await third.take(FOX);
		expect(third.memory.surplus()).toStrictEqual([resultOf('owl')]);
		third.memory.end(true);
		expect(store.finishedJobs).toStrictEqual([['1.Owl', resultOf('of another run')]]);
	});
});

describe('what a stopped run bought', () => {
	it.each([false, true])('is taken over once, also by a run that reuses: %s', async (reuses) => {
		await stopped([OWL]);
		const next = runOf({ reuses });
		expect((await next.recall(OWL)).known.get(OWL)?.from).toBe('stopped run');
		expect(await next.take(OWL, jobFor('Owl'))).toStrictEqual(['A fox Owl', undefined]);
		expect(next.memory.outcomeOf(OWL)).toStrictEqual({ value: resultOf('A fox Owl') });
		await next.purchases.end('delivered');

		expect(await runOf().take(OWL)).toStrictEqual([undefined]);
	});

	const ends = ['delivered', 'kept'] as const;

	it.each(ends)('includes what a run bought that is stopped while it ends as %s', async (how) => {
		await stopped([FOX]);
		const run = runOf({ retryOnFail: false });
		await run.take(OWL);
		await run.buy(OWL, resultOf('owl'));
		const ending = run.purchases.end(how);
		run.stop();
		await ending;

		const { leftOver } = await runOf().recall();
		expect(leftOver.map(({ result }) => result?.id)).toStrictEqual(['A fox Fox', 'owl']);
		// What nobody was told of is told again.
		expect(leftOver.map(({ row }) => row.state)).toStrictEqual(['stopped', 'stopped']);
		expect(await runOf().take(OWL)).toStrictEqual(['owl']);
	});

	it('is told once, even if that is before the stopped run has ended', async () => {
		const run = runOf();
		await run.buy(OWL, resultOf('owl'));
		await run.purchases.send(FOX);
		run.stop();
		const next = runOf();
		const told = (await next.recall()).leftOver;
		expect(told.map(({ result }) => result?.id)).toStrictEqual(['owl', undefined]);
		await next.take();
		await next.purchases.end('delivered');
		await run.purchases.end('stopped');

		const { leftOver } = await runOf().recall();
		expect(leftOver).toStrictEqual([]);
	});

	it('stays after runs that ask for something else, of which the first one that is shown tells it', async () => {
		await stopped([OWL]);
		const leftOver = async (input = {}) => (await runOf(input).recall(FOX)).leftOver;
		const store = {};
		const first = runOf({ store });
		await first.take(FOX);
		await first.purchases.end('continued');
		expect((await leftOver()).length).toBe(0);
		expect((await leftOver({ store })).map(({ result }) => result?.id)).toStrictEqual([
			'A fox Owl',
		]);
		const second = runOf({ store });
		await second.take(FOX);
		await second.purchases.end('delivered');

		expect((await leftOver()).length).toBe(0);
		expect(await runOf().take(OWL)).toStrictEqual(['A fox Owl']);
	});

	it('includes a result that comes after another run has claimed to tell of its request', async () => {
		const run = runOf();
		await run.purchases.send(OWL);
		run.stop();
		const next = runOf();
		await next.take(FOX);
		await run.purchases.bought(OWL, resultOf('owl'));
		await run.purchases.end('stopped');
		await next.purchases.end('delivered');

		expect(await runOf().take(OWL)).toStrictEqual(['owl']);
	});

	it('is not taken for a file just because neither of the two can be read', async () => {
		const unreadable = (name: string) => ({
			...jobWithFile(async () => await Promise.reject(new Error('Gone'))),
			label: name,
		});
		const run = runOf();
		await run.buy(unreadable('a.png'), resultOf('a'));
		run.stop();

		expect(await runOf().take(unreadable('b.png'))).toStrictEqual([undefined]);
	});

	it('belongs to its execution if that is retried, and to one of its equal jobs', async () => {
		const store = {};
		await (await stopped([OWL], { store, retryOnFail: false })).purchases.end('stopped');
		const retry = runOf({ store: afterStorage(store) });
		const equal = { ...OWL, keys: ['0.another owl'] };
		expect(await retry.take(equal, OWL)).toStrictEqual([undefined, 'A fox Owl']);
		await retry.purchases.end('delivered');

		expect(await runOf().take(OWL)).toStrictEqual([undefined]);
	});

	it('is given to one job only, even if two rows have it', async () => {
		await stopped([OWL]);
		// Another process may have added a row of its own.
		await stopped([OWL]);
		const equal = { ...OWL, keys: ['0.another owl'] };

		expect(await runOf().take(OWL, equal)).toStrictEqual(['A fox Owl', undefined]);
	});

	it('includes what Retry took from an execution before a restart of n8n', async () => {
		const retry = runOf({ store: { finishedJobs: [['0.Owl', resultOf('before')]] } });
		expect(await retry.take(OWL)).toStrictEqual(['before']);
		retry.stop();

		expect(await runOf().take(OWL)).toStrictEqual(['before']);
	});

	it('includes of many images that Retry took only the latest 1,000, so no other file is read', async () => {
		const open = jest.fn(bytes('one'));
		const jobs = Array.from({ length: 1001 }, (_, item) => ({
			...jobWithFile(open),
			keys: [`0.${item}`],
		}));
		const finishedJobs = jobs.map(({ keys }) => [keys[0], resultOf(keys[0] ?? '')]);
		const retry = runOf({ store: { finishedJobs } });

		expect(new Set(await retry.take(...jobs)).size).toBe(1001);
		expect(open).toHaveBeenCalledTimes(1000);
	});

	it('is looked for with one open file at a time', async () => {
		let open = 0;
		let most = 0;
		const counted = async () => {
			most = Math.max(most, ++open);
			await new Promise(setImmediate);
			open--;
			return await bytes('one')();
		};
		await runOf().buy(OWL, resultOf('an owl'));
		await runOf({ reuses: true }).recall(...Array.from({ length: 5 }, () => jobWithFile(counted)));

		expect(most).toBe(1);
	});

	it('is recognized by the bytes of its file, which are read only if something may be found', async () => {
		const open = jest.fn(bytes('one'));
		await runOf().buy(OWL, resultOf('of a run that goes on'));
		expect(await runOf().take(jobWithFile(open))).toStrictEqual([undefined]);
		expect(open).not.toHaveBeenCalled();

		const run = runOf();
		await run.buy(jobWithFile(open), resultOf('one'));
		run.stop();
		const unreadable = jobWithFile(async () => await Promise.reject(new Error('Gone')));
		const other = jobWithFile(bytes('two'));
		const taken = await runOf().take(unreadable, other, jobWithFile(bytes('one')));
		expect(taken).toStrictEqual([undefined, undefined, 'one']);
	});

	it('is taken over for an address within ten minutes, and told after that', async () => {
		jest.useFakeTimers({ doNotFake: ['performance'] });
		const job = jobFor('an address', {
			request: { model: 'background-remover', textParts: { image: 'https://example.com/a.jpg' } },
		});
		const run = runOf();
		await run.buy(job, resultOf('a'));
		await run.buy(OWL, resultOf('owl'));
		run.stop();
		jest.setSystemTime(Date.now() + 10 * 60_000);
		expect((await runOf().recall(job)).known.size).toBe(1);
		jest.setSystemTime(Date.now() + 1);
		const { known, leftOver } = await runOf().recall(job, OWL);

		expect([...known.keys()]).toStrictEqual([OWL]);
		expect(leftOver.map(({ result }) => result?.id)).toStrictEqual(['a']);
		expect(await runOf({ reuses: true }).take(job)).toStrictEqual(['a']);
	});

	it('is kept for a day', async () => {
		jest.useFakeTimers({ doNotFake: ['performance'] });
		await stopped([OWL]);
		jest.setSystemTime(Date.now() + 24 * 3_600_000);
		expect((await runOf().recall(OWL)).known.size).toBe(1);
		jest.setSystemTime(Date.now() + 1);

		expect((await runOf().recall(OWL)).known.size).toBe(0);
	});

	it('is kept up to 1,000 purchases, the latest', async () => {
		const run = runOf();
		const jobs = Array.from({ length: 1001 }, (_, index) => jobFor(`Job-${index}`));
		for (const [index, job] of jobs.entries()) await run.buy(job, resultOf(String(index)));
		run.stop();

		expect((await runOf().take(...jobs)).slice(0, 3)).toStrictEqual([undefined, '1', '2']);
	});

	const over = new AbortController();
	over.abort();

	it.each<[who: string, run: Parameters<typeof runOf>[0]]>([
		['another account', { account: 'another' }],
		['another workflow', { workflow: 'another' }],
		['another node', { node: 'another' }],
		['an agent’s tool, which repeats requests on purpose', { isTool: true, reuses: true }],
		['a run that is stopped itself', { stop: over, reuses: true }],
	])('is unknown to %s', async (_who, run) => {
		await stopped([OWL]);
		const { known, leftOver } = await runOf(run).recall(OWL);

		expect([known.size, leftOver]).toStrictEqual([0, []]);
	});

	it('is kept by its id and link if it is very long', async () => {
		const store = {};
		const run = runOf({ store });
		const base = { ...resultOf('long'), note: '' };
		const note = 'x'.repeat(10_000 - JSON.stringify(base).length);
		await run.buy(OWL, { ...base, note });
		await run.buy(FOX, { ...base, output_url: `${base.output_url}2`, note });
		const bear = jobFor('Bear');
		await run.buy(bear, { ...resultOf('bear'), id: [note, note] });
		run.stop();

		for (const next of [runOf(), runOf({ store: afterStorage(store) })]) {
			const { known } = await next.recall(OWL, FOX, bear);
			expect([...known.values()].map(({ outcome }) => outcome)).toStrictEqual([
				{ value: { ...base, note } },
				{ value: { id: 'long', output_url: `${base.output_url}2` } },
				{ value: { output_url: 'https://example.com/bear' } },
			]);
		}
	});

	const edited = ['', '{', 'null', '{ "id": "an owl" }'];

	it.each(edited)('is known by its link if its result was edited to %j', async (result) => {
		await stopped([OWL]);
		await processTable.change([{ which: { job: '0.Owl' }, set: { result } }]);
		const { known } = await runOf().recall(OWL);

		const output_url = 'https://example.com/A fox Owl';
		expect(known.get(OWL)?.outcome).toStrictEqual({ value: { output_url } });
	});
});

it('what an attempt bought is left to Retry, once, if the last one can’t even begin', async () => {
	const store = {};
	const run = runOf({ store });
	await run.buy(OWL, resultOf('owl'));
	run.memory.end(false);
	await run.purchases.end('continued');
	run.record.attemptsLeft = 0;
	abandon(thisProcess, run.record);
	await Promise.resolve();

	const retry = runOf({ store: afterStorage(store) });
	expect(await retry.take(OWL)).toStrictEqual(['owl']);
	await retry.purchases.end('delivered');
	expect(await runOf().take(OWL)).toStrictEqual([undefined]);
});

it('a request is not told if it was definitely not charged, or if its run goes on', async () => {
	const run = await stopped([FOX]);
	await run.purchases.send(OWL);
	run.purchases.notCharged(OWL);
	await runOf().purchases.send(OWL);

	const { leftOver } = await runOf().recall(OWL);
	expect(leftOver.map(({ result }) => result?.id)).toStrictEqual(['A fox Fox']);
});

it('a request of a sub-workflow that may have been charged is not sent again within the same parent execution', async () => {
	const first = runOf({ parentId: '7', retryOnFail: false });
	await first.purchases.send(OWL);
	await first.purchases.end('not retryable');

	const again = await runOf({ parentId: '7', retryOnFail: false }).recall(OWL);
	const retried = await runOf({ parentId: '8', retryOnFail: false }).recall(OWL);
	expect(again.known.get(OWL)?.outcome).toMatchObject({ failure: { kind: 'interrupted' } });
	expect(retried.known.size).toBe(0);
});

it('what an earlier run delivered gives way to what a stopped run has not', async () => {
	const run = runOf();
	await run.buy(OWL, resultOf('owl'));
	await run.purchases.end('delivered');
	await stopped([OWL]);

	expect(await runOf({ reuses: true }).take(OWL)).toStrictEqual(['A fox Owl']);
});

it('the rounds of a loop leave one listener on the execution’s signal, because Node 20 warns about more than ten', async () => {
	const store = {};
	const stop = new AbortController();
	for (let round = 0; round < 12; round++) {
		const run = runOf({ store, stop, name: String(round) });
		await run.buy(OWL, resultOf(`owl ${round}`));
		await run.purchases.end('delivered');
	}

	expect(getEventListeners(stop.signal, 'abort').length).toBeLessThanOrEqual(1);
});
