import { setMaxListeners } from 'node:events';

import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { Failed, settle, unwrap } from '../../nodes/ImageGeneration/failures/failures';
import {
	openExecutionMemory,
	type ExecutionMemory,
} from '../../nodes/ImageGeneration/recall/executionMemory';
import { NodeProcess } from '../../nodes/ImageGeneration/recall/leases';
import { matcher } from '../../nodes/ImageGeneration/recall/processTable';
import {
	asRead,
	type Which,
	type PurchaseRow,
	type PurchaseTable,
	type StoredRow,
} from '../../nodes/ImageGeneration/recall/purchaseTable';
import { recall, takeOver, type RecallingRun } from '../../nodes/ImageGeneration/recall/recall';
import { RecordedRun } from '../../nodes/ImageGeneration/recall/recordingRun';
import {
	recordPurchases,
	type Purchases,
} from '../../nodes/ImageGeneration/recall/recordPurchases';
import type { Job } from '../../nodes/ImageGeneration/types';
import type { ValueOf } from '../support/fuzz';
import { jobFor } from '../support/jobs';
import { seeded } from '../support/simulateRequests';

const run = fc.record({
	process: fc.integer({ min: 0, max: 3 }),
	at: fc.integer({ min: 0, max: 40_000 }),
	/** A new execution; the same one, given to another process; or Retry of a failed one. */
	kind: fc.constantFrom('new', 'new', 'same', 'retry'),
	/** Which earlier run `same` and `retry` refer to. */
	of: fc.nat(7),
	/** The requests, by number; equal numbers are equal requests. */
	requests: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 }),
	concurrency: fc.integer({ min: 1, max: 3 }),
	reuse: fc.constantFrom('never', 'never', 'always'),
	/** Pressed so long after the run began. */
	stopAfter: fc.option(fc.integer({ min: 0, max: 12_000 }), { nil: undefined, freq: 3 }),
	/** How many of its attempts fail at their end, as with a bad last item. */
	failing: fc.constantFrom(0, 1, 2),
	/** How often n8n tries a run that fails. */
	tries: fc.constantFrom(1, 1, 2),
	/** How often a loop of the workflow runs the node; each round is a run of its own. */
	rounds: fc.constantFrom(1, 1, 2),
	/** How long it stores its images in the end. */
	stores: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
});
export type RunPlan = ValueOf<typeof run>;

/** One random schedule. Times are in milliseconds. */
export const schedule = fc.record({
	seed: fc.integer(),
	/** How far each process's clock is off, and how fast it runs. */
	clocks: fc.array(
		fc.record({
			offset: fc.integer({ min: -1e8, max: 1e8 }),
			speed: fc.constantFrom(0.98, 1, 1.02),
		}),
		{ minLength: 1, maxLength: 4 },
	),
	runs: fc.array(run, { minLength: 2, maxLength: 8 }),
	/** Kills a process after so many events of the simulation, and starts it again. */
	kills: fc.array(
		fc.record({ process: fc.nat(3), afterEvents: fc.integer({ min: 0, max: 400 }) }),
		{ maxLength: 4 },
	),
	/** Share of the table's calls that report a failure, half of them after the change was made. */
	failures: fc.constantFrom(0, 0, 0.1, 0.3),
	/** Whether n8n gives the execution of a dead process to another one. */
	repeats: fc.boolean(),
	/** Longest time that a call of the table takes to arrive, and its answer to return. */
	latency: fc.constantFrom(5, 50, 400),
});
export type Schedule = ValueOf<typeof schedule>;

export interface Charge {
	request: number;
	run: SimulatedRun;
	job: string;
	link: string;
}

interface Process {
	facts: NodeProcess;
	isDead: boolean;
	inARow: number;
}

/** A run of the node, and what became of it. */
export class SimulatedRun {
	/** As in the table's rows. */
	name = '';

	foundIn: number | undefined;

	end: 'delivered' | 'failed' | 'stopped' | 'killed' | 'refused' | undefined;

	endedAt = Infinity;

