import { setMaxListeners } from 'node:events';

import fc from 'fast-check';

import type { StoredExecution } from '../../nodes/ImageGeneration/execution';
import { Failed, settle, unwrap } from '../../nodes/ImageGeneration/failures/failures';
import type { ExecutionMemory } from '../../nodes/ImageGeneration/recall/executionMemory';
import { PurchasingProcess } from '../../nodes/ImageGeneration/recall/process';
import type { Purchases } from '../../nodes/ImageGeneration/recall/purchases';
import {
	processOf,
	type PurchaseTable,
	type StoredRow,
	type TableStep,
	type Which,
} from '../../nodes/ImageGeneration/recall/purchaseTable';
import { readRow, toCells } from '../../nodes/ImageGeneration/recall/readRow';
import { RunRecord, type AttemptEnd } from '../../nodes/ImageGeneration/recall/runRecord';
import type { ExecutionState } from '../../nodes/ImageGeneration/run/executionState';
import type { Job } from '../../nodes/ImageGeneration/types';
import type { ValueOf } from '../support/fuzz';
import { jobFor } from '../support/jobs';
import { executionState, recordingRun, stored } from '../support/recordingRun';
import { seeded } from '../support/simulateRequests';

/** A time in one of so many cases, else undefined. */
const rarely = (cases: number) =>
	fc.oneof(
		{ weight: cases - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
	);

const execution = fc.record({
	process: fc.integer({ min: 0, max: 3 }),
	at: fc.integer({ min: 0, max: 90_000 }),
	/** A new execution, or Retry of one that failed or crashed. */
	kind: fc.constantFrom('new', 'new', 'retry'),
	/** Which earlier execution `retry` refers to. */
	of: fc.nat(7),
	/** Whether n8n stores the execution if it ends well, and if it doesn't. */
	savesSuccess: fc.constantFrom(true, true, false),
	savesFailure: fc.constantFrom(true, true, false),
	/** The requests, by number; equal numbers are equal requests. */
	requests: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 }),
	concurrency: fc.integer({ min: 1, max: 3 }),
	reuse: fc.constantFrom('never', 'never', 'always'),
	/** Pressed so long after it began. */
	stopAfter: rarely(4),
	/** The workflow's timeout, after which no call of its tables works either. */
	timeoutAfter: rarely(6),
	/** How many attempts of the node fail at their end, as with a bad last item. */
	failing: fc.constantFrom(0, 1, 2),
	/** How often n8n tries a run that fails. */
	tries: fc.constantFrom(1, 1, 2),
	/** How often a caller tries this as a sub-workflow; 0 if no other workflow calls it. */
	callerTries: fc.constantFrom(0, 0, 0, 1, 2),
	/** How often a loop of the workflow runs the node; each round is a run of its own. */
	rounds: fc.constantFrom(1, 1, 2, 3),
	/** How long the node stores its images in the end. */
	stores: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
	/** How long a later node runs after each run of the node. */
	later: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })),
	/** Whether it waited for a person before, so that n8n has stored what came until then. */
	waits: fc.boolean(),
});
export type ExecutionPlan = ValueOf<typeof execution>;

/** The columns that people edit. Which request a row is of, nobody can tell without them. */
const EDITED = [
	'time',
	'image',
	'link',
	'state',
	'execution',
	'parent',
	'node',
	'run',
	'entry',
	'result',
	'request',
] as const;

