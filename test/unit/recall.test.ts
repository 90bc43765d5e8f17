import { getEventListeners } from 'node:events';

import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput, Failed } from '../../nodes/ImageGeneration/failures/failures';
import { settle, type Outcome } from '../../nodes/ImageGeneration/failures/outcome';
import { StreamedFile } from '../../nodes/ImageGeneration/images/streamedFile';
import { openExecutionMemory } from '../../nodes/ImageGeneration/recall/executionMemory';
import type { NodeProcess } from '../../nodes/ImageGeneration/recall/leases';
import { openPurchases } from '../../nodes/ImageGeneration/recall/openPurchases';
import { processTable } from '../../nodes/ImageGeneration/recall/processTable';
import type { PurchaseTable } from '../../nodes/ImageGeneration/recall/purchaseTable';
import {
	recall,
	takeOver,
	tellAll,
	type RecallingRun,
} from '../../nodes/ImageGeneration/recall/recall';
import { noRows, type RunRows } from '../../nodes/ImageGeneration/recall/recordingRun';
import { recordPurchases } from '../../nodes/ImageGeneration/recall/recordPurchases';
import type { Job, JobResult } from '../../nodes/ImageGeneration/types';
import { jobWith } from '../support/jobs';

interface RunInput {
	/** The node's context in its execution. */
	store?: object;
	node?: string;
	workflow?: string;
	account?: string;
	mode?: string;
	name?: string;
	reuse?: RecallingRun['reuse'];
	isTool?: boolean;
	retryOnFail?: boolean;
	maxTries?: number | undefined;
	/** Stops the execution when aborted. */
	stop?: AbortController;
}

const executions = new WeakMap<object, string>();
let lastExecution = 0;

function executionOf(store: object): string {
	const execution = executions.get(store) ?? String(++lastExecution);
	executions.set(store, execution);
	return execution;
}

let nodes = 0;
let node = '';

beforeEach(() => {
	node = `node ${++nodes}`;
});
afterEach(() => {
	jest.useRealTimers();
});

/** A run of the node, which is alone in its execution unless `store` is given. */
function runOf({
	store = {},
	node: id = node,
	workflow = 'a workflow',
	account = 'an account',
	mode = 'trigger',
	name = '0',
	reuse = 'never',
	isTool = false,
	retryOnFail = true,
	maxTries,
	stop = new AbortController(),
}: RunInput = {}) {
	const context = {
		getContext: () => store,
		getExecutionId: () => executionOf(store),
		getMode: () => mode,
		getNode: () => ({ id, retryOnFail, maxTries, parameters: { operation: 'generate' } }),
		getWorkflow: () => ({ id: workflow }),
	} as unknown as IExecuteFunctions;
	const { signal } = stop;
	const memory = openExecutionMemory(context, name);
	const running = { context, name, isTool, service: { account }, signal };
	const purchases = openPurchases(running, '', () => {});
	const run: RecallingRun = { context, isTool, memory, purchases, reuse, signal };
	return {
		memory,
		purchases,
		stop: () => {
			stop.abort();
		},
		recall: async (...jobs: Parameters<typeof recall>[1]) => await recall(run, jobs),
		/** Recalls the jobs, takes what is known and returns its links, or what else is known. */
		take: async (...jobs: Parameters<typeof recall>[1]) => {
			const recalled = await recall(run, jobs);
			await takeOver(run, recalled);
			return jobs.map((job) => shown(recalled.known.get(job)?.outcome));
		},
		/** Buys a job. */
		buy: async (job: Job, result: JobResult) => {
			memory.add(job, { value: result });
			await (await purchases.send(job)).bought(result);
		},
	};
}

function shown(outcome: Outcome<JobResult> | undefined) {
	if (outcome === undefined) return undefined;
	return 'value' in outcome ? outcome.value.id : new Failed(outcome.failure).message;
}

const jobFor = (text: string, more: Partial<Job> = {}): Job =>
	jobWith({ keys: [`0.${text}`], request: { model: 'text2img', fields: { text } }, ...more });

const jobWithFile = (open: () => Promise<Uint8Array[]>): Job =>
	jobFor('a file', {
		request: {
			model: 'background-remover',
			fields: {},
			file: new StreamedFile('photo.png', 'image/png', 3, open),
		},
	});
const bytes = (text: string) => async () => await Promise.resolve([Buffer.from(text)]);

const addressJob = (image: string): Job =>
	jobFor(image, { request: { model: 'background-remover', fields: { image } } });

