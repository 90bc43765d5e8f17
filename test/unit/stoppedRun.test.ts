import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';

import type { OtherPurchase } from '../../nodes/ImageGeneration/recall/others/otherPurchase';
import { thisProcess } from '../../nodes/ImageGeneration/recall/process/process';
import { endRun } from '../../nodes/ImageGeneration/recall/runEnd';
import { newRun } from '../../nodes/ImageGeneration/recall/runRecord';
import { localTable } from '../../nodes/ImageGeneration/recall/table/localTable';
import type { Job } from '../../nodes/ImageGeneration/types';
import { FOX, jobFor, OWL, resultOf } from '../support/jobs';
import {
	afterStorage,
	executionState,
	recordingRun,
	stored,
	type Attempt,
} from '../support/recordingRun';

beforeEach(async () => {
	jest.useRealTimers();
	await localTable.remove((await localTable.read({})).map(({ id }) => id));
});

const jobWithFile = (open: () => Promise<Uint8Array[]>): Job =>
	jobFor('a file', {
		request: {
			model: 'background-remover',
			textParts: {},
			file: {
				name: 'photo.png',
				type: 'image/png',
				size: 3,
				start: '',
				isTrackingPixel: false,
				open,
				sha256: undefined,
			},
		},
	});
const bytes = (text: string) => async () => await Promise.resolve([Buffer.from(text)]);
const unreadable = async () => await Promise.reject(new Error('Gone'));

/** A run that bought these jobs, each with its text as its id, and was stopped before it output them. */
async function stopped(jobs: Job[], attempt: Attempt = {}) {
	const run = recordingRun(attempt);
	for (const job of jobs) await run.buy(job, resultOf(String(job.request.textParts.text)));
	run.stop();
	return run;
}

/** What a run tells of others: ids, or the label of a request without a result. */
const toldOf = (entries: readonly OtherPurchase[]) =>
	entries.map(({ result, row }) => result?.id ?? row.image);
const tell = async (attempt: Attempt = {}) => toldOf(await recordingRun(attempt).purchases.tell());