const event = { process: fc.nat(3), afterEvents: fc.integer({ min: 0, max: 400 }) };

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
	executions: fc.array(execution, { minLength: 2, maxLength: 8 }),
	/** Kills a process after so many events of the simulation, and starts it again. */
	kills: fc.array(fc.record(event), { maxLength: 4 }),
	/** Freezes a process, as a pause of its machine does. */
	freezes: fc.array(fc.record({ ...event, ms: fc.integer({ min: 0, max: 25_000 }) }), {
		maxLength: 2,
		size: '-1',
	}),
	/** Share of the paid requests that are refused or get no answer, as many of each. */
	mishaps: fc.constantFrom(0, 0.2, 0.2),
	/** Share of the table's calls that report a failure, half of them after the change was made. */
	failures: fc.constantFrom(0, 0, 0.1, 0.3),
	/** Whether n8n notices as it starts that an execution was killed. */
	notices: fc.constantFrom(true, true, false),
	/** What somebody does to a row of the table, after so many events. */
	edits: fc.array(
		fc.record({
			afterEvents: fc.integer({ min: 0, max: 400 }),
			row: fc.nat(30),
			column: fc.constantFrom(...EDITED),
			how: fc.constantFrom('clear', 'number', 'nonsense', 'delete'),
		}),
		{ maxLength: 3, size: '-1' },
	),
	/** Longest time that a call of the table takes to arrive, and its answer to return. */
	latency: fc.constantFrom(5, 50, 400),
});
export type Schedule = ValueOf<typeof schedule>;

export interface Charge {
	request: number;
	run: SimulatedRun;
	job: string;
	link: string;
	at: number;
}

interface Process {
	facts: PurchasingProcess;
	isDead: boolean;
	/** Nothing happens in it before. */
	frozenUntil: number;
	/** Calls of the table that failed one after the other. */
	failedInARow: number;
}

/** An execution of the workflow, which goes on after the node's runs. */
export class SimulatedExecution {
	/** How it ended; undefined while it goes on. */
	end: 'success' | 'error' | 'canceled' | 'crashed' | undefined;

	endedAt = Infinity;

	/** Aborted by Stop or the workflow's timeout. */
	readonly abort = new AbortController();

	/** Whether the workflow's timeout has passed. */
	isTimedOut = false;

	/** Whether n8n notices its death. */
	isNoticed = true;

	readonly state: ExecutionState;

	/** By the clock of its process. */
	lastNodeEnd = -Infinity;

	/** What n8n stored as it began: what Retry or a pause goes on with. */
	readonly inherited: StoredExecution;

	constructor(
		readonly id: string,
		readonly plan: ExecutionPlan,
		readonly process: Process,
		readonly began: number,
		/** The execution that calls this one as a sub-workflow. */
		readonly caller?: SimulatedExecution,
		/** The execution that it retries. */
		readonly before?: SimulatedExecution,
		/** The node's context. */
		readonly store: Record<string, unknown> = {},
	) {
		this.state = executionState(store);
		const goesOn = before !== undefined || plan.waits;
		this.inherited = stored({
			isRecovered: before?.end === 'crashed',
			lastNodeEnd: goesOn ? process.facts.today() - 1 : -Infinity,
			keptLinks: linksIn(store),
		});
	}

	get parent(): string {
		return this.caller?.id ?? '';
	}
}

/** A run of the node, and what became of it. */
export class SimulatedRun {
	/** As in the table's rows. */
	readonly name: string;

	readonly record: RunRecord;

	foundIn: number | undefined;

	end: 'delivered' | 'failed' | 'stopped' | 'killed' | 'refused' | undefined;

	endedAt = Infinity;

	/** Why it was refused. */
	refusal = '';

	/** The images in its output. */
	readonly output: Array<{ request: number; job: string; link: string; from: string }> = [];

	/** What people read of other runs: links and labels. */
	told: string[] = [];

	/** The rows that it told of. */
	toldEntries: string[] = [];

	/** Ids of rows that it may have taken over, as the table did not answer. Nobody needs to spare them. */
	readonly unknown = new Set<number>();

	/** Jobs whose requests had no clear outcome. */
	readonly unclear: string[] = [];

	/** Whether the node had its output ready when its process died. */
	isEnding = false;

	/** Whether the table does not show how it ended. */
	unmarked = false;

	/** Links that any of its attempts reused. */
	reused = new Set<string>();

	constructor(
		readonly of: SimulatedExecution,
		/** Counts from 0. */
		readonly round: number,
		readonly began: number,
		id: number,
	) {
		this.name = `${of.process.facts.name}.${id}`;
		this.record = new RunRecord(this.name);
	}

	get execution(): string {
		return this.of.id;
	}