const resultOf = (id: string): JobResult => ({ id, output_url: `https://example.com/${id}` });

/** A run that bought these jobs, each with its text as its id, and was stopped before it output them. */
async function stopped(jobs: Job[], input: RunInput = {}) {
	const run = runOf(input);
	for (const job of jobs) await run.buy(job, resultOf(`${job.label} ${job.request.fields.text}`));
	run.stop();
	return run;
}

const OWL = jobFor('Owl');
const FOX = jobFor('Fox');

describe('what an attempt bought', () => {
	it('is known to the next one, also after n8n stored the execution', async () => {
		const store = {};
		await runOf({ store }).buy(OWL, resultOf('owl'));
		runOf({ store }).memory.end(false);
		const stored = JSON.parse(JSON.stringify(store)) as object;

		expect(await runOf({ store: stored }).take(OWL, FOX)).toEqual(['owl', undefined]);
		expect(await runOf().take(OWL)).toStrictEqual([undefined]);
	});

	it('is known to the next attempt in this process, with its image', async () => {
		const store = {};
		const first = runOf({ store });
		await first.buy(OWL, resultOf('owl'));
		first.memory.addImage(OWL, { data: '', mimeType: 'image/png' });
		first.memory.end(false);
		const second = runOf({ store });

		expect(second.memory.isEmpty()).toBe(false);
		expect(second.memory.imageOf(OWL)).toBeUndefined();
		expect(await second.take(OWL)).toEqual(['owl']);
		expect(second.memory.imageOf(OWL)).toEqual({ data: '', mimeType: 'image/png' });
	});

	it('is kept without its image if no other attempt follows by itself', async () => {
		const run = runOf({ retryOnFail: false });
		await run.buy(OWL, resultOf('owl'));
		run.memory.addImage(OWL, { data: '', mimeType: 'image/png' });

		expect(run.memory.outcomeOf(OWL)).toEqual({ value: resultOf('owl') });
		expect(run.memory.imageOf(OWL)).toBeUndefined();
	});

	// As n8n counts them (2.40.3, 1.123.81).
	it.each([
		[undefined, 3],
		[1, 2],
		[4, 4],
		[9, 5],
	])('is free for Retry once there is no other attempt: of %s after %i', async (maxTries, last) => {
		const store = {};
		const states: string[] = [];
		for (let attempt = 1; attempt <= last; attempt++) {
			const run = runOf({ store, maxTries });
			if (attempt === 1) await run.buy(OWL, resultOf('owl'));
			await run.purchases.end('failed');
			const execution = ['execution', 'eq', executionOf(store)] as const;
			states.push(...(await processTable.read({ all: [execution] })).map(({ state }) => state));
		}

		expect(states).toEqual([...Array<string>(last - 1).fill('bought'), 'undelivered']);
	});

	it('is known by any of its keys, the first one first', async () => {
		const store = {};
		const first = runOf({ store });
		await first.buy(jobFor('', { keys: ['0.a?1', '0.a'] }), resultOf('one'));
		await first.buy(jobFor('', { keys: ['0.a?2'] }), resultOf('two'));
		first.memory.end(false);
		const jobs = [['0.a?2', '0.a'], ['0.a?3', '0.a'], ['0.a?4']].map((keys) =>
			jobFor('', { keys }),
		);

		const stored = JSON.parse(JSON.stringify(store)) as object;
		for (const known of [store, stored]) {
			expect(await runOf({ store: known }).take(...jobs)).toEqual(['two', 'one', undefined]);
		}
	});

	it('goes to the nth of equal jobs, as the nth', async () => {
		const store = {};
		const first = runOf({ store });
		const equal = () => jobFor('Twins');
		for (const id of ['one', 'two']) await first.buy(equal(), resultOf(id));
		first.memory.end(false);

		expect(await runOf({ store }).take(equal(), equal(), equal())).toEqual([
			'one',
			'two',
			undefined,
		]);
	});

	it('includes a failure that may have been charged, if only Retry On Fail starts the next one', async () => {
		for (const retryOnFail of [true, false]) {
			const store = {};
			const first = runOf({ store, retryOnFail });
			first.memory.add(OWL, { failure: { kind: 'interrupted', message: 'Cut off' } });
			first.memory.end(false);

			expect(store).toEqual({});
			expect(await runOf({ store }).take(OWL)).toEqual([retryOnFail ? 'Cut off' : undefined]);
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
		expect(await runOf({ store }).take(OWL, jobFor('Owl'))).toEqual(['other', undefined]);

		const last = runOf({ store: JSON.parse(JSON.stringify(store)) as object });
		await last.take(OWL);
		last.memory.end(true);
		expect(last.memory.isEmpty()).toBe(true);
	});

	it('is not taken from a run that is still going on', async () => {
		const store = {};
		await runOf({ store }).buy(OWL, resultOf('owl'));

		expect(await runOf({ store }).take(OWL)).toStrictEqual([undefined]);
	});

	it('is not told again if its outcome is not known and the run has said so', async () => {
		const run = runOf({ retryOnFail: false });
		await run.purchases.send(OWL);
		await run.purchases.end('failed');

		expect((await runOf().recall()).unclaimed).toEqual([]);
	});

	it('is told if the next one does not ask for it, and then forgotten', async () => {
		const store: { finishedJobs?: unknown } = {};
		const first = runOf({ store });
		for (const job of [OWL, FOX, jobFor('Owl', { keys: ['1.Owl'] })]) {
			await first.buy(job, resultOf(job.keys[0] ?? ''));
		}
		first.memory.end(false);
		const second = runOf({ store });
		await second.take(FOX);

		expect(second.memory.takeUnwanted()).toEqual([resultOf('0.Owl')]);
		expect(second.memory.takeUnwanted()).toEqual([]);
		expect(store.finishedJobs).toEqual([
			['0.Fox', resultOf('0.Fox')],
			['1.Owl', resultOf('1.Owl')],
		]);
	});

	it('is replaced if the job is bought again', async () => {
		const store = {};
		const first = runOf({ store });
		first.memory.add(FOX, { value: resultOf('fox') });
		first.memory.add(OWL, { value: resultOf('gone') });
		first.memory.add(OWL, { value: resultOf('new') });
		first.memory.end(false);
		const stored = JSON.parse(JSON.stringify(store)) as object;

		for (const known of [store, stored]) {
			const links = await runOf({ store: known }).take(OWL, jobFor('Owl'), FOX);
			expect(links).toEqual(['new', undefined, 'fox']);
		}
	});

	it('is known although other entries of the execution’s data are damaged', async () => {
		const damaged = ['0.Owl', null, [['0.Owl'], resultOf('a')], ['0.Owl', { id: 'b' }]];
		const finishedJobs = [...damaged, ['0.Owl', resultOf('owl')]];

		expect(await runOf({ store: { finishedJobs } }).take(OWL)).toEqual(['owl']);
	});
});

describe('what a stopped run bought', () => {
	it.each(['trigger', 'manual'])('is taken over once, by a %s run', async (mode) => {
		await stopped([OWL]);
		const next = runOf({ mode });
		expect(await next.take(OWL, jobFor('Owl'))).toEqual(['A fox Owl', undefined]);
		await next.purchases.end('delivered');

		expect(await runOf().take(OWL)).toStrictEqual([undefined]);
	});

	it.each(['delivered', 'failed'] as const)(
		'includes what a run bought that is stopped while it writes how it ended: %s',
		async (how) => {
			await stopped([FOX]);
			const run = runOf({ retryOnFail: false });
			const recalled = await run.recall(OWL);
			await run.buy(OWL, resultOf('owl'));
			tellAll(recalled);
			const ending = run.purchases.end(how);
			run.stop();
			await ending;

			const { unclaimed } = await runOf().recall();
			expect(unclaimed.map(({ result }) => result?.id)).toEqual(['A fox Fox', 'owl']);
			// What nobody was told of is told again.
			expect(unclaimed.map(({ isTold }) => isTold)).toEqual([false, false]);
			expect(await runOf().take(OWL)).toEqual(['owl']);
		},
	);

	it('is told once, even if that is before the stopped run has ended', async () => {
		const run = runOf();
		await run.buy(OWL, resultOf('owl'));
		await run.purchases.send(FOX);
		run.stop();
		const next = runOf();
		const recalled = await next.recall();
		expect(recalled.unclaimed.map(({ result }) => result?.id)).toEqual(['owl', undefined]);
		tellAll(recalled);
		await next.purchases.end('delivered');
		await run.purchases.end('stopped');

		const { unclaimed } = await runOf().recall();
		expect(unclaimed.filter(({ isTold }) => !isTold)).toEqual([]);
	});

	it('is taken by one of two runs that find it at the same time', async () => {
		await stopped([OWL]);
		const runs = [runOf(), runOf()];
		const taken = await Promise.all(runs.map(async (run) => await run.take(OWL)));

		expect(taken.flat().filter((id) => id !== undefined)).toEqual(['A fox Owl']);
	});

	it('is known to further attempts of the run that took it, and to the next run if that one is stopped as well', async () => {
		await stopped([OWL]);
		const execution = { store: {}, stop: new AbortController() };
		const second = runOf(execution);
		await second.take(OWL);
		second.memory.end(false);
		const third = runOf(execution);
		expect(await third.take(OWL)).toEqual(['A fox Owl']);
		third.stop();

		expect(await runOf().take(OWL)).toEqual(['A fox Owl']);
	});

	it('is left to others if this run only looks', async () => {
		await stopped([OWL]);
		await runOf().recall(OWL);

		expect(await runOf().take(OWL)).toEqual(['A fox Owl']);
	});

	it('stays after runs that ask for something else, which learn of it until one has told it', async () => {
		await stopped([OWL]);
		const unclaimed = async () => (await runOf().recall(FOX)).unclaimed;
		expect((await unclaimed()).map(({ result }) => result?.id)).toEqual(['A fox Owl']);
		const attempts = [runOf(), runOf({ store: {}, retryOnFail: true })];
		for (const [index, run] of attempts.entries()) {
			tellAll(await run.recall(FOX));
			await run.purchases.end(index === 0 ? 'failed' : 'delivered');
			expect((await unclaimed()).length).toBe(index === 0 ? 1 : 0);
		}
		expect(await runOf().take(OWL)).toEqual(['A fox Owl']);
	});

	it('is not what its delivered rounds bought', async () => {
		const execution = { store: {}, stop: new AbortController() };
		const round = runOf(execution);
		await round.buy(FOX, resultOf('fox'));
		await round.purchases.end('delivered');
		await stopped([OWL], { ...execution, name: '1' });
		const next = runOf();

		expect(await next.take(FOX, OWL)).toEqual([undefined, 'A fox Owl']);
	});

	it('includes what an execution bought that n8n stopped between two attempts', async () => {
		const stop = new AbortController();
		const store = {};
		const first = runOf({ store, stop });
		await first.buy(OWL, resultOf('owl'));
		first.memory.end(false);
		await first.purchases.end('failed');
		expect(await runOf().take(OWL)).toStrictEqual([undefined]);
		stop.abort();
		const next = runOf();
		expect(await next.take(OWL)).toEqual(['owl']);

		// n8n still starts the attempt after its wait.
		const late = runOf({ store, stop });
		expect(await late.take(OWL)).toEqual(['owl']);
		await late.purchases.end('stopped');
		await next.purchases.end('delivered');
		const { known, unclaimed } = await runOf().recall(OWL);
		expect([known.size, unclaimed]).toEqual([0, []]);
	});

	it('belongs to its execution if that is retried, and to one of its equal jobs', async () => {
		const store = {};
		await (await stopped([OWL], { store, retryOnFail: false })).purchases.end('stopped');
		const retry = runOf({ store: JSON.parse(JSON.stringify(store)) as object });
		const equal = { ...OWL, keys: ['0.another owl'] };
		expect(await retry.take(equal, OWL)).toEqual([undefined, 'A fox Owl']);
		await retry.purchases.end('delivered');

		expect(await runOf().take(OWL)).toStrictEqual([undefined]);
	});

	it('includes what Retry took from the failed execution', async () => {
		const store = {};
		const failed = runOf({ store, retryOnFail: false });
		await failed.buy(OWL, resultOf('owl'));
		await failed.purchases.end('failed');
		const retry = runOf({ store: JSON.parse(JSON.stringify(store)) as object });
		expect(await retry.take(OWL)).toEqual(['owl']);
		retry.stop();

		expect(await runOf().take(OWL)).toEqual(['owl']);
	});

	it('includes what Retry took from an execution before a restart of n8n', async () => {
		const retry = runOf({ store: { finishedJobs: [['0.Owl', resultOf('before')]] } });
		expect(await retry.take(OWL)).toEqual(['before']);
		retry.stop();

		expect(await runOf().take(OWL)).toEqual(['before']);
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
		const next = runOf();
		expect(await next.take(unreadable, jobWithFile(bytes('two')))).toEqual([undefined, undefined]);
		expect(await next.take(jobWithFile(bytes('one')))).toEqual(['one']);
	});

	it('is taken over for an address within ten minutes, and told after that', async () => {
		jest.useFakeTimers({ doNotFake: ['performance'] });
		const job = addressJob('https://example.com/a.jpg');
		const run = runOf();
		await run.buy(job, resultOf('a'));
		await run.buy(OWL, resultOf('owl'));
		run.stop();
		jest.setSystemTime(Date.now() + 10 * 60_000);
		expect((await runOf().recall(job)).known.size).toBe(1);
		jest.setSystemTime(Date.now() + 1);
		const { known, unclaimed, repeated } = await runOf({ mode: 'manual' }).recall(job, OWL);

		expect([...known.keys()]).toEqual([OWL]);
		expect(unclaimed.map(({ result }) => result?.id)).toEqual(['a']);
		expect(repeated.size).toBe(0);
		expect(await runOf({ reuse: 'always' }).take(job)).toEqual(['a']);
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

		expect((await runOf().take(...jobs)).slice(0, 3)).toEqual([undefined, '1', '2']);
	});

	it.each<[string, RunInput]>([
		['account', { account: 'another' }],
		['workflow', { workflow: 'another' }],
		['node', { node: 'another' }],
	])('is unknown to another %s', async (_what, place) => {
		await stopped([OWL]);
		const { known, unclaimed } = await runOf(place).recall(OWL);

		expect([known.size, unclaimed]).toEqual([0, []]);
	});

	it('is no business of an agent’s tool, which repeats requests on purpose', async () => {
		await stopped([OWL]);
		const { known, unclaimed } = await runOf({ isTool: true, reuse: 'always' }).recall(OWL);

		expect([known.size, unclaimed]).toEqual([0, []]);
	});

	it('is kept by its id and link if it is very long', async () => {
		const run = runOf();
		const base = { ...resultOf('long'), note: '' };
		const note = 'x'.repeat(10_000 - JSON.stringify(base).length);
		await run.buy(OWL, { ...base, note });
		await run.buy(FOX, { ...base, output_url: `${base.output_url}2`, note });
		const bear = jobFor('Bear');
		await run.buy(bear, { ...resultOf('bear'), id: [note, note] });
		run.stop();
		const { known } = await runOf().recall(OWL, FOX, bear);

		expect([...known.values()].map(({ outcome }) => outcome)).toEqual([
			{ value: { ...base, note } },
			{ value: { id: 'long', output_url: `${base.output_url}2` } },
			{ value: { output_url: 'https://example.com/bear' } },
		]);
	});

	it.each(['', '{', 'null', '{ "id": "an owl" }'])(
		'is known by its link if somebody has edited its result to %j',
		async (result) => {
			await stopped([OWL]);
			await processTable.update({ all: [['job', 'eq', '0.Owl']] }, { result });
			const { known } = await runOf().recall(OWL);

			const output_url = 'https://example.com/A fox Owl';
			expect(known.get(OWL)?.outcome).toEqual({ value: { output_url } });
		},
	);
});

describe('a request that Stop cut off', () => {
	it('is told with its label, and its job is bought again', async () => {
		const run = runOf();
		await run.purchases.send(jobFor('Owl', { itemIndex: 2 }));
		run.stop();
		const { known, unclaimed } = await runOf().recall(OWL);

		expect(known.size).toBe(0);
		expect(unclaimed).toMatchObject([{ label: 'Item 3, "A fox"', result: undefined }]);
	});

	it('is not told if it was definitely not charged, or if its run went on', async () => {
		const run = runOf();
		await (await run.purchases.send(OWL)).notCharged();
		await runOf().purchases.send(OWL);
		run.stop();

		expect((await runOf().recall(OWL)).unclaimed).toEqual([]);
	});
});

describe('what an earlier run delivered', () => {
	const delivered = async (...jobs: Job[]) => {
		const run = runOf();
		for (const job of jobs) await run.buy(job, resultOf(String(job.request.fields.text)));
		await run.purchases.end('delivered');
	};

	it.each<[RunInput, boolean]>([
		[{ reuse: 'always' }, true],
		[{ reuse: 'manualRuns', mode: 'manual' }, true],
		[{ reuse: 'manualRuns', mode: 'retry' }, false],
		[{ reuse: 'never', mode: 'manual' }, false],
	])('is reused by a run with %j: %s', async (input, isReused) => {
		await delivered(OWL);
		const { known, repeated } = await runOf(input).recall(OWL, jobFor('Owl'), FOX);

		expect([...known].map(([job, { from }]) => [job, from])).toEqual(
			isReused ? [[OWL, 'earlier run']] : [],
		);
		expect([...repeated]).toEqual(input.reuse === 'never' ? [OWL] : []);
	});

	it('is reused beside an item that is invalid', async () => {
		await delivered(OWL);
		const place = { itemIndex: 1, label: '', includesInput: false };
		const invalid = { ...place, problem: new BadInput('No prompt.', '').failure };

		expect(await runOf({ reuse: 'always' }).take(invalid, OWL)).toEqual([undefined, 'Owl']);
	});

	it('can be reused again and again', async () => {
		await delivered(OWL);
		const reuse = async () => await runOf({ reuse: 'always' }).take(OWL);

		expect([await reuse(), await reuse()]).toEqual([['Owl'], ['Owl']]);
	});

	it('is not what an earlier round of its own execution delivered', async () => {
		const store = {};
		const round = runOf({ store });
		await round.buy(OWL, resultOf('owl'));
		round.memory.end(true);
		await round.purchases.end('delivered');
		const next = runOf({ store, name: '1', reuse: 'always' });

		expect(await next.take({ ...OWL, keys: ['1.Owl'] })).toStrictEqual([undefined]);
	});

	it('gives way to what a stopped run has not delivered', async () => {
		await delivered(OWL);
		await stopped([OWL]);

		expect(await runOf({ reuse: 'always' }).take(OWL)).toEqual(['A fox Owl']);
	});
});

describe('with a table that', () => {
	const processOfTest: NodeProcess = { name: 'p', names: 0, live: new Map(), sightings: new Map() };

	/** Records a run in the table of this process, parts of which are replaced. */
	function runWith(
		table: Partial<PurchaseTable>,
		execution: string,
		rows: RunRows = noRows(),
		process = processOfTest,
	) {
		const missing: string[] = [];
		const clock = { now: () => 0, wait: async () => await new Promise<void>(() => {}) };
		const purchases = recordPurchases({
			...{ table: { ...processTable, ...table }, clock, rows, owner: node },
			...{ process, repeats: process !== processOfTest, signal: undefined },
			place: {
				operation: 'generate',
				workflow: '',
				execution,
				run: `${process.name}.${execution}`,
			},
			onMissing: (label) => missing.push(label ?? 'how it ended'),
		});
		const take = async (jobs = [FOX, OWL]) => {
			const context = { getMode: () => 'trigger' as const };
			const taking = { context, isTool: false, memory: runOf().memory, purchases };
			const recalled = await recall({ ...taking, reuse: 'never', signal: undefined }, jobs);
			const taken = await settle(takeOver(taking, recalled));
			if ('failure' in taken) return 'failed';
			tellAll(recalled);
			return jobs.map((job) => shown(recalled.known.get(job)?.outcome));
		};
		const buy = async (job: Job) => {
			await (await purchases.send(job)).bought(resultOf(job.request.fields.text ?? ''));
		};
		return { purchases, take, buy, missing };
	}
	const states = async () => (await processTable.read({ all: [] })).map(({ state }) => state);

	beforeEach(async () => {
		await processTable.remove(['id', 'neq', 0]);
	});

	it.each([false, true])(
		'does not answer, what it gave is taken over by the next attempt, or the next run if there is none: %s',
		async (isLastAttempt) => {
			const first = runWith({}, '1');
			await first.buy(FOX);
			await first.buy(OWL);
			await first.purchases.end('stopped');

			const pass: PurchaseTable['pass'] = async (row, change) => {
				const passed = await processTable.pass(row, change);
				if (row.link.endsWith('Fox')) return passed;
				throw new Error('The table did not answer');
			};
			const rows = { ...noRows(), isLastAttempt };
			const second = runWith({ pass }, '2', rows);
			expect(await second.take()).toBe('failed');
			await second.purchases.end('failed');
			const next = isLastAttempt ? runWith({}, '3') : runWith({}, '2', rows);

			expect(await next.take()).toEqual(['Fox', 'Owl']);
		},
	);

	it.each([
		['takes it the second time', 1, ['delivered'], []],
		['does not take it', 2, [], ['Item 1, "A fox"']],
	])('does not take an image, it is written again: %s', async (_what, failures, rows, told) => {
		let left = failures;
		const insert: PurchaseTable['insert'] = async (row) => {
			if (row.link !== '' && left-- > 0) throw new Error('The table is full');
			await processTable.insert(row);
		};
		const run = runWith({ insert }, '1');
		await run.buy(OWL);
		await run.purchases.end('delivered');

		expect(await states()).toEqual(rows);
		expect(run.missing).toEqual(told);
	});

	it('shows an image that the service no longer has, it is not told by the next attempt', async () => {
		const first = runWith({}, '1');
		await first.buy(FOX);
		await first.purchases.end('stopped');
		const rows = { ...noRows(), isLastAttempt: false };
		const second = runWith({}, '2', rows);
		const [gone] = await second.purchases.find([FOX], false);
		await gone?.take();
		await gone?.forget();
		await second.purchases.end('failed');

		expect(await runWith({}, '2', rows).purchases.find([FOX], true)).toEqual([]);
	});

	describe('has what a dead process left, and n8n gives its execution to another one,', () => {
		const processNamed = (name: string): NodeProcess => ({
			...{ name, names: 0, live: new Map(), sightings: new Map() },
		});

		it('what is finished is kept, and what was sent is not sent again', async () => {
			const dead = runWith({}, '1', noRows(), processNamed('dead'));
			await dead.buy(FOX);
			await dead.purchases.send(OWL);

			const again = runWith({}, '1', noRows(), processNamed('alive'));
			expect(await again.take()).toEqual(['Fox', 'n8n was ended in between']);
			await again.purchases.end('delivered');
			expect(await states()).toEqual(['delivered', 'unclear']);
		});

		it('an image is known by any key of its job', async () => {
			const dead = runWith({}, '1', noRows(), processNamed('dead'));
			await dead.buy({ ...FOX, keys: ['0.a', '0.b'] });

			const again = runWith({}, '1', noRows(), processNamed('alive'));
			expect(await again.take([{ ...OWL, keys: ['0.b'] }])).toEqual(['Fox']);
		});

		it('an image counts, not an earlier request for it', async () => {
			const dead = runWith({}, '1', noRows(), processNamed('dead'));
			await dead.purchases.send(FOX);
			await dead.buy(FOX);

			const again = runWith({}, '1', noRows(), processNamed('alive'));
			expect(await again.take()).toEqual(['Fox', undefined]);
		});

		it('an image that another execution has taken over stays there', async () => {
			const dead = runWith({}, '1', noRows(), processNamed('dead'));
			await dead.buy(FOX);
			await dead.purchases.end('stopped');
			const other = runWith({}, '2');
			expect(await other.take()).toEqual(['Fox', undefined]);
			await other.purchases.end('delivered');

			const again = runWith({}, '1', noRows(), processNamed('alive'));
			expect(await again.take()).toEqual([undefined, undefined]);
		});

		it('what this process asked for in an earlier attempt is no news', async () => {
			const alive = processNamed('alive');
			const rows = { ...noRows(), isLastAttempt: false };
			const first = runWith({}, '1', rows, alive);
			await first.purchases.send(FOX);
			await first.purchases.end('failed');

			expect(await runWith({}, '1', rows, alive).purchases.find([FOX], false)).toEqual([]);
		});

		it.each(['delivered', 'failed'] as const)(
			'an image stays where it is if that process lives after all and its run ends as %s',
			async (how) => {
				const slow = runWith({}, '1', noRows(), processNamed('slow'));
				await slow.buy(FOX);
				const pass: PurchaseTable['pass'] = async (row, change) => {
					await slow.purchases.end(how);
					return await processTable.pass(row, change);
				};
				const again = runWith({ pass }, '1', noRows(), processNamed('alive'));

				expect(await again.take([FOX])).toStrictEqual([undefined]);
			},
		);

		it('the next attempt has an image that the table gave without an answer', async () => {
			const dead = runWith({}, '1', noRows(), processNamed('dead'));
			await dead.buy(FOX);
			const pass: PurchaseTable['pass'] = async (row, change) => {
				await processTable.pass(row, change);
				throw new Error('The table did not answer');
			};
			const alive = processNamed('alive');
			const rows = { ...noRows(), isLastAttempt: false };
			const again = runWith({ pass }, '1', rows, alive);
			expect(await again.take()).toBe('failed');
			await again.purchases.end('failed');

			expect(await runWith({}, '1', rows, alive).take()).toEqual(['Fox', undefined]);
		});
	});

	it.each([
		['undelivered', true],
		['stopped', true],
		['reported', true],
		['bought', false],
		['delivered', false],
	] as const)(
		'has an image of the execution’s data as %s, it becomes the run’s own: %s',
		async (state, isOwn) => {
			await runWith({}, '1').buy(FOX);
			await processTable.update({ all: [] }, { state });
			const retry = runWith({}, '2');
			await retry.purchases.adopt([[FOX, resultOf('Fox')]]);
			await retry.purchases.end('stopped');

			expect(await processTable.read({ all: [] })).toMatchObject([
				isOwn ? { run: 'p.2', state: 'stopped' } : { run: 'p.1', state },
			]);
		},
	);

	it('has a request that was cut off beside a finished one for the same, the next run takes that', async () => {
		const run = runWith({ isShared: true }, '1');
		await run.purchases.send(FOX);
		await run.buy(FOX);
		await run.purchases.end('stopped');

		expect(await runWith({ isShared: true }, '2').take()).toEqual(['Fox', undefined]);
	});

	it('does not take how a run ended, says so, and leaves its images to the next run', async () => {
		const close = async () => await Promise.reject(new Error('The table is full'));
		const run = runWith({ close }, '1');
		await run.buy(FOX);
		await run.buy(OWL);
		await run.purchases.end('delivered');

		expect(run.missing).toEqual(['how it ended']);
		expect(await runWith({}, '2').take()).toEqual(['Fox', 'Owl']);
	});

	it('has a row for each step of a request, the one with the image counts, and the others go', async () => {
		const insert: PurchaseTable['insert'] = async (row) => {
			await processTable.insert({ ...row, entry: `${row.entry} ${row.state}` });
		};
		const read: PurchaseTable['read'] = async (filter) =>
			(await processTable.read(filter)).map((row) => ({
				...row,
				entry: row.entry.split(' ')[0] ?? '',
			}));
		const run = runWith({ insert, read }, '1');
		await run.buy(FOX);
		await run.purchases.end('stopped');
		expect(await states()).toEqual(['stopped', 'stopped']);

		expect(await runWith({ insert, read }, '2').take()).toEqual(['Fox', undefined]);
		expect(await states()).toEqual(['bought']);
	});

	it('is slow, is asked no more than it takes', async () => {
		const calls: string[] = [];
		const counted =
			(name: 'read' | 'insert' | 'close') =>
			async (...given: unknown[]) => {
				calls.push(name);
				return await (processTable[name] as (...all: unknown[]) => Promise<never>)(...given);
			};
		const table = { read: counted('read'), insert: counted('insert'), close: counted('close') };
		const run = runWith({ isShared: true, ...table }, '1');
		expect(await run.take()).toEqual([undefined, undefined]);
		await run.buy(OWL);
		await run.purchases.end('delivered');
		expect(calls).toEqual(['read', 'insert', 'insert', 'close']);

		calls.length = 0;
		const idle = runWith({ isShared: true, ...table }, '2');
		await idle.take();
		await idle.purchases.end('delivered');
		expect(calls).toEqual(['read']);
	});

	it.each(['delivered', 'undelivered', 'failed', 'stopped'] as const)(
		'has the images of a run that ended as %s, only those of a stopped one are free',
		async (how) => {
			const run = runWith({}, '1');
			await run.buy(FOX);
			await run.purchases.end(how);

			expect(run.missing).toEqual([]);
			expect(await states()).toEqual([how === 'failed' ? 'undelivered' : how]);
			expect(await runWith({}, '2').take([FOX])).toEqual([how === 'stopped' ? 'Fox' : undefined]);
		},
	);

	it('has a row for each request whose outcome is not known', async () => {
		const run = runWith({}, '1');
		await run.purchases.send(FOX);
		await run.buy(OWL);
		await run.purchases.end('delivered');

		expect(await states()).toEqual(['delivered', 'unclear']);
	});

	it('writes late, is closed only once everything is in it', async () => {
		for (const [how, failures] of [
			['delivered', 1],
			['stopped', 1],
			['stopped', 0],
		] as const) {
			let fails = failures > 0;
			const insert: PurchaseTable['insert'] = async (row) => {
				if (row.link === '') {
					await processTable.insert(row);
					return;
				}
				await new Promise(setImmediate);
				if (fails) {
					fails = false;
					throw new Error('The table is full');
				}
				await processTable.insert(row);
			};
			const closed: boolean[] = [];
			const close: PurchaseTable['close'] = async (run, state, isWhole) => {
				await new Promise(setImmediate);
				closed.push(isWhole());
				if (isWhole()) await processTable.close(run, state, isWhole);
			};
			const run = runWith({ isShared: true, insert, close }, how);
			await run.buy(OWL);
			await run.purchases.end(how);

			expect(closed).toEqual(how === 'delivered' ? [false, true] : []);
			expect(await states()).toEqual([how]);
			await processTable.remove(['id', 'neq', 0]);
		}
	});
});

it('after Stop a run recalls only what its own execution bought', async () => {
	await stopped([OWL]);
	const stop = new AbortController();
	stop.abort();

	expect(await runOf({ stop, reuse: 'always' }).take(OWL)).toStrictEqual([undefined]);
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
