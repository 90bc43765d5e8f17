import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { execute } from '../../../nodes/ImageGeneration/execute';
import { Failed, settle } from '../../../nodes/ImageGeneration/failures/failures';
import { STATES, type PurchaseState } from '../../../nodes/ImageGeneration/recall/purchase';
import type { N8nTable, TableRow } from '../../support/n8nTable';
import { N8nTables, type Outage } from '../../support/n8nTables';
import { seeded } from '../../support/simulateRequests';
import { BEGIN, Clock, SimulatedProcess } from './clock';
import { contextFor, type NodeWorld } from './context';
import {
	SimulatedExecution,
	SimulatedRun,
	type Attempt,
	type Charge,
	type Truth,
} from './executions';
import { HOUR, PLAIN, SECOND, type ExecutionPlan, type Schedule } from './plan';
import { SimulatedService } from './service';
import { inTimeOf, type TimedWorld } from './virtualTime';

/** How long n8n takes to start again. */
const RESTART = 8 * SECOND;
/** How long n8n takes to notice that a worker has died, with its default settings (2.41.1). */
const SWEEP = 140 * SECOND;

/** How long a sub-workflow may not know that its caller is over: it asks, reserves a row, and then sends. */
const UNHEARD = 20 * SECOND;

/**
 * A world in which the node itself runs, `execute` and everything below it: a clock, n8n's processes, its executions
 * and its table, and a service that charges.
 */
export class World implements NodeWorld, TimedWorld {
	static #worlds = 0;

	readonly id = World.#worlds++;

	readonly clock = new Clock();

	readonly random: () => number;

	readonly executions: SimulatedExecution[] = [];

	readonly runs: SimulatedRun[] = [];

	readonly service: SimulatedService;

	readonly tables: N8nTables;

	readonly hasLog: boolean;

	/** Those that live. */
	readonly processes: SimulatedProcess[];

	/** What must never happen, and did. */
	readonly violations: string[] = [];

	readonly trace: string[] = [];

	readonly #attempts = new Map<object, Attempt>();

	#isCalm = false;

	#names = 0;

	constructor(readonly schedule: Schedule) {
		this.random = seeded(schedule.seed);
		this.hasLog = schedule.hasLog;
		this.processes = schedule.clocks.map((_skew, place) => this.#newProcess(place));
		this.service = new SimulatedService(this.clock, schedule, this.random);
		this.service.onRequest = (charge) => this.#onRequest(charge);
		this.service.onStep = ({ run, id }, step) => this.#log(run.execution, `request ${id} ${step}`);
		this.tables = new N8nTables({
			clock: {
				timeOfDay: () => BEGIN + this.clock.time,
				wait: async (ms) => await this.clock.sleep(undefined, ms),
			},
			latency: () => 2 + this.random() * schedule.table.latency,
			outageOf: () => this.#outage(),
		});
		if (schedule.hasLog) this.#watch(this.tables.make(TABLE));
	}

	/** Lets the schedule happen, and then asks for everything to see what is there. */
	async play(): Promise<void> {
		await inTimeOf(this, async () => {
			for (const plan of this.schedule.executions) this.#at(plan.at, () => void this.#start(plan));
			for (const { at, process, notice } of this.schedule.kills) {
				this.#at(at, () => this.#kill(process % this.processes.length, notice));
			}
			for (const { at, process, ms } of this.schedule.freezes) {
				this.#at(at, () => this.#freeze(process % this.processes.length, ms));
			}
			for (const { from, to } of this.schedule.full) {
				this.#at(from, () => (this.tables.isFull = true));
				this.#at(to, () => (this.tables.isFull = false));
			}
			await this.clock.play();
			this.#isCalm = true;
			this.service.isCalm = true;
			this.clock.time += 2 * HOUR;
			for (const place of this.processes.keys()) await this.#probe(place);
		});
	}

	/** Asks for everything in a process, as long as it has something of others. */
	async #probe(process: number): Promise<void> {
		if (this.clock.isEndless) return;
		const plans = new Map<string, ExecutionPlan>();
		for (const { node, isCutOut } of this.schedule.executions) {
			const asks = this.schedule.executions
				.filter((each) => each.node === node && each.isCutOut === isCutOut)
				.flatMap((each) => each.asks);
			const plan = { ...PLAIN, node, isCutOut, process, asks: [...new Set(asks)], isProbe: true };
			plans.set(`${node} ${isCutOut}`, plan);
		}
		for (const plan of plans.values()) {
			let isUseful = !this.clock.isEndless;
			while (isUseful) {
				const probe = await this.#playOne(plan);
				const isTaken = probe.uses.some(({ charge }) => charge.run.execution !== probe);
				isUseful = isTaken && !this.clock.isEndless;
			}
		}
	}