describe('what a stopped run bought', () => {
	it.each([false, true])('is taken over once, also by a run that reuses: %s', async (reuses) => {
		await stopped([OWL]);
		const next = recordingRun({ policy: { reuses } });
		expect((await next.recall([OWL])).known.get(OWL)?.from).toBe('stopped run');
		expect(await next.take(OWL, jobFor('Owl'))).toStrictEqual(['Owl', undefined]);
		expect(next.memory.recall(OWL)?.outcome).toStrictEqual({ value: resultOf('Owl') });
		await next.end('delivered');

		expect(await recordingRun().take(OWL)).toStrictEqual([undefined]);
	});

	it('is there at once, even if the stopped run has not ended yet', async () => {
		const run = await stopped([OWL]);
		expect(await recordingRun().take(OWL)).toStrictEqual(['Owl']);
		await run.end('stopped');

		expect(await recordingRun().take(OWL)).toStrictEqual([undefined]);
	});

	it.each(['delivered', 'failed'] as const)(
		'includes what a run bought that is stopped while it ends as %s',
		async (how) => {
			const run = recordingRun();
			await run.buy(OWL, resultOf('owl'));
			const ending = run.end(how);
			run.stop();
			await ending;

			expect(await recordingRun().take(OWL)).toStrictEqual(['owl']);
		},
	);

	it('includes what earlier runs of its execution delivered, as in a loop, because n8n drops that as well', async () => {
		const state = executionState();
		const common = { execution: 'a loop' };
		const first = recordingRun({ state, common });
		await first.buy(OWL, resultOf('owl'));
		await first.end('delivered');
		const other = recordingRun();
		await other.buy(FOX, resultOf('fox'));
		await other.end('delivered');
		const second = await stopped([], { state, common, name: '1' });
		await second.end('stopped');

		expect(await recordingRun().take(OWL, FOX)).toStrictEqual(['owl', undefined]);
	});

	it('includes what was delivered if Stop comes while a later node runs', async () => {
		const run = recordingRun();
		await run.buy(OWL, resultOf('owl'));
		await run.end('delivered');
		expect(await recordingRun().take(OWL)).toStrictEqual([undefined]);
		run.stop();
		await new Promise(setImmediate);

		expect(await recordingRun().take(OWL)).toStrictEqual(['owl']);
	});

	it('includes a result that comes after another run has looked what there is to tell', async () => {
		const run = recordingRun();
		await run.purchases.send(OWL);
		run.stop();
		expect(await tell()).toStrictEqual([]);
		await run.purchases.bought(OWL, resultOf('owl'));
		await run.end('stopped');

		expect(await recordingRun().take(OWL)).toStrictEqual(['owl']);
	});

	it('is not taken for a file just because neither of the two can be read', async () => {
		const run = recordingRun();
		await run.buy({ ...jobWithFile(unreadable), label: 'a.png' }, resultOf('a'));
		run.stop();

		const other = { ...jobWithFile(unreadable), label: 'b.png' };
		expect(await recordingRun().take(other)).toStrictEqual([undefined]);
	});

	it('belongs to its execution if that is retried, and to one of its equal jobs', async () => {
		const store = {};
		await (await stopped([OWL], { state: executionState(store) })).end('stopped');
		const retry = recordingRun({ state: executionState(afterStorage(store)) });
		const equal = { ...OWL, keys: ['0.another owl'] };
		expect(await retry.take(equal, OWL)).toStrictEqual([undefined, 'Owl']);
		await retry.end('delivered');

		expect(await recordingRun().take(OWL)).toStrictEqual([undefined]);
	});

	it('is given to one job only, even if two rows have it', async () => {
		await stopped([OWL]);
		// Another process may have added a row of its own.
		await stopped([OWL]);
		const equal = { ...OWL, keys: ['0.another owl'] };

		expect(await recordingRun().take(OWL, equal)).toStrictEqual(['Owl', undefined]);
	});

	it('includes what Retry took from an execution before a restart of n8n', async () => {
		const state = executionState({ finishedJobs: [['0.Owl', resultOf('before')]] });
		const retry = recordingRun({ state });
		expect(await retry.take(OWL)).toStrictEqual(['before']);
		retry.stop();

		expect(await recordingRun().take(OWL)).toStrictEqual(['before']);
	});

	it('includes of many images that Retry took only the latest 1,000, so no other file is read', async () => {
		const open = jest.fn(bytes('one'));
		const jobs = Array.from({ length: 1001 }, (_, item) => ({
			...jobWithFile(open),
			keys: [`0.${item}`],
		}));
		const finishedJobs = jobs.map(({ keys }) => [keys[0], resultOf(keys[0] ?? '')]);
		const retry = recordingRun({ state: executionState({ finishedJobs }) });

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
		await recordingRun().buy(OWL, resultOf('an owl'));
		await recordingRun().recall(Array.from({ length: 5 }, () => jobWithFile(counted)));

		expect(most).toBe(1);
	});

	it('is recognized by the bytes of its file, which are read only if something may be found', async () => {
		const open = jest.fn(bytes('one'));
		expect(await recordingRun().take(jobWithFile(open))).toStrictEqual([undefined]);
		expect(open).not.toHaveBeenCalled();

		const run = recordingRun();
		await run.buy(jobWithFile(open), resultOf('one'));
		run.stop();
		const jobs = [unreadable, bytes('two'), bytes('one')].map(jobWithFile);
		expect(await recordingRun().take(...jobs)).toStrictEqual([undefined, undefined, 'one']);
	});

	const photo = jobFor('an address', {
		request: { model: 'background-remover', textParts: { image: 'https://example.com/a.jpg' } },
	});

	it('is taken over for an address within ten minutes, after that only by Retry, and told', async () => {
		jest.useFakeTimers({ doNotFake: ['performance'] });
		const run = recordingRun();
		await run.buy(photo, resultOf('a'));
		await run.buy(OWL, resultOf('owl'));
		run.stop();
		await run.end('stopped');
		const isKnown = async (policy: Attempt['policy'] = {}) =>
			(await recordingRun({ policy }).recall([photo])).known.has(photo);
		jest.setSystemTime(Date.now() + 10 * 60_000);
		expect(await isKnown()).toBe(true);
		jest.setSystemTime(Date.now() + 1);
		expect(await isKnown()).toBe(false);
		expect(await isKnown({ isRetry: true })).toBe(true);
		expect(await isKnown({ reuses: true })).toBe(true);
		expect(await isKnown({ reuses: true, distrustsAddresses: true })).toBe(false);

		const next = recordingRun();
		expect(await next.take(photo, OWL)).toStrictEqual([undefined, 'owl']);
		expect(toldOf(await next.purchases.tell())).toStrictEqual(['a']);
	});

	it('is kept for a day', async () => {
		jest.useFakeTimers({ doNotFake: ['performance'] });
		await stopped([OWL]);
		jest.setSystemTime(Date.now() + 24 * 3_600_000);
		expect((await recordingRun().recall([OWL])).known.size).toBe(1);
		jest.setSystemTime(Date.now() + 1);

		expect((await recordingRun().recall([OWL])).known.size).toBe(0);
	});

	it('is kept up to 1,000 purchases, the latest', async () => {
		const jobs = Array.from({ length: 1001 }, (_, index) => jobFor(String(index)));
		await stopped(jobs);

		expect((await recordingRun().take(...jobs)).slice(0, 3)).toStrictEqual([undefined, '1', '2']);
	});

	const over = new AbortController();
	over.abort();

	it.each<[who: string, run: Attempt]>([
		['another node, workflow or account', { common: { node: 'another' } }],
		['an agent’s tool, which repeats requests on purpose', { isTool: true }],
		['a run that is stopped itself', { recording: { signal: over.signal } }],
	])('is unknown to %s', async (_who, run) => {
		await stopped([OWL]);

		expect((await recordingRun(run).recall([OWL])).known.size).toBe(0);
	});

	it('is kept by its id and link if it is very long', async () => {
		const run = recordingRun();
		await run.buy(OWL, { ...resultOf('long'), note: 'x'.repeat(10_000) });
		run.stop();

		expect((await recordingRun().recall([OWL])).known.get(OWL)?.outcome).toStrictEqual({
			value: resultOf('long'),
		});
	});

	it.each(['', '{', 'null', '{ "id": "an owl" }'])(
		'is known by its link if its result was edited to %j',
		async (result) => {
			await (await stopped([OWL])).end('stopped');
			await localTable.change([{ which: { node: 'a node' }, set: { result } }]);
			const { known } = await recordingRun().recall([OWL]);

			const output_url = 'https://example.com/Owl';
			expect(known.get(OWL)?.outcome).toStrictEqual({ value: { output_url } });
		},
	);
});