	/** The images in its output. */
	readonly output: Array<{ request: number; job: string; link: string; from: string }> = [];

	told: string[] = [];

	/** Ids of rows that it may have taken over, as the table did not answer. Nobody needs to spare them. */
	readonly unknown = new Set<number>();

	/** Jobs whose requests had no clear outcome. */
	readonly unclear: string[] = [];

	/** Whether the node had its output ready when its process died. */
	isEnding = false;

	/** Whether the table does not show how it ended. */
	unmarked = false;

	recorded: RecordedRun | undefined;

	/** Counts from 0. */
	round = 0;

	store: Record<string, unknown> = {};

	/** Links that any of its attempts reused. */
	reused = new Set<string>();

	abort = new AbortController();

	constructor(
		readonly plan: RunPlan,
		readonly process: Process,
		readonly began: number,
		readonly execution: string,
	) {}
}

/** Asks for nothing. */
const QUIET: RunPlan = {
	process: 0,
	at: 0,
	kind: 'new',
	of: 0,
	requests: [],
	concurrency: 1,
	reuse: 'never',
	stopAfter: undefined,
	failing: 0,
	tries: 1,
	stores: 0,
	rounds: 1,
};

/** A world with its own time, a table, a service that charges, and n8n processes that die. */
export class LogSimulation {
	time = 0;

	readonly charges: Charge[] = [];

	readonly runs: SimulatedRun[] = [];

	readonly taken: Array<{ row: StoredRow; by: string; isFair: boolean }> = [];

	rows: StoredRow[] = [];

	/** In the order in which they happen. */
	#events: Array<{ at: number; process: Process | undefined; happen: () => void }> = [];

	/** Makes the names of processes and links different. */
	#count = 0;

	#nextId = 1;

	#failures: number;

	#processes: Process[];

	#random: () => number;

	constructor(readonly schedule: Schedule) {
		this.#failures = schedule.failures;
		this.#random = seeded(schedule.seed);
		this.#processes = schedule.clocks.map((_clock, index) => this.#start(index));
	}

	/** Runs the schedule, then two runs that ask for nothing, so that everything gets told. */
	async run(): Promise<void> {
		this.schedule.runs.forEach((plan) => {
			this.#at(plan.at, undefined, () => void this.#execute(plan));
		});
		const kills = [...this.schedule.kills].sort((a, b) => a.afterEvents - b.afterEvents);
		await this.#play(kills);
		this.#failures = 0;
		for (const at of [60_000, 80_000]) {
			this.#at(at, undefined, () => void this.#execute(QUIET));
			await this.#play([]);
		}
	}