	async #playOne(plan: ExecutionPlan): Promise<SimulatedExecution> {
		const begun = this.executions.length;
		this.#at(0, () => void this.#start(plan));
		await this.clock.play();
		const probe = this.executions[begun];
		if (probe === undefined) throw new Error('The probe did not start.');
		return probe;
	}

	#at(ms: number, happen: () => void): void {
		this.clock.after(ms, undefined, happen);
	}

	#log(about: SimulatedExecution | SimulatedProcess, what: string): void {
		const name = 'id' in about ? about.id : about.name;
		this.trace.push(`${(this.clock.time / 1000).toFixed(1).padStart(9)} s  ${name} ${what}`);
	}

	// Processes

	#newProcess(place: number): SimulatedProcess {
		this.#names++;
		const skew = this.schedule.clocks[place] ?? 0;
		return new SimulatedProcess(this.clock, place, `p${place}${this.#names}`, skew);
	}

	#processAt(place: number): SimulatedProcess {
		const process = this.processes[place % this.processes.length];
		if (process === undefined) throw new Error('There is no process.');
		return process;
	}

	#freeze(place: number, ms: number): void {
		const process = this.#processAt(place);
		this.#log(process, `stands still for ${ms / 1000} s`);
		process.frozenUntil = this.clock.time + ms;
	}

	#kill(place: number, notice: Schedule['kills'][number]['notice']): void {
		const process = this.#processAt(place);
		this.#log(process, 'is killed');
		process.isDead = true;
		const killed = this.executions.filter(
			(each) => each.process === process && each.truth === 'running',
		);
		for (const each of killed) {
			each.truth = 'killed';
			each.endedAt = this.clock.time;
		}
		const next = this.#newProcess(place);
		next.frozenUntil = this.clock.time + RESTART;
		this.processes[place] = next;
		if (notice === 'never') return;
		// What n8n could not store looks to it as if it had been killed as well.
		const lost = this.executions.filter((each) => each.process === process && each.isLost);
		const noticed = () => {
			for (const each of killed) this.#store(each, notice === 'restart');
			if (notice === 'restart') for (const each of lost) this.#storeAs(each, 'killed', true);
		};
		this.#at(notice === 'restart' ? RESTART - SECOND : SWEEP, noticed);
	}

	// What n8n does

	async #start(plan: ExecutionPlan): Promise<void> {
		const process = this.#processAt(plan.process);
		const { again, retryAfter } = plan;
		if (again !== undefined) {
			const wait = (plan.stopAfter ?? plan.limit ?? 0) + again;
			const next = { ...plan, stopAfter: undefined, again: undefined, retryAfter: undefined };
			this.#at(wait, () => void this.#start(next));
		}
		const execution =
			plan.callerTries > 0
				? await this.#call(plan, process, undefined)
				: await this.#run(plan, process);
		if (retryAfter !== undefined) this.#at(retryAfter, () => void this.#retry(execution));
	}

	#add(
		plan: ExecutionPlan,
		process: SimulatedProcess,
		caller?: SimulatedExecution,
		retries?: SimulatedExecution,
	): SimulatedExecution {
		const id = `E${this.executions.length + 1}`;
		const added = new SimulatedExecution(id, plan, process, this.clock.time, caller, retries);
		this.executions.push(added);
		const kind = [
			plan.isProbe && 'a probe',
			plan.isManual && 'in the editor',
			plan.reuse,
			caller !== undefined && `called by ${caller.id}`,
			retries !== undefined && `Retry of ${retries.id}`,
		];
		const what = `${plan.node}: ${plan.isCutOut ? 'cut-out ' : ''}${plan.asks.join()}`;
		this.#log(added, `starts in ${process.name}, ${[what, ...kind.filter(Boolean)].join(', ')}`);
		return added;
	}

	async #run(plan: ExecutionPlan, process: SimulatedProcess): Promise<SimulatedExecution> {
		const execution = this.#add(plan, process);
		this.#setLimits(execution);
		await this.#runWorkflow(execution, 0, false);
		return execution;
	}

	#setLimits(execution: SimulatedExecution): void {
		const { stopAfter, limit } = execution.plan;
		if (stopAfter !== undefined) this.#at(stopAfter, () => this.#abort(execution, 'stopped'));
		if (limit !== undefined) this.#at(limit, () => this.#abort(execution, 'timed out'));
	}

	#abort(execution: SimulatedExecution, how: 'stopped' | 'timed out'): void {
		// n8n counts no time while it waits.
		if (execution.hasEnded() || (how === 'timed out' && execution.truth === 'waiting')) return;
		const { stop, truth } = execution;
		this.#end(execution, how);
		if (truth === 'running')
			this.clock.after(0, execution.process, () => stop.abort(new Error(how)));
	}

	/** Runs the node in all rounds of a loop, and a later node after each. */
	async #runWorkflow(
		execution: SimulatedExecution,
		firstRound: number,
		skipsNode: boolean,
	): Promise<void> {
		const { plan } = execution;
		for (let round = firstRound; round < plan.rounds; round++) {
			execution.round = round;
			const isSkipped = skipsNode && round === firstRound;
			const isDelivered = isSkipped || (await this.#runNode(execution, round));
			if (execution.hasEnded()) return;
			if (!isDelivered) {
				this.#end(execution, 'failed', 'node');
				return;
			}
			if (plan.pause !== undefined && round === 0 && !isSkipped) {
				await this.#pause(execution, plan.pause);
				if (execution.hasEnded()) return;
			}
			if (plan.savesProgress) {
				execution.stored = { ...execution.stored, hasOutput: true };
			}
			await this.clock.sleep(execution.process, plan.later);
			if (execution.hasEnded()) return;
			if (plan.laterFails === round) {
				this.#end(execution, 'failed', 'later');
				return;
			}
		}
		this.#end(execution, 'well');
	}

	/** n8n stores it, and goes on with it later, possibly in another process. */
	async #pause(execution: SimulatedExecution, ms: number): Promise<void> {
		execution.truth = 'waiting';
		this.#log(execution, 'waits');
		execution.stored = {
			hasError: false,
			hasOutput: true,
			isStackEmpty: false,
			waitTill: new Date(execution.process.timeOfDay() + ms),
		};
		await this.clock.sleep(undefined, ms);
		if (execution.hasEnded()) return;
		execution.context = JSON.parse(JSON.stringify(execution.context)) as IDataObject;
		execution.stop = new AbortController();
		execution.process = this.#processAt(execution.plan.resumesAt);
		execution.truth = 'running';
		await this.clock.sleep(execution.process, 1);
		this.#log(execution, `goes on in ${execution.process.name}`);
	}

	/** Runs the node, again if it fails and n8n repeats it. @returns whether n8n has its output */
	async #runNode(execution: SimulatedExecution, round: number): Promise<boolean> {
		const { plan, process } = execution;
		const run = new SimulatedRun(execution, round);
		this.runs.push(run);
		const tries = plan.tries > 1 ? Math.min(5, Math.max(2, plan.tries)) : 1;
		for (let left = tries; left > 0; left--) {
			// From here on it is the process whose code runs, also if the world has started it.
			await this.clock.sleep(process, left < tries ? 1000 + this.random() * 4000 : 0);
			if (execution.hasEnded()) return false;
			const attempt: Attempt = { run, process, hints: [], toTell: [] };
			const context = contextFor(this, attempt);
			this.#attempts.set(context, attempt);
			process.onRun = (name) => run.names.push(name);
			const ended = await execute(context, process).then(
				([items = []]) => ({ items }),
				(error: unknown) => ({ error: error as Error & { description?: string } }),
			);
			this.#endWait(run);
			this.#attempts.delete(context);
			// n8n refuses what a node returns after Stop.
			if (execution.hasEnded()) return false;
			const isFailure = 'error' in ended || ended.items[0]?.json.error !== undefined;
			if (isFailure && left > 1) continue;
			if ('error' in ended) {
				const text = `${ended.error.message} ${ended.error.description ?? ''}`;
				execution.said.push({ run, text, toTell: attempt.toTell });
				this.#log(execution, `fails: ${text}`);
				return false;
			}
			const failed = ended.items.filter(({ json }) => json.error !== undefined);
			const text = `${attempt.hints.join(' ')} ${JSON.stringify(failed.map(({ json }) => json))}`;
			execution.said.push({ run, text, toTell: attempt.toTell });
			this.#deliver(execution, round, ended.items);
			return true;
		}
		return false;
	}

	#deliver(execution: SimulatedExecution, round: number, items: INodeExecutionData[]): void {
		execution.outputs[round] = items;
		for (const { json } of items) {
			const charge = this.service.charges.find(({ id }) => json.id === `j${id}`);
			if (charge === undefined || json.error !== undefined) continue;
			execution.uses.push({ charge, at: this.clock.time, round });
			this.#log(execution, `delivers image ${charge.id}`);
		}
	}

	/** Runs a sub-workflow, which its caller repeats if it fails, and then a node of the caller. */
	async #call(
		plan: ExecutionPlan,
		process: SimulatedProcess,
		retries: SimulatedExecution | undefined,
	): Promise<SimulatedExecution> {
		const caller = this.#add(plan, process, undefined, retries);
		this.#setLimits(caller);
		const isWell = plan.isDetached
			? this.#detach(plan, process, caller)
			: await this.#callUntilWell(plan, process, caller);
		if (caller.hasEnded()) return caller;
		if (!isWell) {
			this.#end(caller, 'failed', 'node');
			return caller;
		}
		await this.clock.sleep(process, plan.later);
		if (caller.hasEnded()) return caller;
		if (plan.laterFails === undefined) this.#end(caller, 'well');
		else this.#end(caller, 'failed', 'later');
		return caller;
	}

	#detach(plan: ExecutionPlan, process: SimulatedProcess, caller: SimulatedExecution): boolean {
		const called = this.#add({ ...plan, laterFails: undefined, later: SECOND }, process, caller);
		void this.#runWorkflow(called, 0, false);
		return true;
	}

	async #callUntilWell(
		plan: ExecutionPlan,
		process: SimulatedProcess,
		caller: SimulatedExecution,
	): Promise<boolean> {
		const holder = plan.isNested ? this.#add(plan, process, caller) : caller;
		for (let left = plan.callerTries; left > 0; left--) {
			const isFailing = plan.subFails && left === plan.callerTries;
			const laterFails = isFailing ? 0 : undefined;
			const called = this.#add({ ...plan, laterFails, later: SECOND }, process, holder);
			await this.#runWorkflow(called, 0, false);
			if (called.truth === 'well' || caller.hasEnded()) {
				if (holder !== caller) this.#end(holder, called.truth === 'well' ? 'well' : 'failed');
				return called.truth === 'well';
			}
			await this.clock.sleep(process, 1000 + this.random() * 4000);
			if (caller.hasEnded()) break;
		}
		if (holder !== caller) this.#end(holder, 'failed', 'node');
		return false;
	}

	/** Somebody presses Retry in the list of executions. */
	async #retry(failed: SimulatedExecution): Promise<void> {
		const { truth, stored, failedAt, plan } = failed;
		const isOffered =
			truth === 'failed' ||
			(truth === 'killed' && (stored.hasError || stored.isRecovered === true));
		const isGone = failed.isUnsaved || failed.isDeleted || failed.isLost;
		// It would go on behind the node.
		const isBehind = truth === 'killed' && plan.savesProgress;
		if (!isOffered || isGone || isBehind || failed.isRetried) return;
		failed.isRetried = true;
		const next: ExecutionPlan = {
			...plan,
			laterFails: undefined,
			stopAfter: undefined,
			limit: undefined,
			subFails: false,
		};
		const process = this.#processAt(plan.process);
		if (plan.callerTries > 0 && failedAt !== 'later') {
			await this.#call(next, process, failed);
			return;
		}
		const retry = this.#add(next, process, undefined, failed);
		const isStoredWhole = truth === 'failed';
		// It has the run data of the other one.
		const { isRecovered = false } = failed.stored;
		const hasOutput = isStoredWhole || isRecovered;
		retry.stored = { hasError: false, hasOutput, isRecovered, isStackEmpty: false };
		if (isStoredWhole) {
			retry.context = JSON.parse(JSON.stringify(failed.context)) as IDataObject;
			const all = [failed, ...this.executions.filter((each) => each.callers.includes(failed))];
			retry.outputs.push(...failed.outputs);
			for (const each of all)
				if (each === failed || each.isWellSoFar) retry.uses.push(...each.uses);
		}
		await this.clock.sleep(process, SECOND);
		if (plan.callerTries > 0) this.#end(retry, 'well');
		else await this.#runWorkflow(retry, isStoredWhole ? failed.round : 0, failedAt === 'later');
	}

	#end(execution: SimulatedExecution, truth: Truth, failedAt?: 'node' | 'later'): void {
		if (execution.hasEnded()) return;
		execution.truth = truth;
		execution.failedAt = failedAt;
		execution.endedAt = this.clock.time;
		this.#log(execution, `ended: ${truth}`);
		const { deletedAfter } = execution.plan;
		if (deletedAfter !== undefined) {
			this.#at(deletedAfter, () => {
				execution.isDeleted = true;
			});
		}
		if (this.#isAway()) execution.isLost = true;
		else this.#store(execution, true);
	}

	#store(execution: SimulatedExecution, hasOutput: boolean): void {
		const { truth, plan } = execution;
		execution.isUnsaved = truth === 'well' ? !plan.savesWell : !plan.savesFailed;
		this.#storeAs(execution, truth, hasOutput);
	}

	/** What n8n 2.41.1 stores of executions that have ended. */
	#storeAs(execution: SimulatedExecution, truth: Truth, hasOutput: boolean): void {
		const { stored } = execution;
		switch (truth) {
			case 'well':
			case 'timed out':
				execution.stored = { hasError: false, hasOutput: true, isStackEmpty: true };
				break;
			case 'failed':
				execution.stored = { ...stored, hasError: true, hasOutput, isStackEmpty: false };
				break;
			case 'killed': {
				// In a later round of a loop each node has finished once, so n8n adds no error as it starts.
				const hasError = !hasOutput || execution.round === 0;
				const isRecovered = hasOutput && !stored.hasOutput;
				execution.stored = { ...stored, hasError, isRecovered, hasOutput, isStackEmpty: false };
				break;
			}
			case 'stopped':
				// Of one that waits, its data stays, also until when it waited.
				execution.stored = { ...stored, hasError: true };
				break;
			default:
		}
	}

	#isAway(): boolean {
		const { time } = this.clock;
		return this.schedule.outages.some(({ from, to }) => time >= from && time < to);
	}

	// What the node asks of its world

	async request(
		attempt: Attempt,
		signal: AbortSignal,
		options: IHttpRequestOptions,
	): Promise<unknown> {
		return await this.service.request(attempt, signal, options);
	}

	/** One call of the table. Its answer gets lost with the process. */
	async callTable(
		{ process, run }: Attempt,
		...call: Parameters<IExecuteFunctions['executeWorkflow']>
	): Promise<unknown> {
		const { clock } = this;
		const { execution } = run;
		const all = [execution, ...execution.callers];
		const context = this.tables.contextOf({
			execution: execution.id,
			workflow: execution.plan.node,
			// The workflow's time limit ends the workflows inside it as well (2.41.1).
			isTimedOut: () => all.some(({ truth }) => truth === 'timed out'),
		});
		const survives = this.random() < 0.5;
		const { late, latency } = this.schedule.table;
		const isLate = !this.#isCalm && this.random() < late;
		const back = this.random() * latency + (isLate ? 12 * SECOND : 0);
		await clock.sleep(undefined, this.random() * latency);
		// What a process sent before it died may arrive all the same.
		if (process.isDead && !survives) return await new Promise(() => {});
		const answer = await settle(context.executeWorkflow(...call));
		await clock.sleep(process, back);
		if ('failure' in answer) throw new Error(new Failed(answer.failure).message);
		return answer.value;
	}

	#outage(): Outage | undefined {
		if (this.#isAway()) return 'before';
		if (this.#isCalm || this.random() >= this.schedule.table.failures) return undefined;
		return this.random() < 0.5 ? 'before' : 'after';
	}

	async ask({ process }: Attempt, id: string): Promise<unknown> {
		await this.clock.sleep(process, 10);
		if (this.#isAway()) throw new Error('The database is away');
		const asked = this.executions.find((each) => each.id === id);
		if (asked === undefined || asked.isUnsaved || asked.isDeleted) return undefined;
		const { hasError, hasOutput, isStackEmpty, isRecovered = false, waitTill } = asked.stored;
		const madeUp = { data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] } };
		const { caller, plan } = asked;
		return {
			resultData: {
				runData: hasOutput ? { Node: isRecovered ? [madeUp] : [] } : {},
				...(hasError && { error: new Error('It did not end well') }),
			},
			executionData: { nodeExecutionStack: isStackEmpty ? [] : [{}] },
			waitTill,
			...(caller !== undefined && {
				parentExecution: {
					executionId: caller.id,
					workflowId: plan.node,
					shouldResume: !plan.isDetached,
				},
			}),
		};
	}

	note({ run }: Attempt, line: string): void {
		if (!line.includes('waits for images')) return;
		run.waitsSince ??= this.clock.time;
		this.#log(run.execution, 'waits for what others have asked for');
	}

	onUntold(run: object, found: Attempt['toTell']): void {
		const { context } = run as { context: object };
		const attempt = this.#attempts.get(context);
		if (attempt === undefined) return;
		attempt.toTell = found;
		attempt.run.toTell = found;
	}

	#endWait(run: SimulatedRun): void {
		if (run.waitsSince === undefined) return;
		run.waited = Math.max(run.waited, this.clock.time - run.waitsSince);
		run.waitsSince = undefined;
	}

	// What must never happen

	#onRequest(charge: Charge): void {
		const { run, ask } = charge;
		const { plan } = run.execution;
		this.#endWait(run);
		const isOpen = (each: Charge) => each.ask === ask && each.outcome !== 'free';
		const wanted = plan.isCutOut ? 1 : plan.asks.filter((each) => each === ask).length;
		if (run.sends.filter(isOpen).length >= wanted) {
			this.violations.push(`${run.execution.id} sent a request again that may have been charged`);
		}
		if (run.execution.hasEnded() && run.execution.stop.signal.aborted) {
			this.violations.push(`${run.execution.id} sent a request after it was stopped`);
		}
		const { startedAt } = run.execution;
		// Of a caller that n8n does not save, only a node that has seen it go on knows that it is over.
		const isSeen = plan.pause === undefined && !plan.isNested;
		const isOver = ({ endedAt, isLost }: SimulatedExecution) =>
			!isLost && endedAt > startedAt + SECOND && this.clock.time - endedAt > UNHEARD;
		const { outages, freezes } = this.schedule;
		const isAsked = outages.length === 0 && freezes.length === 0;
		if (isSeen && isAsked && run.execution.callers.some(isOver)) {
			this.violations.push(`${run.execution.id} sent a request long after its caller was over`);
		}
		run.sends.push(charge);
		const inExecution = this.service.charges.filter(
			(each) =>
				each !== charge &&
				each.run.execution === run.execution &&
				isOpen(each) &&
				!this.#isTaken(each) &&
				// Without a log, nothing is known after a pause that ended in another process.
				(this.hasLog || each.process === charge.process),
		);
		if (plan.isCutOut && inExecution.length > 0) {
			this.violations.push(`${run.execution.id} asked twice for one cut-out`);
		}
	}

	/** Whether another execution has made an image its own. */
	#isTaken(charge: Charge): boolean {
		return this.executions.some(({ id, plan, uses }) => {
			const isOther = id !== charge.run.execution.id && !plan.isManual && plan.reuse !== 'always';
			return isOther && uses.some((use) => use.charge === charge);
		});
	}

	/** A row goes on as its run does, or is taken. Nothing else may change it, and nothing paid for goes. */
	#watch(table: N8nTable): void {
		const change = table.change.bind(table);
		const remove = table.remove.bind(table);
		table.change = (rows, set, now) => {
			const before = rows.map((row) => ({ ...row }));
			change(rows, set, now);
			for (const [index, row] of rows.entries()) this.#onChange(before[index], row);
		};
		table.remove = (rows) => {
			remove(rows);
			for (const row of rows) this.#onRemove(row, table);
		};
	}

	#onChange(before: TableRow | undefined, after: TableRow): void {
		if (before === undefined) return;
		const times = (row: TableRow) => Number(row.taken ?? 0);
		const isTaken = times(after) > times(before);
		const isForward =
			STATES.indexOf(after.state as PurchaseState) >= STATES.indexOf(before.state as PurchaseState);
		if (isTaken || (before.run === after.run && isForward)) return;
		const name = ({ state, run }: TableRow) => `${String(state)} of ${String(run)}`;
		const what = `from ${name(before)} to ${name(after)}`;
		this.violations.push(`a row was overwritten: ${what}`);
	}

	#onRemove(row: TableRow, table: N8nTable): void {
		const isReplaced = table.rows.some(({ entry, id }) => entry === row.entry && id > row.id);
		if (isReplaced || row.result === null) return;
		this.violations.push(`a row that was paid for was removed: ${String(row.link)}`);
	}
}

const TABLE = 'Purchases';