describe('what stopped runs bought and nobody asked for', () => {
	it('is told once, with the requests that may have been charged, when the run has ended', async () => {
		const run = await stopped([OWL]);
		await run.purchases.send(FOX);
		expect(await tell()).toStrictEqual([]);
		await run.end('stopped');

		expect(await tell()).toStrictEqual(['Owl', 'Item 1, "A fox"']);
		expect(await tell()).toStrictEqual([]);
	});

	it('is told by one of two runs', async () => {
		await (await stopped([OWL])).end('stopped');
		const [first, second] = await Promise.all([tell(), tell()]);

		expect([...first, ...second]).toStrictEqual(['Owl']);
	});

	it('stays for a run that asks for it, even after it was told', async () => {
		await (await stopped([OWL])).end('stopped');
		expect(await tell()).toStrictEqual(['Owl']);

		expect(await recordingRun().take(OWL)).toStrictEqual(['Owl']);
		expect(await tell()).toStrictEqual([]);
	});

	it('is not told of a run that goes on, or that this one took it from', async () => {
		await recordingRun().purchases.send(FOX);
		await stopped([OWL]);
		const next = recordingRun();
		await next.take(OWL);

		expect(toldOf(await next.purchases.tell())).toStrictEqual([]);
	});

	it('does not include a request that was definitely not charged', async () => {
		const run = recordingRun();
		await run.purchases.send(OWL);
		run.purchases.notCharged(OWL);
		run.stop();

		expect(await tell()).toStrictEqual([]);
	});

	it('does not include what the run itself said may have been charged', async () => {
		const run = recordingRun();
		await run.purchases.send(OWL);
		await run.end('delivered');

		expect(await tell()).toStrictEqual([]);
	});

	it('is not told if another node bought it', async () => {
		await stopped([OWL], { common: { node: 'another' } });

		expect(await tell()).toStrictEqual([]);
	});
});

