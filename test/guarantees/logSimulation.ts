import { setMaxListeners } from 'node:events';

import type { StoredExecution } from '../../nodes/ImageGeneration/execution';
import { Failed, settle } from '../../nodes/ImageGeneration/failures/failures';
import type { ExecutionMemory } from '../../nodes/ImageGeneration/recall/executionMemory';
import { PurchasingProcess } from '../../nodes/ImageGeneration/recall/process/process';
import type { Purchases } from '../../nodes/ImageGeneration/recall/purchases';
import type { AttemptEnd } from '../../nodes/ImageGeneration/recall/runRecord';
import type { Job } from '../../nodes/ImageGeneration/types';
import { jobFor } from '../support/jobs';
import { recordingRun } from '../support/recordingRun';
import { seeded } from '../support/simulateRequests';
import { QUIET, type ExecutionPlan, type Schedule } from './logSchedule';
import { SimulatedExecution, SimulatedRun, type Charge, type Process } from './simulatedRuns';
import { SimulatedTable } from './simulatedTable';

/** A world with its own time, a table, a service that charges, and n8n processes that die or freeze. */
export class LogSimulation {
	time = 0;

	readonly charges: Charge[] = [];

	readonly executions: SimulatedExecution[] = [];

	readonly runs: SimulatedRun[] = [];

	readonly table = new SimulatedTable(this);

	/** In the order in which they happen. */
	#events: Array<{ at: number; process: Process | undefined; happen: () => void }> = [];

	/** Makes the names of processes, runs and links different. */
	#count = 0;

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
				if (edit !== undefined) this.table.edit(edit);
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
				timeOfDay: () => 1e12 + Math.round(this.time * speed),
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
			unansweredAt: -Infinity,
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
			each.end = each.abort.signal.aborted ? 'canceled' : 'crashed';
			each.endedAt = this.time;
		}
		this.#processes[index] = this.#start(index);
	}

	#latency(): number {
		return 1 + this.#random() * this.schedule.latency;
	}

	/** One call of the table: it arrives, changes rows, and its answer returns, unless something dies. */
	async request<T>(run: SimulatedRun, ...changes: Array<() => T>): Promise<T> {
		const { process } = run;
		return await new Promise<T>((resolve, reject) => {
			// The workflow's timeout ends the inline workflow as well (n8n 2.40.3).
			const isTimedOut = run.of.isTimedOut;
			const fails = isTimedOut || (this.#random() < this.#failures && process.failedInARow < 1);
			process.failedInARow = fails ? process.failedInARow + 1 : 0;
			if (fails) process.unansweredAt = this.time;
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
		const { end, plan, caller, isTimedOut, hasFailedLater } = before;
		// It would go on behind this node.
		const isBehind = hasFailedLater || (end === 'crashed' && plan.savesProgress);
		if (isBehind || before.isDeleted(this.time)) return false;
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
				{ ...plan, stopAfter: undefined, timeoutAfter: undefined, later: 0, laterFails: false },
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
		const isCalled = called?.end === 'success';
		if (isCalled) {
			caller.lastNodeEnd = process.facts.timeOfDay();
			await process.facts.wait(plan.later, signal);
		}
		caller.hasFailedLater = isCalled && plan.laterFails && !signal.aborted;
		if (signal.aborted) caller.end = 'canceled';
		else caller.end = isCalled && !plan.laterFails ? 'success' : 'error';
		caller.endedAt = this.time;
		caller.lastNodeEnd = process.facts.timeOfDay();
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
			each.lastNodeEnd = process.facts.timeOfDay();
			await process.facts.wait(plan.later, signal);
			if (signal.aborted) break;
		}
		const last = this.runs.findLast(({ of }) => of === each);
		const isRefused = last?.end === 'refused' && !signal.aborted;
		each.hasFailedLater = last?.end === 'delivered' && plan.laterFails && !signal.aborted;
		if (last?.end === 'failed' || isRefused || each.hasFailedLater) each.end = 'error';
		else each.end = signal.aborted ? 'canceled' : 'success';
		each.endedAt = this.time;
		each.lastNodeEnd = process.facts.timeOfDay();
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
				table: this.table.of(run),
				process: process.facts,
				record: run.record,
				n8n: async (id) => await this.#ask(run, id),
				signal,
				onMissing: (label) => {
					run.unmarked = true;
					if (label !== undefined) run.told.push(label);
				},
			},
			common: { execution: run.execution, parent: run.of.parent },
			state: run.of.state,
			name: String(run.round),
			hasAttempts: plan.tries > 1,
			policy: {
				reuses: plan.reuse === 'always',
				isRetry: run.of.before !== undefined,
				linkOrigin: 'https://service',
				allowsOtherHosts: false,
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
			run.isEnding = isLast && !signal.aborted;
			await attempted.end(signal.aborted ? 'stopped' : failed);
			if (isLast || signal.aborted) throw new Failed(begun.failure);
			return;
		}
		const recalled = begun.value;
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
			run.toldOf.push(...told.map(({ row: { entry, link } }) => ({ entry, link })));
			for (const [job, { outcome, from }] of recalled.known) {
				const request = Number(job.request.textParts.text);
				if ('value' in outcome) {
					const link = outcome.value.output_url;
					const keys = job.keys.join(' ');
					run.output.push({ request, job: keys, link, from });
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
			run.toldOf = [];
		}
		run.endedAt = this.time;
	}

	/** Asks n8n, which answers at once, unless the process dies. */
	async #ask(run: SimulatedRun, id: string): Promise<StoredExecution | undefined> {
		return await new Promise((resolve) => {
			this.#at(5, run.process, () => {
				resolve(this.executions.find((each) => each.id === id)?.stored(this.runs, this.time));
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
