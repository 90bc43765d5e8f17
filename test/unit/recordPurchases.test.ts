import type { IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../../nodes/ImageGeneration/failures/failures';
import { openExecutionMemory } from '../../nodes/ImageGeneration/recall/executionMemory';
import { NodeProcess } from '../../nodes/ImageGeneration/recall/leases';
import { processTable } from '../../nodes/ImageGeneration/recall/processTable';
import type { PurchaseTable } from '../../nodes/ImageGeneration/recall/purchaseTable';
import { recall, takeOver } from '../../nodes/ImageGeneration/recall/recall';
import { RecordedRun } from '../../nodes/ImageGeneration/recall/recordingRun';
import { recordPurchases } from '../../nodes/ImageGeneration/recall/recordPurchases';
import type { Job } from '../../nodes/ImageGeneration/types';
import { FOX, OWL, resultOf, shown } from '../support/jobs';

describe('with a table that', () => {
	const processNamed = (name: string): NodeProcess => {
		const wait = async () => await new Promise<void>(() => {});
		return Object.assign(new NodeProcess(name), { now: () => 0, wait });
	};
	const processOfTest = processNamed('p');

	/** Records a run in the table of this process, parts of which are replaced. */
	function runWith(
		table: Partial<PurchaseTable>,
		execution: string,
		process = processOfTest,
		run = new RecordedRun(`${process.name}.${execution}`),
	) {
		const missing: string[] = [];
		const stop = new AbortController();
		const { signal } = stop;
		const purchases = recordPurchases({
			...{ table: { ...processTable, ...table }, run },
			...{ process, repeats: process !== processOfTest, signal },
			place: { operation: 'generate', workflow: '', node: 'a node', execution },
			onMissing: (label) => missing.push(label ?? 'how it ended'),
		});
		const context = { getContext: () => ({}), getNode: () => ({}) };
		const memory = openExecutionMemory(context as unknown as IExecuteFunctions, '0');
		const take = async (jobs = [FOX, OWL]) => {
			const taking = { isManual: false, isTool: false, memory, purchases, signal };
			const recalled = await recall({ ...taking, reuse: 'never' }, jobs);
			const taken = await settle(takeOver(taking, recalled));
			if ('failure' in taken) return 'failed';
			return jobs.map((job) => shown(recalled.known.get(job)?.outcome));
		};
		const buy = async (job: Job) => {
			await purchases.send(job);
			await purchases.bought(job, resultOf(job.request.fields.text ?? ''));
		};
		return { run, purchases, take, buy, missing, stop };
	}
	/** Writes images late, after so many times that fail. */
	const lateInsert = (failures: number): PurchaseTable['insert'] => {
		let left = failures;
		return async (row) => {
			await new Promise(setImmediate);
			if (row.link !== '' && left-- > 0) throw new Error('The table is full');
			await processTable.insert(row);
		};
	};
	const states = async () => (await processTable.read({})).map(({ state }) => state);

	beforeEach(async () => {
		await processTable.remove({});
	});

	it.each([false, true])(
		'does not answer, what it gave is taken over by the next attempt, or the next run if there is none: %s',
		async (isLastAttempt) => {
			const first = runWith({}, '1');
			await first.buy(FOX);
			await first.buy(OWL);
			await first.purchases.end('stopped');

			const pass: PurchaseTable['pass'] = async (all, change) => {
				await processTable.pass(all, change);
				throw new Error('The table did not answer');
			};
			const second = runWith({ pass }, '2');
			expect(await second.take()).toBe('failed');
			await second.purchases.end(isLastAttempt ? 'undelivered' : 'repeated');
			const next = isLastAttempt ? runWith({}, '3') : runWith({}, '2', processOfTest, second.run);

			expect(await next.take()).toStrictEqual(['Fox', 'Owl']);
		},
	);

	it.each([
		['takes it the second time', 1, ['delivered'], []],
		['does not take it', 2, [], ['Item 1, "A fox"']],
	])('does not take an image, it is written again: %s', async (_what, failures, rows, told) => {
		const run = runWith({ insert: lateInsert(failures) }, '1');
		await run.buy(OWL);
		await run.purchases.end('delivered');

		expect(await states()).toStrictEqual(rows);
		expect(run.missing).toStrictEqual(told);
		expect(run.run.hasWritten).toBe(false);
	});

	it('shows an image that the service no longer has, it is not told by the next attempt', async () => {
		const first = runWith({}, '1');
		await first.buy(FOX);
		await first.purchases.end('stopped');
		const second = runWith({}, '2');
		const [gone] = await second.purchases.find([FOX], false);
		if (gone === undefined) throw new Error('Nothing was found');
		await second.purchases.take([gone.row]);
		await second.purchases.forget(gone);
		await second.purchases.end('repeated');

		const next = runWith({}, '2', processOfTest, second.run);
		expect(await next.purchases.find([FOX], true)).toStrictEqual([]);
	});

	describe('has what a dead process left, and n8n gives its execution to another one,', () => {
		it('what is finished is kept, and what was sent is not sent again', async () => {
			const dead = runWith({}, '1', processNamed('dead'));
			await dead.buy(FOX);
			await dead.purchases.send(OWL);

			const again = runWith({}, '1', processNamed('alive'));
			expect(await again.take()).toStrictEqual(['Fox', 'n8n was ended in between']);
			await again.purchases.end('delivered');
			expect(await states()).toStrictEqual(['delivered', 'unclear']);
		});

		it('an image is known by any key of its job, even if there was an earlier request for it', async () => {
			const dead = runWith({}, '1', processNamed('dead'));
			await dead.purchases.send(FOX);
			await dead.buy({ ...FOX, keys: ['0.a', ...FOX.keys] });

			const again = runWith({}, '1', processNamed('alive'));
			expect(await again.take([{ ...OWL, keys: FOX.keys }])).toStrictEqual(['Fox']);
		});

		const ends = ['delivered', 'undelivered'] as const;

		it.each(ends)('an image stays if that process lives and its run ends as %s', async (how) => {
			const slow = runWith({}, '1', processNamed('slow'));
			await slow.buy(FOX);
			const pass: PurchaseTable['pass'] = async (all, change) => {
				await slow.purchases.end(how);
				return await processTable.pass(all, change);
			};
			const again = runWith({ pass }, '1', processNamed('alive'));

			expect(await again.take([FOX])).toStrictEqual([undefined]);
		});

		it('the next attempt has an image that the table gave without an answer', async () => {
			const dead = runWith({}, '1', processNamed('dead'));
			await dead.buy(FOX);
			const pass: PurchaseTable['pass'] = async (all, change) => {
				await processTable.pass(all, change);
				throw new Error('The table did not answer');
			};
			const alive = processNamed('alive');
			const again = runWith({ pass }, '1', alive);
			expect(await again.take()).toBe('failed');
			await again.purchases.end('repeated');

			expect(await runWith({}, '1', alive, again.run).take()).toStrictEqual(['Fox', undefined]);
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
			await processTable.update({}, { state });
			const retry = runWith({}, '2');
			await retry.purchases.adopt([[FOX, resultOf('Fox')]]);
			await retry.purchases.end('stopped');

			expect(await processTable.read({})).toMatchObject([
				isOwn ? { run: 'p.2', state: 'stopped' } : { run: 'p.1', state },
			]);
		},
	);

	it('does not take that an image was told while Stop is pressed, everything is told again', async () => {
		const first = runWith({}, '1');
		await first.buy(FOX);
		await first.buy(OWL);
		await first.purchases.end('stopped');
		const pass: PurchaseTable['pass'] = async (all, change) => {
			const passed = await processTable.pass(all, change);
			if (all.length === 0 || second.stop.signal.aborted) return passed;
			second.stop.abort();
			throw new Error('The table did not answer');
		};
		const second = runWith({ pass }, '2');
		await second.take([]);
		await second.purchases.end('delivered');

		expect(await states()).toStrictEqual(['stopped', 'stopped']);
	});

	it('has a request that was cut off beside a finished one for the same, the next run takes that', async () => {
		const run = runWith({ isShared: true }, '1');
		await run.purchases.send(FOX);
		await run.buy(FOX);
		await run.purchases.end('stopped');

		expect(await runWith({ isShared: true }, '2').take()).toStrictEqual(['Fox', undefined]);
	});

	it('does not take how a run ended, says so, and leaves its images to the next run', async () => {
		const close = async () => await Promise.reject(new Error('The table is full'));
		const run = runWith({ close }, '1');
		await run.buy(FOX);
		await run.buy(OWL);
		await run.purchases.end('delivered');

		expect(run.missing).toStrictEqual(['how it ended']);
		expect(await runWith({}, '2').take()).toStrictEqual(['Fox', 'Owl']);
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
		expect(await run.take()).toStrictEqual([undefined, undefined]);
		await run.buy(OWL);
		await run.purchases.end('delivered');
		expect(calls).toStrictEqual(['read', 'insert', 'insert', 'close']);
		expect(run.run.hasWritten).toBe(true);

		calls.length = 0;
		const idle = runWith({ isShared: true, ...table }, '2');
		await idle.take();
		await idle.purchases.end('delivered');
		expect(calls).toStrictEqual(['read']);
	});

	const ends = ['delivered', 'undelivered', 'stopped'] as const;

	it.each(ends)('has images of a run that ended as %s, only stopped ones are free', async (how) => {
		const run = runWith({}, '1');
		await run.buy(FOX);
		await run.purchases.end(how);

		expect(run.missing).toStrictEqual([]);
		expect(await states()).toStrictEqual([how]);
		const [taken] = await runWith({}, '2').take([FOX]);
		expect(taken).toBe(how === 'stopped' ? 'Fox' : undefined);
	});

	it('has a row for each request whose outcome is not known', async () => {
		const run = runWith({}, '1');
		await run.purchases.send(FOX);
		await run.buy(OWL);
		await run.purchases.end('delivered');

		expect(await states()).toStrictEqual(['delivered', 'unclear']);
	});

	it.each([
		['delivered', 1, [false, true]],
		['stopped', 1, []],
		['stopped', 0, []],
	] as const)(
		'writes late, is closed only once everything is in it: %s, %i failures',
		async (how, failures, wasWhole) => {
			const closed: boolean[] = [];
			const close: PurchaseTable['close'] = async (run, state, isWhole) => {
				await new Promise(setImmediate);
				closed.push(isWhole());
				if (isWhole()) await processTable.close(run, state, isWhole);
			};
			const run = runWith({ isShared: true, insert: lateInsert(failures), close }, '1');
			await run.buy(OWL);
			await run.purchases.end(how);

			expect(closed).toStrictEqual(wasWhole);
			expect(await states()).toStrictEqual([how]);
		},
	);
});