	get plan(): ExecutionPlan {
		return this.of.plan;
	}

	get process(): Process {
		return this.of.process;
	}

	get signal(): AbortSignal {
		return this.of.abort.signal;
	}

	/** Whether n8n has, or may have, what the run delivered, as far as other runs can know. */
	get isKept(): boolean {
		return this.end === 'delivered' && isKeptBy(this.of);
	}
}

/** Whether nobody runs an execution's work again, and other runs leave its images alone. */
function isKeptBy({ end, caller, plan }: SimulatedExecution): boolean {
	if (end === undefined || end === 'canceled') return false;
	if (caller !== undefined) return end === 'success' && isKeptBy(caller);
	switch (end) {
		case 'success':
			return true;
		// What a failed execution delivered before is free if n8n does not have it.
		case 'error':
			return plan.savesFailure;
		// Nobody can know.
		case 'crashed':
			return !plan.savesFailure;
	}
}

/** Asks for nothing. */
export const QUIET: ExecutionPlan = {
	process: 0,
	at: 0,
	kind: 'new',
	of: 0,
	requests: [],
	concurrency: 1,
	reuse: 'never',
	stopAfter: undefined,
	timeoutAfter: undefined,
	failing: 0,
	tries: 1,
	callerTries: 0,
	stores: 0,
	rounds: 1,
	later: 0,
	waits: false,
	savesSuccess: true,
	savesFailure: true,
};

/** A world with its own time, a table, a service that charges, and n8n processes that die or freeze. */
export class LogSimulation {
	time = 0;

	readonly charges: Charge[] = [];

	readonly executions: SimulatedExecution[] = [];

	readonly runs: SimulatedRun[] = [];

	readonly taken: Array<{ row: StoredRow; by: SimulatedRun; isFair: boolean }> = [];

	/** The table as n8n has it. */
	cells: Array<Record<string, unknown>> = [];

	/** What somebody did to it. */
	readonly edits: string[] = [];

	/** Links, and requests without one, of rows that nobody could read any more. */
	readonly spoilt = new Set<string>();

	/** In the order in which they happen. */
	#events: Array<{ at: number; process: Process | undefined; happen: () => void }> = [];

	/** Makes the names of processes, runs and links different. */
	#count = 0;

	#nextId = 1;

	#failures: number;

	#processes: Process[];

	#random: () => number;

	#isKilled = false;

	/** @param killWhen Kills the first process once, as soon as this is true. */
	constructor(
		readonly schedule: Schedule,
		private readonly killWhen: (world: LogSimulation) => boolean = () => false,
	) {
		this.#failures = schedule.failures;
		this.#random = seeded(schedule.seed);
		this.#processes = schedule.clocks.map((_clock, index) => this.#start(index));
	}

	/** The rows of the table that can be read. */
	get rows(): StoredRow[] {
		return this.cells.flatMap((cells) => readRow(cells) ?? []);
	}

	/** Runs the schedule, then runs that ask for nothing in each process, so that everything gets told. */
	async run(): Promise<void> {
		for (const plan of this.schedule.executions) {
			this.#at(plan.at, undefined, () => void this.#begin(plan));
		}
		const byTime = (a: { afterEvents: number }, b: { afterEvents: number }) =>
			a.afterEvents - b.afterEvents;
		await this.#play(
			[...this.schedule.kills].sort(byTime),
			[...this.schedule.freezes].sort(byTime),
			[...this.schedule.edits].sort(byTime),
		);
		this.#failures = 0;
		for (const [process] of [...this.#processes.entries(), [0]]) {
			this.#at(60_000, undefined, () => void this.#begin({ ...QUIET, process }));
			await this.#play([], [], []);
		}
	}