describe('an attempt that n8n repeats', () => {
	/** The attempts of a run with Retry On Fail. */
	const repeated = () => {
		const record = newRun(thisProcess('a workflow'));
		const state = executionState();
		return () => recordingRun({ state, hasAttempts: true, recording: { record } });
	};

	it('leaves its images to the next one, and to no other run', async () => {
		const begin = repeated();
		const first = begin();
		await first.buy(OWL, resultOf('owl'));
		await first.end('continued');
		expect(await recordingRun().take(OWL)).toStrictEqual([undefined]);
		const second = begin();
		expect(await second.take(OWL)).toStrictEqual(['owl']);
		await second.end('delivered');

		expect(await recordingRun().take(OWL)).toStrictEqual([undefined]);
	});

	it('leaves them to whoever comes first if Stop is pressed before the next one', async () => {
		const first = repeated()();
		await first.buy(OWL, resultOf('owl'));
		await first.end('continued');
		first.stop();

		expect(await recordingRun().take(OWL)).toStrictEqual(['owl']);
	});

	it('leaves them to Retry, once, if the last one can’t even begin', async () => {
		const store = {};
		const record = newRun(thisProcess('a workflow'));
		const first = recordingRun({
			state: executionState(store),
			hasAttempts: true,
			recording: { record },
		});
		await first.buy(OWL, resultOf('owl'));
		await first.end('continued');
		assert(record.recording);
		await endRun(record.recording, 'stopped');

		const retry = recordingRun({ state: executionState(afterStorage(store)) });
		expect(await retry.take(OWL)).toStrictEqual(['owl']);
		await retry.end('delivered');
		expect(await recordingRun().take(OWL)).toStrictEqual([undefined]);
	});
});

describe('a sub-workflow that its caller repeats', () => {
	const called = (parent: string) => ({ common: { parent } });

	it('does not send again what may have been charged within the same parent execution', async () => {
		const first = recordingRun(called('7'));
		await first.purchases.send(OWL);
		await first.end('stopped');

		const again = await recordingRun(called('7')).recall([OWL]);
		expect(again.known.get(OWL)?.outcome).toMatchObject({ failure: { kind: 'interrupted' } });
		expect((await recordingRun(called('8')).recall([OWL])).known.size).toBe(0);
	});

	it('sends it again if n8n has stored that the caller went on, because then it is another round of a loop', async () => {
		const first = recordingRun(called('9'));
		await first.purchases.send(OWL);
		await first.end('stopped');
		const ended = (lastNodeEnd: number) => ({
			...called('9'),
			recording: { n8n: async () => await Promise.resolve(stored({ lastNodeEnd })) },
		});

		const repeated = await recordingRun(ended(Date.now() - 1000)).recall([OWL]);
		expect(repeated.known.has(OWL)).toBe(true);
		const nextRound = await recordingRun(ended(Date.now() + 1000)).recall([OWL]);
		expect(nextRound.known.has(OWL)).toBe(false);
	});

	it('takes what the first one bought, once', async () => {
		const first = recordingRun(called('7'));
		await first.buy(OWL, resultOf('owl'));
		await first.end('stopped');

		expect(await recordingRun(called('7')).take(OWL, jobFor('Owl'))).toStrictEqual([
			'owl',
			undefined,
		]);
	});
});

it('what an earlier run delivered gives way to what a stopped run has not', async () => {
	const run = recordingRun();
	await run.buy(OWL, resultOf('delivered'));
	await run.end('delivered');
	const other = recordingRun();
	await other.buy(OWL, resultOf('stopped'));
	other.stop();
	const last = recordingRun();
	await last.buy(OWL, resultOf('latest'));
	await last.end('delivered');

	expect(await recordingRun({ policy: { reuses: true } }).take(OWL)).toStrictEqual(['stopped']);
});

describe('a failed run', () => {
	const failed = async () => {
		const run = recordingRun();
		await run.buy(OWL, resultOf('owl'));
		await run.end('failed');
		return run;
	};

	it('leaves its images to the next run if n8n does not have its data', async () => {
		await failed();
		const n8n = async () => await Promise.resolve(undefined);

		expect(await recordingRun({ recording: { n8n } }).take(OWL)).toStrictEqual(['owl']);
	});

	it('leaves them to Retry if n8n has its data, and to a run that reuses', async () => {
		await failed();
		const links = [resultOf('owl').output_url];
		const n8n = async () => await Promise.resolve(stored({ isFailed: true, keptLinks: links }));

		expect(await recordingRun({ recording: { n8n } }).take(OWL)).toStrictEqual([undefined]);
		const reusing = { recording: { n8n }, policy: { reuses: true } };
		expect(await recordingRun(reusing).take(OWL)).toStrictEqual(['owl']);
	});
});

it('the rounds of a loop leave one listener on the execution’s signal, because Node 20 warns about more than ten', async () => {
	const state = executionState();
	const { signal } = new AbortController();
	for (let round = 0; round < 12; round++) {
		const run = recordingRun({ state, name: String(round), recording: { signal } });
		await run.buy(OWL, resultOf(`owl ${round}`));
		await run.end('delivered');
	}

	expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
});