	async #play(kills: Schedule['kills']): Promise<void> {
		let events = 0;
		for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
			while (kills[0] !== undefined && kills[0].afterEvents <= events) {
				this.#kill(kills.shift()?.process ?? 0);
			}
			this.time = event.at;
			if (event.process?.isDead === true) continue;
			event.happen();
			events++;
			// All promises that this event settles.
			await new Promise(setImmediate);
		}
	}

	#at(delay: number, process: Process | undefined, happen: () => void): void {
		const at = this.time + delay;
		const place = this.#events.findLastIndex((event) => event.at <= at) + 1;
		this.#events.splice(place, 0, { at, process, happen });
	}

	#start(index: number): Process {
		const { offset = 0, speed = 1 } = this.schedule.clocks[index] ?? {};
		const name = `p${index}x${this.#count++}`;
		const process: Process = {
			facts: Object.assign(new NodeProcess(name), {
				now: () => Math.round(offset + this.time * speed),
				wait: async (ms: number, signal?: AbortSignal) => {
					await new Promise<void>((resolve) => {
						if (signal?.aborted === true) resolve();
						onAbort(signal, resolve);
						this.#at(ms / speed, process, resolve);
					});
				},
			}),
			isDead: false,
			inARow: 0,
		};
		return process;
	}

	#kill(index: number): void {
		const process = this.#processes[index];
		if (process === undefined) return;
		process.isDead = true;
		for (const run of this.runs) {
			if (run.process !== process || run.end !== undefined) continue;
			run.end = 'killed';
			run.endedAt = this.time;
		}
		this.#processes[index] = this.#start(index);
	}

	#latency(): number {
		return 1 + this.#random() * this.schedule.latency;
	}

	/** One call of the table: it arrives, changes rows, and its answer returns, unless something dies. */
	async #call<T>(process: Process, ...changes: Array<() => T>): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			const fails = this.#random() < this.#failures && process.inARow < 1;
			process.inARow = fails ? process.inARow + 1 : 0;
			const isApplied = !fails || this.#random() < 0.5;
			let delay = 0;
			const results: T[] = [];
			for (const change of changes) {
				delay += this.#latency();
				this.#at(delay, undefined, () => {
					// What a process sent before it died may arrive all the same.
					if (isApplied && (!process.isDead || this.#random() < 0.5)) results.push(change());
				});
			}
			this.#at(delay + this.#latency(), process, () => {
				if (fails) reject(new Error('The table did not answer'));
				else resolve(results.flat() as T);
			});
		});
	}

	#table(run: SimulatedRun): PurchaseTable {
		const { process } = run;
		const now = () => new Date(1e12 + process.facts.now()).toISOString();
		const change = (which: Which, set: Partial<PurchaseRow>) => {
			const changed = this.rows.filter(matcher(which));
			return changed.map((row) => ({ ...Object.assign(row, set, { updatedAt: now() }) }));
		};
		const remove = (which: Which) => {
			this.rows = this.rows.filter((row) => !matcher(which)(row));
			return [];
		};
		const inserts: Array<Promise<unknown>> = [];
		return {
			isShared: true,
			mostRows: Infinity,
			insert: async (row) => {
				const inserted = this.#call(process, () => {
					// n8n lets the database date new rows, and its processes the changes (2.40.3).
					const at = new Date(1e12 + this.time).toISOString();
					this.rows.push({ ...row, id: this.#nextId++, createdAt: at, updatedAt: at });
					return [];
				});
				inserts.push(settle(inserted));
				await inserted;
			},
			read: async (which) =>
				await this.#call(process, () =>
					this.rows.filter(matcher(which)).map((row) => ({ ...row })),
				),
			find: async (column, values) =>
				await this.#call(process, () =>
					this.rows.filter((row) => values.includes(row[column])).map((row) => ({ ...row })),
				),
			update: async (which, set) =>
				await this.#call(process, () => {
					const changed = change(which, set);
					if (set.state === 'stopped') this.#noteGivingUp(changed, run);
					return changed;
				}),
			pass: async (all, set) => {
				if (all.length === 0) return [];
				for (const { id } of all) run.unknown.add(id);
				const passed = await this.#call(process, () => {
					const changed = all.filter((row) => change(asRead(row), set(row)).length > 0);
					const taken = changed.filter((row) => set(row).state === 'bought');
					for (const row of taken) this.#noteTaking(row, run);
					return changed;
				});
				for (const { id } of all) run.unknown.delete(id);
				return passed;
			},
			remove: async (which) => {
				await this.#call(process, () => remove(which));
			},
			close: async (name, state, isWhole) => {
				await Promise.all(inserts);
				await process.facts.wait(1);
				if (!isWhole()) return;
				await this.#call(
					process,
					() => remove({ run: name, state: 'sent' }),
					() => change({ run: name, state: 'bought' }, { state }),
				);
			},
		};
	}

	#noteTaking(row: StoredRow, by: SimulatedRun): void {
		const owner = this.runs.find(({ name }) => name === row.run);
		const isGivenUp = row.state === 'stopped' || row.state === 'reported';
		const isOver = owner === undefined || owner.end !== undefined || owner.abort.signal.aborted;
		const isUnknown = owner?.unknown.has(row.id) === true;
		const isFair = isGivenUp || isOver || isUnknown || by.execution === row.execution;
		this.taken.push({ row, by: by.execution, isFair });
	}

	/** Only its owner may give a row up. */
	#noteGivingUp(rows: readonly StoredRow[], by: SimulatedRun): void {
		const foreign = rows.filter((row) => row.run !== by.name);
		this.taken.push(...foreign.map((row) => ({ row, by: by.execution, isFair: false })));
	}

	/** @param last The round before. */
	async #execute(plan: RunPlan, last?: SimulatedRun): Promise<void> {
		const before = this.runs[plan.of % Math.max(1, this.runs.length)];
		const wasLast = (run: SimulatedRun) =>
			this.runs.filter(({ execution }) => execution === run.execution).at(-1) === run;
		// A queue takes half a minute to notice that a worker is gone. By then all that it sent has arrived.
		const isNoticed = before?.end === 'killed' && before.endedAt + 2000 < this.time;
		const isSame = this.schedule.repeats && plan.kind === 'same' && isNoticed && wasLast(before);
		// n8n 2.41.1 keeps the data of an execution that its timeout stopped.
		const isOver = before?.end === 'failed' || before?.end === 'stopped';
		const isRetry = plan.kind === 'retry' && isOver;
		const process = last?.process ?? this.#processes[plan.process % this.#processes.length];
		if (process === undefined) return;
		const { requests, reuse } = last === undefined && (isSame || isRetry) ? before.plan : plan;
		const asked = { ...plan, requests, reuse };
		const own = isSame ? before.execution : `x${this.runs.length + 1}`;
		const run = new SimulatedRun(asked, process, this.time, last?.execution ?? own);
		if (last !== undefined) {
			Object.assign(run, { round: last.round + 1, store: last.store, abort: last.abort });
		} else if (isRetry) {
			run.round = before.round;
			run.store = JSON.parse(JSON.stringify(before.store)) as SimulatedRun['store'];
			run.reused = new Set(before.reused);
		}
		this.runs.push(run);
		if (plan.stopAfter !== undefined && last === undefined) {
			this.#at(plan.stopAfter, process, () => {
				run.abort.abort();
			});
		}
		try {
			let attempt = 0;
			while (run.end === undefined) {
				if (attempt > 0) await process.facts.wait(1000 + this.#random() * 4000);
				await this.#attempt(run, ++attempt);
			}
		} catch {
			run.end = 'refused';
			run.endedAt = this.time;
		}
		const isLoop = run.round + 1 < plan.rounds && !run.abort.signal.aborted;
		if (run.end === 'delivered' && isLoop) await this.#execute(run.plan, run);
	}

	async #attempt(run: SimulatedRun, attempt: number): Promise<void> {
		const { plan, process, execution } = run;
		const { signal } = run.abort;
		const isLast = attempt === plan.tries;
		const failed = isLast ? 'undelivered' : 'repeated';
		const began = this.time;
		const memory = openExecutionMemory(
			{
				getContext: () => run.store,
				getNode: () => ({ retryOnFail: plan.tries > 1 }),
			} as unknown as IExecuteFunctions,
			String(run.round),
		);
		if (run.name === '') run.name = `${process.facts.name}.${this.#count++}.${execution}`;
		run.recorded ??= new RecordedRun(run.name);
		const purchases: Purchases = recordPurchases({
			table: this.#table(run),
			process: process.facts,
			place: { operation: 'generate', workflow: 'Simulation', node: 'a node', execution },
			run: run.recorded,
			repeats: this.schedule.repeats,
			signal,
			onMissing: (label) => {
				run.unmarked = true;
				if (label !== undefined) run.told.push(label);
			},
		});
		const jobs = plan.requests.map((request, itemIndex) => {
			const keys = [`${run.round}.${itemIndex}`];
			return jobFor(String(request), { keys, itemIndex, label: `request ${request}` });
		});
		const recalling = {
			context: { getMode: () => 'webhook' },
			...{ isTool: false, memory, purchases, reuse: plan.reuse, signal },
		} as unknown as RecallingRun;
		const begun = await settle(
			(async () => {
				const found = await recall(recalling, jobs);
				run.foundIn = Math.max(run.foundIn ?? 0, this.time - began);
				if (!signal.aborted) await takeOver({ memory, purchases }, found);
				return found;
			})(),
		);
		if ('failure' in begun) {
			memory.end(false);
			await purchases.end(failed);
			if (isLast) throw new Failed(begun.failure);
			return;
		}
		const recalled = begun.value;
		for (const { outcome, from } of recalled.known.values()) {
			if (from === 'earlier run') run.reused.add(unwrap(outcome).output_url);
		}
		const waiting = jobs.filter((job) => !recalled.known.has(job));
		const buyNext = async (): Promise<void> => {
			for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
				if (signal.aborted) return;
				await this.#buy(run, job, purchases, memory);
			}
		};
		await Promise.all(Array.from({ length: plan.concurrency }, buyNext));
		await process.facts.wait(plan.stores, signal);
		const isStopped = signal.aborted;
		const end = isStopped ? 'stopped' : attempt <= plan.failing ? 'failed' : 'delivered';
		// n8n shows nothing of an attempt that is not the last one.
		const isShown = end !== 'failed' || isLast;
		const shown: string[] = [];
		if (!isStopped && isShown) {
			run.isEnding = true;
			shown.push(...recalled.unclaimed.map(({ result, row }) => result?.output_url ?? row.image));
			for (const [job, { outcome, from }] of recalled.known) {
				const request = Number(job.request.fields.text);
				if ('value' in outcome) {
					const link = outcome.value.output_url;
					const keys = job.keys.join(' ');
					const isReused = run.reused.has(link);
					run.output.push({ request, job: keys, link, from: isReused ? 'earlier run' : from });
				} else shown.push(`unclear ${run.execution} ${job.keys.join(' ')}`);
			}
			run.told.push(...shown);
		}
		memory.end(end === 'delivered');
		await purchases.end(end === 'failed' ? failed : end);
		if (!isShown) return;
		// n8n drops the output and the hints of a node that it stops while the node still writes.
		run.end = signal.aborted ? 'stopped' : end;
		if (signal.aborted && !run.unmarked) {
			run.isEnding = false;
			run.told = run.told.filter((each) => !shown.includes(each));
		}
		run.endedAt = this.time;
	}

	async #buy(run: SimulatedRun, job: Job, purchases: Purchases, memory: ExecutionMemory) {
		const sent = await settle(purchases.send(job));
		if (run.abort.signal.aborted) purchases.notCharged(job);
		if (run.abort.signal.aborted || 'failure' in sent) return;
		const request = Number(job.request.fields.text);
		const chance = this.#random();
		const link = `https://service/${this.#count++}`;
		const outcome = await new Promise<'ok' | 'refused' | 'unclear'>((resolve) => {
			onAbort(run.abort.signal, () => {
				resolve('unclear');
			});
			const takes = 20 + this.#random() * 4000;
			// The service does not care whether the process lives.
			this.#at(takes * this.#random(), undefined, () => {
				if (chance < 0.1) return;
				this.charges.push({ request, run, job: job.keys.join(' '), link });
			});
			this.#at(takes, run.process, () => {
				resolve(chance < 0.1 ? 'refused' : chance < 0.2 ? 'unclear' : 'ok');
			});
		});
		if (outcome === 'refused') purchases.notCharged(job);
		if (outcome === 'unclear') {
			memory.add(job, { failure: { kind: 'timeout', message: 'unclear' } });
			run.unclear.push(job.keys.join(' '));
		}
		if (outcome !== 'ok') return;
		memory.add(job, { value: { output_url: link } });
		await purchases.bought(job, { output_url: link });
		run.output.push({ request, job: job.keys.join(' '), link, from: 'service' });
	}
}

/** A run has many waits, which Node would take for a leak. */
function onAbort(signal: AbortSignal | undefined, happen: () => void): void {
	if (signal === undefined) return;
	setMaxListeners(0, signal);
	signal.addEventListener('abort', happen);
}