	async #play(
		kills: Schedule['kills'],
		freezes: Schedule['freezes'],
		edits: Schedule['edits'],
	): Promise<void> {
		let events = 0;
		for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
			while (kills[0] !== undefined && kills[0].afterEvents <= events) {
				this.#kill(kills.shift()?.process ?? 0);
			}
			while (freezes[0] !== undefined && freezes[0].afterEvents <= events) {
				const { process, ms } = freezes.shift() ?? { process: 0, ms: 0 };
				const frozen = this.#processes[process];
				if (frozen !== undefined) frozen.frozenUntil = this.time + ms;
			}
			while (edits[0] !== undefined && edits[0].afterEvents <= events) {
				const edit = edits.shift();
				if (edit !== undefined) this.#edit(edit);
			}
			this.time = Math.max(this.time, event.at);
			if (event.process?.isDead === true) continue;
			const wakes = event.process?.frozenUntil ?? 0;
			if (wakes > this.time) {
				this.#at(wakes - this.time, event.process, event.happen);
				continue;
			}
			event.happen();
			events++;
			// All promises that this event settles.
			await new Promise(setImmediate);
			if (!this.#isKilled && this.killWhen(this)) {
				this.#isKilled = true;
				this.#kill(0);
			}
		}
	}

	#at(delay: number, process: Process | undefined, happen: () => void): void {
		const at = this.time + delay;
		const place = this.#events.findLastIndex((event) => event.at <= at) + 1;
		this.#events.splice(place, 0, { at, process, happen });
	}

	#start(index: number): Process {
		const { offset = 0, speed = 1 } = this.schedule.clocks[index] ?? {};
		const process: Process = {
			facts: Object.assign(new PurchasingProcess(`p${index}x${this.#count++}`), {
				now: () => Math.round(offset + this.time * speed),
				// Days differ by seconds.
				today: () => 1e12 + Math.round(this.time * speed),
				wait: async (ms: number, signal?: AbortSignal) => {
					await new Promise<void>((resolve) => {
						if (signal?.aborted === true) resolve();
						onAbort(signal, resolve);
						this.#at(ms / speed, process, resolve);
					});
				},
			}),
			isDead: false,
			frozenUntil: 0,
			failedInARow: 0,
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
		for (const each of this.executions) {
			if (each.process !== process || each.end !== undefined) continue;
			each.end = 'crashed';
			each.endedAt = this.time;
		}
		this.#processes[index] = this.#start(index);
	}

	/** Somebody edits a row in n8n, or exports the table and imports it again. */
	#edit({ row: index, column, how }: Schedule['edits'][number]): void {
		const requests = this.cells.filter(({ state }) => state !== 'running');
		const cells = requests[index % Math.max(1, requests.length)];
		if (cells === undefined) return;
		const row = readRow(cells);
		const isEssential = ['link', 'state', 'request', 'node', 'result'].includes(column);
		this.edits.push(`${how} ${column} of ${String(cells.id)}`);
		if (row !== undefined && (how === 'delete' || isEssential)) {
			this.spoilt.add(row.link);
			this.spoilt.add(row.entry);
		}
		if (how === 'delete') this.cells.splice(this.cells.indexOf(cells), 1);
		else if (how === 'clear') cells[column] = null;
		else cells[column] = how === 'number' ? 12 : '={{ nonsense }}';
	}

	#latency(): number {
		return 1 + this.#random() * this.schedule.latency;
	}

	/** One call of the table: it arrives, changes rows, and its answer returns, unless something dies. */
	async #request<T>(run: SimulatedRun, ...changes: Array<() => T>): Promise<T> {
		const { process } = run;
		return await new Promise<T>((resolve, reject) => {
			// The workflow's timeout ends the inline workflow as well (n8n 2.40.3).
			const isTimedOut = run.of.isTimedOut;
			const fails = isTimedOut || (this.#random() < this.#failures && process.failedInARow < 1);
			process.failedInARow = fails ? process.failedInARow + 1 : 0;
			const isApplied = !fails || (!isTimedOut && this.#random() < 0.5);
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
				else resolve(results.at(-1) as T);
			});
		});
	}

	#table(run: SimulatedRun): PurchaseTable {
		const { process } = run;
		const now = () => new Date(process.facts.today()).toISOString();
		const select = (which: Which) => this.cells.filter((cells) => isOneOf(cells, which));
		const takeStep = ({ which, set }: TableStep): StoredRow[] =>
			select(which).flatMap((cells) => {
				const before = readRow(cells);
				if (before !== undefined && set.run === run.name && set.state !== 'told') {
					this.#noteTaking(before, run);
				}
				Object.assign(cells, toCells(set), { updatedAt: now() });
				return readRow(cells) ?? [];
			});
		return {
			isShared: true,
			name: 'the table',
			mostRows: Infinity,
			insert: async (row) => {
				// As it is now: the node changes its own copy later.
				const inserted = toCells(row);
				return await this.#request(run, () => {
					// n8n lets the database date new rows, and its processes the changes (2.41.1).
					const at = new Date(1e12 + this.time).toISOString();
					const cells = { ...inserted, id: this.#nextId++, createdAt: at, updatedAt: at };
					this.cells.push(cells);
					return { ...row, id: cells.id, createdAt: at, updatedAt: at };
				});
			},
			read: async (which) =>
				await this.#request(run, () => select(which).flatMap((cells) => readRow(cells) ?? [])),
			find: async (column, values) => {
				if (values.length === 0) return [];
				const wanted = new Set(values.map(String));
				return await this.#request(run, () =>
					this.cells
						.filter((cells) => wanted.has(textOf(cells[column])))
						.flatMap((cells) => readRow(cells) ?? [])
						.reverse(),
				);
			},
			change: async (steps) => {
				if (steps.length === 0) return [];
				const written = steps.map(({ which, set }) => ({ which, set: { ...set } }));
				const ids = written.flatMap(({ which, set }) =>
					set.run === run.name ? (which.id ?? []) : [],
				);
				for (const id of ids) run.unknown.add(id);
				const changed = await this.#request(run, () => written.flatMap(takeStep));
				for (const id of ids) run.unknown.delete(id);
				return changed;
			},
			remove: async (ids) => {
				if (ids.length === 0) return;
				await this.#request(run, () => {
					this.cells = this.cells.filter(({ id }) => !ids.includes(Number(id)));
				});
			},
		};
	}

	#noteTaking(row: StoredRow, by: SimulatedRun): void {
		const owner = this.runs.find(({ name }) => name === row.run);
		const isFair =
			['stopped', 'told'].includes(row.state) ||
			by.execution === row.execution ||
			by.of.before?.id === row.execution ||
			// Retry has it in its data in any case, although another run may have taken it meanwhile.
			(row.state === 'failed' && by.of.before !== undefined) ||
			owner === undefined ||
			mayBeTaken(owner, row);
		this.taken.push({ row, by, isFair });
	}

	/** What n8n says of an execution (2.41.1). */
	#stored(id: string): StoredExecution | undefined {
		const execution = this.executions.find((each) => each.id === id);
		if (execution === undefined) return undefined;
		const { end, plan, isTimedOut, store, inherited, lastNodeEnd } = execution;
		const runs = this.runs.filter(({ of }) => of === execution);
		const delivered = runs.filter((run) => run.end === 'delivered');
		const links = delivered.flatMap(({ output }) => output.map(({ link }) => link));
		if (end === undefined) return inherited;
		if (end === 'success') return plan.savesSuccess ? stored({ links, lastNodeEnd }) : undefined;
		if (end === 'crashed' && !execution.isNoticed) return inherited;
		if (!plan.savesFailure) return undefined;
		// A loop that is killed in a later round is stored without an error.
		if (end === 'crashed') return { ...inherited, isFailed: runs.length <= 1, isRecovered: true };
		const isStored = end === 'error' || isTimedOut;
		if (!isStored) return { ...inherited, isFailed: true };
		// The message of a node that the timeout stopped is stored as an error.
		const isFailed = end === 'error' || runs.at(-1)?.end === 'stopped';
		return stored({ isFailed, links, lastNodeEnd, keptLinks: linksIn(store) });
	}

	/** Begins an execution as its plan says. */
	async #begin(plan: ExecutionPlan): Promise<void> {
		const process = this.#processes[plan.process % this.#processes.length];
		if (process === undefined) return;
		const before = this.executions[plan.of % Math.max(1, this.executions.length)];
		if (before !== undefined && plan.kind === 'retry' && this.#canBeRetried(before)) {
			await this.#retry(plan, process, before);
		} else if (plan.callerTries > 0) {
			await this.#call(plan, process);
		} else {
			await this.#execute(this.#add(plan, process));
		}
	}

	#canBeRetried(before: SimulatedExecution): boolean {
		const { end, plan, caller, isTimedOut } = before;
		// Nobody can retry a sub-workflow, but its caller.
		if (caller !== undefined) return this.#canBeRetried(caller);
		if (end === 'crashed') return plan.savesFailure && this.schedule.notices;
		// n8n 2.41.1 keeps the data of an execution that its timeout stopped, and Retry begins at that node.
		const lastRun = this.runs.findLast(({ of }) => of === before);
		const isStoredStop = end === 'canceled' && isTimedOut && lastRun?.end === 'stopped';
		return plan.savesFailure && (end === 'error' || isStoredStop);
	}

	async #retry(plan: ExecutionPlan, process: Process, before: SimulatedExecution): Promise<void> {
		const { requests, reuse, rounds } = before.plan;
		const asked: ExecutionPlan = { ...plan, requests, reuse, rounds, callerTries: 0 };
		if (before.plan.callerTries > 0) {
			await this.#call({ ...asked, callerTries: before.plan.callerTries }, process);
			return;
		}
		if (before.end === 'crashed') {
			await this.#execute(this.#add(asked, process, { before }));
			return;
		}
		const store = JSON.parse(JSON.stringify(before.store)) as SimulatedExecution['store'];
		const retried = this.#add(asked, process, { before, store });
		await this.#execute(retried, this.runs.findLast(({ of }) => of === before)?.round);
	}

	/** Runs a sub-workflow, which its caller repeats if it fails, and then a node of the caller. */
	async #call(plan: ExecutionPlan, process: Process): Promise<void> {
		const caller = this.#add(plan, process);
		let called: SimulatedExecution | undefined;
		for (let left = plan.callerTries; left > 0; left--) {
			called = this.#add(
				{ ...plan, stopAfter: undefined, timeoutAfter: undefined, later: 0 },
				process,
				{
					caller,
				},
			);
			await this.#execute(called);
			if (called.end !== 'error') break;
			await process.facts.wait(1000 + this.#random() * 4000);
		}
		const { signal } = caller.abort;
		if (plan.stopAfter !== undefined) {
			this.#at(plan.stopAfter, process, () => {
				if (caller.end === undefined) caller.abort.abort();
			});
		}
		if (called?.end === 'success') await process.facts.wait(plan.later, signal);
		if (signal.aborted) caller.end = 'canceled';
		else caller.end = called?.end === 'success' ? 'success' : 'error';
		caller.endedAt = this.time;
		caller.lastNodeEnd = process.facts.today();
	}

	#add(
		plan: ExecutionPlan,
		process: Process,
		{
			caller,
			before,
			store,
		}: Partial<Pick<SimulatedExecution, 'caller' | 'before' | 'store'>> = {},
	): SimulatedExecution {
		const id = `x${this.executions.length + 1}`;
		const added = new SimulatedExecution(id, plan, process, this.time, caller, before, store);
		added.isNoticed = this.schedule.notices;
		this.executions.push(added);
		return added;
	}

	/** Runs the node in all rounds of a loop, and a later node after each. */
	async #execute(each: SimulatedExecution, firstRound = 0): Promise<void> {
		const { plan, process, abort } = each;
		const { signal } = abort;
		const stop = (isTimedOut: boolean): void => {
			// Nobody can stop what has ended.
			if (each.end !== undefined || abort.signal.aborted) return;
			each.isTimedOut = isTimedOut;
			abort.abort();
		};
		if (plan.stopAfter !== undefined) this.#at(plan.stopAfter, process, () => stop(false));
		if (plan.timeoutAfter !== undefined) this.#at(plan.timeoutAfter, process, () => stop(true));
		for (let round = firstRound; round < Math.max(plan.rounds, firstRound + 1); round++) {
			const run = new SimulatedRun(each, round, this.time, this.#count++);
			this.runs.push(run);
			await this.#run(run);
			if (run.end !== 'delivered') break;
			await process.facts.wait(plan.later, signal);
			if (signal.aborted) break;
		}
		const last = this.runs.findLast(({ of }) => of === each);
		if (last?.end === 'failed' || last?.end === 'refused') each.end = 'error';
		else each.end = signal.aborted ? 'canceled' : 'success';
		each.endedAt = this.time;
		each.lastNodeEnd = process.facts.today();
	}

	/** Runs the node, again if it fails and n8n repeats it. */
	async #run(run: SimulatedRun): Promise<void> {
		try {
			for (let attempt = 1; run.end === undefined; attempt++) {
				if (attempt > 1) await run.process.facts.wait(1000 + this.#random() * 4000);
				await this.#attempt(run, attempt);
			}
		} catch (error) {
			run.refusal = (error as Error).message;
			run.end = 'refused';
			run.endedAt = this.time;
		}
	}

	async #attempt(run: SimulatedRun, attempt: number): Promise<void> {
		const { plan, process, signal } = run;
		const isLast = attempt === plan.tries;
		const failed = endOfFailure(run, isLast);
		const began = this.time;
		const attempted = recordingRun({
			recording: {
				table: this.#table(run),
				process: process.facts,
				record: run.record,
				n8n: async (id) => await this.#ask(run, id),
				signal,
				onMissing: (label) => {
					run.unmarked = true;
					if (label !== undefined) run.told.push(label);
				},
			},
			place: { execution: run.execution, parent: run.of.parent },
			state: run.of.state,
			name: String(run.round),
			hasAttempts: plan.tries > 1,
			policy: {
				reuses: plan.reuse === 'always',
				isRetry: run.of.before !== undefined,
				origin: 'https://service',
			},
		});
		const { memory, purchases } = attempted;
		const asked = plan.requests.map((request, itemIndex) => {
			const keys = [`${run.round}.${itemIndex}`];
			return jobFor(String(request), { keys, itemIndex, label: `request ${request}` });
		});
		const begun = await settle(
			(async () => {
				const recalled = await attempted.recall(asked);
				run.foundIn = Math.max(run.foundIn ?? 0, this.time - began);
				return signal.aborted ? recalled : await attempted.takeOver(asked, recalled);
			})(),
		);
		if ('failure' in begun) {
			await attempted.end(signal.aborted ? 'stopped' : failed);
			if (isLast || signal.aborted) throw new Failed(begun.failure);
			return;
		}
		const recalled = begun.value;
		for (const { outcome, from } of recalled.known.values()) {
			if (from === 'earlier run') run.reused.add(unwrap(outcome).output_url);
		}
		const waiting = asked.filter((job) => !recalled.known.has(job));
		const buyNext = async (): Promise<void> => {
			for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
				if (signal.aborted) return;
				await this.#buy(run, job, purchases, memory);
			}
		};
		await Promise.all(Array.from({ length: plan.concurrency }, buyNext));
		await process.facts.wait(plan.stores, signal);
		const telling = signal.aborted ? { value: [] } : await settle(purchases.tell());
		const told = 'value' in telling ? telling.value : [];
		const isDelivered = attempt > plan.failing;
		const settled = isDelivered ? 'delivered' : failed;
		const how = signal.aborted ? 'stopped' : settled;
		// n8n shows nothing of an attempt that is not the last one.
		const isShown = how === 'delivered' || isLast;
		const shown: string[] = [];
		if (!signal.aborted && isShown) {
			run.isEnding = true;
			shown.push(...told.map(({ result, row }) => result?.output_url ?? row.image));
			run.toldEntries.push(...told.map(({ row }) => row.entry));
			for (const [job, { outcome, from }] of recalled.known) {
				const request = Number(job.request.textParts.text);
				if ('value' in outcome) {
					const link = outcome.value.output_url;
					const keys = job.keys.join(' ');
					const isReused = run.reused.has(link);
					run.output.push({ request, job: keys, link, from: isReused ? 'earlier run' : from });
				} else shown.push(`unclear ${run.execution} ${job.keys.join(' ')}`);
			}
			run.told.push(...shown);
		}
		await attempted.end(how);
		if (!isShown && !signal.aborted) return;
		// n8n drops the output and the hints of a node that it stops while the node still writes.
		run.end = isDelivered ? 'delivered' : 'failed';
		if (signal.aborted) {
			run.end = 'stopped';
			run.isEnding = false;
			run.told = run.told.filter((each) => !shown.includes(each));
			run.toldEntries = [];
		}
		run.endedAt = this.time;
	}

	/** Asks n8n, which answers at once, unless the process dies. */
	async #ask(run: SimulatedRun, id: string): Promise<StoredExecution | undefined> {
		return await new Promise((resolve) => {
			this.#at(5, run.process, () => {
				resolve(this.#stored(id));
			});
		});
	}

	async #buy(run: SimulatedRun, job: Job, purchases: Purchases, memory: ExecutionMemory) {
		const { signal } = run;
		const sent = await settle(purchases.send(job));
		if (signal.aborted) purchases.notCharged(job);
		if (signal.aborted || 'failure' in sent) return;
		const request = Number(job.request.textParts.text);
		const answer = answerFor(this.#random(), this.schedule.mishaps);
		const link = `https://service/${this.#count++}`;
		const outcome = await new Promise<Answer>((resolve) => {
			onAbort(signal, () => {
				resolve('unclear');
			});
			const takes = 20 + this.#random() * 4000;
			// The service does not care whether the process lives.
			this.#at(takes * this.#random(), undefined, () => {
				if (answer === 'refused') return;
				this.charges.push({ request, run, job: job.keys.join(' '), link, at: this.time });
			});
			this.#at(takes, run.process, () => {
				resolve(answer);
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

/** The links that an execution keeps for Retry. */
function linksIn(store: SimulatedExecution['store']): string[] {
	const jobs = (store.finishedJobs ?? []) as Array<[string, { output_url: string }]>;
	return jobs.map(([, { output_url }]) => output_url);
}

/** Whether another run may have what a run bought. */
function mayBeTaken(owner: SimulatedRun, { id }: StoredRow): boolean {
	// Nobody can tell a process that stands still from a dead one.
	if (owner.process.frozenUntil > 0 || owner.unknown.has(id)) return true;
	// The table does not show how it ended, and n8n may not know.
	if (owner.unmarked) return true;
	// n8n has nothing of it, and never will.
	return (owner.end !== undefined || owner.signal.aborted) && !owner.isKept;
}

/** Whether a row of the table is one of these, as n8n compares cells. */
function isOneOf(
	cells: Record<string, unknown>,
	{ notIn = [], process, ...which }: Which,
): boolean {
	if (notIn.some((each) => each === cells.state)) return false;
	if (process !== undefined && processOf(textOf(cells.run)) !== process) return false;
	return Object.entries(which).every(([column, value]) => textOf(cells[column]) === String(value));
}

/** What a condition compares. An empty one stands for an empty cell. */
function textOf(cell: unknown): string {
	return String((cell ?? '') as string | number);
}

/** What the run learns of its request. */
type Answer = 'ok' | 'refused' | 'unclear';

/** @param mishaps Share of the answers that refuse, or that don't arrive. */
function answerFor(chance: number, mishaps: number): Answer {
	if (chance < mishaps / 2) return 'refused';
	return chance < mishaps ? 'unclear' : 'ok';
}

/** How an attempt ends that fails. */
function endOfFailure({ of }: SimulatedRun, isLast: boolean): AttemptEnd {
	if (!isLast) return 'continued';
	return of.caller === undefined ? 'failed' : 'stopped';
}

/** A run has many waits, which Node would take for a leak. */
function onAbort(signal: AbortSignal | undefined, happen: () => void): void {
	if (signal === undefined) return;
	setMaxListeners(0, signal);
	signal.addEventListener('abort', happen);
}
